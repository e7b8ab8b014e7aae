// A .cu file, compiled, with one kernel of it chosen.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "app/user_kernel/kernel_call.h"
#include "kernels/ptx/run/program.h"
#include "kernels/ptx/text/kernel_text.h"
#include "kernels/ptx/text/module.h"

namespace convscope::app {

struct UserKernel {
    std::string ptx, symbol;  ///< as the compiler made it; the kernel's name in it
    ptx::Module module;
    ptx::KernelText text;
    /// For the simulated GPU; empty otherwise. Points into 'module': an UserKernel stays where it is.
    ptx::Program program;
    UserKernel() = default;
    UserKernel(const UserKernel&) = delete;
    UserKernel& operator=(const UserKernel&) = delete;
};

/// The name of a kernel in its file, and what tells an instantiation of a template from the others.
struct EntryName {
    std::string symbol;     ///< "_ZN2ns4convILi3EEEvPKf"
    std::string base;       ///< "conv"
    std::string shown;      ///< "conv<3>"; of what is not a template the base
    std::string qualified;  ///< "ns::conv<3>"
};

/// The parameters' types in a symbol's mangled name: "float". Empty for one that is not mangled, as of extern "C".
std::vector<ptx::ParameterText> parameter_types(const std::string& symbol);

/// The names of a module's kernels, in its order.
std::vector<EntryName> entry_names(const ptx::Module&);

/// Compiles the file, whose text 'source' is, and takes the kernel that the call names. Throws Error(usage) where it
/// does not compile ("FILE:LINE:COLUMN: ...", a line each), has not this kernel or several and none is named; Error as
/// compile_to_ptx. 'entries', where given, gets the names of all kernels.
std::shared_ptr<UserKernel> open_kernel(const KernelCall&, const std::string& source, const std::stop_token& = {},
                                        std::vector<EntryName>* entries = nullptr);
/// The same of PTX that compile_to_ptx made of the file.
std::shared_ptr<UserKernel> read_kernel(std::string ptx, const KernelCall&, const std::string& source,
                                        std::vector<EntryName>* entries = nullptr, const std::stop_token& = {});

/// Reads a kernel from the file's own text where that 'suffices'; else, as where a macro or a header of its folder has
/// the parameters, from the preprocessed text. Empty where neither has the kernel. Throws as read_kernel_text, which
/// 'line' is for, and expand_macros.
std::optional<ptx::KernelText> read_text(const KernelCall&, const std::string& source, const std::string& kernel,
                                         const std::function<bool(const ptx::KernelText&)>& suffices,
                                         const std::stop_token& = {}, unsigned line = 0);
/// Whether each parameter has a name and a type, as what stands for several of them in a macro has not.
bool names_parameters(const ptx::KernelText&);

}  // namespace convscope::app
