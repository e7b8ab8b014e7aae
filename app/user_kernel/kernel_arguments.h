// The arguments of a user's kernel: as they are given, from the comment before the kernel, from the layer.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "app/user_kernel/generated_array.h"
#include "app/user_kernel/user_kernel.h"
#include "kernels/core/error.h"
#include "kernels/layers/workload.h"
#include "kernels/ptx/run/launch.h"

namespace convscope::app {

/// Where what a parameter is called with comes from.
enum class Origin { given, comment, layer, nowhere };

/// One of "grid", "block", "shared", "cluster" (where it is given), a parameter, or a variable that is given.
struct ArgumentState {
    std::string name;
    std::string type;  ///< "const float*"; empty of the launch's own
    bool array = false;
    Origin origin = Origin::nowhere;
    std::string text;    ///< as it is given, or stands in the comment; of the layer what it is: "x, 1x3x5x5"
    std::string reason;  ///< why it cannot be, as a sentence; empty when it can
    ErrorKind kind = ErrorKind::usage;  ///< of the reason
    std::string otherwise{};  ///< what holds where nothing is given: as in 'text'; empty: nothing, or not known
};

struct KernelArguments {
    std::vector<ptx::Argument> list;            ///< in the order of the parameters; arrays point into 'arrays'
    std::map<std::string, KernelArray> arrays;  ///< by the parameter's name, or the variable's
    /// The file's variables that are given or that the kernel may write; they point into 'arrays'.
    std::map<std::string, std::span<std::byte>> variables;
    std::set<std::string> unset;         ///< ptx::LaunchRequest::unset
    std::string input, weights, output;  ///< the parameters that are the layer's x, w and y; empty for none
    Dim3 grid, block;
    std::optional<Dim3> cluster;  ///< none: as the kernel says
    std::uint64_t shared_bytes = 0;
    std::vector<ArgumentState> states;  ///< the launch's, the parameters', then the variables'
    std::vector<std::string> notes;     ///< sentences about what was given, without a full stop

    /// Takes the sizes of a launch that is known; their states come before those of the parameters.
    void take_launch(const Dim3& of_grid, const Dim3& of_block, const std::optional<Dim3>& of_cluster,
                     std::uint64_t dynamic_bytes, Origin);
    /// The first with a reason; null where it can be launched.
    const ArgumentState* rejected() const;
};

/// Whether the kernel's arrays are a convolution's: parameters named after x, w and y.
bool is_convolution(const ptx::KernelText&);

/// 'layer' may be null. Throws Error(usage) for a name that the kernel has not; what else is wrong is in the states.
KernelArguments make_arguments(const UserKernel&, const KernelCall&, const Workload* layer, const std::stop_token&);

}  // namespace convscope::app
