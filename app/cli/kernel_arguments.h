// What a user's kernel is called with: from flags, from the layer, from the comment before the kernel.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "app/request/flags.h"
#include "kernels/core/npy_bytes.h"
#include "kernels/core/workload.h"
#include "kernels/ptx/expression.h"
#include "kernels/ptx/kernel_text.h"
#include "kernels/ptx/launch.h"

namespace convscope::cli {

/// An array that the kernel gets; it changes it in place.
struct KernelArray {
    NpyBytes array;
    bool written = true;  ///< holds values before the kernel runs
};

struct KernelArguments {
    std::vector<ptx::Argument> list;            ///< in the order of the parameters; arrays point into 'arrays'
    std::map<std::string, KernelArray> arrays;  ///< by the parameter's name
    std::string input, weights, output;         ///< the parameters that are the layer's x, w and y; empty for none
};

/// The values of a flag that is repeated, "NAME=VALUE". Throws Error(usage) for one without a '=' or twice the same
/// name.
std::map<std::string, std::string> named_values(const FlagValues&, const std::string& flag);

/// 'workload' may be null. Throws Error(usage) naming a parameter that nothing is given for, or a name that the kernel
/// has not; Error(file).
KernelArguments make_arguments(const ptx::Program&, const ptx::KernelText&, const FlagValues&, const Workload*,
                               const ptx::Names&);

}  // namespace convscope::cli
