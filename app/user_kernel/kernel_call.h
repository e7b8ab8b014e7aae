// How a user's kernel is called: all of it as text, as it is typed.
#pragma once

#include <array>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "kernels/layers/workload.h"
#include "kernels/ptx/text/kernel_text.h"

namespace convscope::app {

/// The names of a call's values besides the parameters.
inline constexpr std::array<std::string_view, 4> launch_names{"grid", "block", "shared", "cluster"};

/// In the place of these and of parameters what a whole program is given: its words, "" around those with blanks.
inline constexpr const char* program_words = "arguments";

struct KernelCall {
    std::filesystem::path file;
    /// In the place of a file a CUDA method of ours (kernels/registry/compiled_methods.h); 'entry' is one of its
    /// kernels, empty: what CompiledMethods::run takes then. Nothing is given, and there is a layer.
    std::string method;
    std::string entry;                 ///< the kernel; empty: the only one
    std::vector<std::string> defines;  ///< "NAME" or "NAME=VALUE"; whole numbers have a name in expressions, too
    std::string architecture;          ///< of the GPU that it is for, "90a"; empty: the simulated GPU
    /// "grid", "block", "shared", "cluster", a parameter, or a variable of the file: as in the comment before the
    /// kernel, which they override.
    std::map<std::string, std::string> given;
    /// The layer whose arrays and fields parameters may be named after.
    std::optional<WorkloadSpec> layer;

    bool operator==(const KernelCall&) const = default;
};

/// Reads "FILE.cu", or "FILE.cu:NAME" unless a file has that name.
void set_file_and_entry(KernelCall&, const std::string& text);

/// "TILE" of "TILE=16".
std::string name_of_define(const std::string& define);

/// Those of the defines that are whole numbers.
std::vector<std::pair<std::string, std::int64_t>> whole_defines(const KernelCall&);

/// A call for each combination of the values in defines such as "TILE=8,16,32"; one where there is none. Throws
/// Error(usage) for what is not a define, a name or a value that is given twice, values of which only some are whole
/// numbers, and more than 256 combinations.
std::vector<KernelCall> variants_of(const KernelCall&);

}  // namespace convscope::app
