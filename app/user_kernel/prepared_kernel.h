// A kernel with everything that it is called with, and what came of a run of it.
#pragma once

#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "app/program/recorded_launch.h"
#include "app/user_kernel/kernel_arguments.h"
#include "app/user_kernel/user_kernel.h"
#include "kernels/layers/workload.h"
#include "kernels/ptx/run/launch.h"

namespace convscope::app {

/// The memory that a launch of a program was recorded with; each array is where it was.
struct RecordedMemory {
    RecordedLaunch launch;         ///< as they were before; without its PTX
    std::vector<NpyBytes> arrays;  ///< as a run leaves them; flat, empty of those that are freed
    std::vector<std::vector<std::uint8_t>> written;
    std::vector<ptx::LentArray> lent;  ///< these arrays; point into the two
    /// How many of an array's elements a run changed, and the first of them; set by note_changes.
    struct Changes {
        std::size_t count = 0, first = 0;
    };
    std::vector<Changes> changes;
};

struct PreparedKernel {
    std::shared_ptr<const UserKernel> kernel;
    std::optional<Workload> layer;  ///< y is checked against it, where the kernel has a y
    KernelArguments arguments;
    std::unique_ptr<RecordedMemory> memory;  ///< of a recorded launch: its arguments are values, addresses too

    /// To be changed (counts, trace, limits) and run; points into the arguments.
    ptx::LaunchRequest request() const;
};

/// Throws Error, OutOfMemory for a layer that cannot be; what is wrong with arguments is in their states.
std::unique_ptr<PreparedKernel> prepare_kernel(std::shared_ptr<const UserKernel>, const KernelCall&,
                                               const std::stop_token& = {});

/// The result of a finished run: y checked against the reference.
struct LayerResult {
    double error = 0, tolerance = 0;
    std::string difference;  ///< empty: none
};
/// Nothing where no parameter is the layer's y. Throws Error(failed) when stopped.
std::optional<LayerResult> check_layer(const PreparedKernel&, const std::stop_token& = {});

/// Why the run is not right, in words that follow the kernel's name: "is wrong: y[0] ...", "3 findings". Empty: it is.
std::string verdict(const ptx::LaunchResult&, const std::string& difference);

}  // namespace convscope::app
