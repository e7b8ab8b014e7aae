// Runs our CUDA methods without a GPU: their kernels, as nvcc compiled them, on the executor of kernels/ptx. It lies in
// a run-time module, convscope_ptx.so; its users see plain C++.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "kernels/core/launch.h"
#include "kernels/core/run_cost.h"
#include "kernels/layers/workload.h"
#include "kernels/method/method.h"
#include "kernels/ptx/run/tensor_map.h"
#include "kernels/simt/launch_cost.h"

namespace convscope {

/// A launch of one of our kernels, with its arguments' values from before the launch.
struct CompiledLaunch {
    struct Argument {
        std::vector<std::byte> bytes;       ///< of the value, or of the whole array
        bool array = false;                 ///< the parameter is its address, or a tensor map of it
        std::vector<std::uint8_t> written;  ///< of an array: ptx::ArrayArgument::history
        unsigned misaligned_bytes = 0;      ///< of an array, as there
        std::optional<ptx::TensorBox> tensor;
    };
    std::string kernel;       ///< "union1_multiply"
    std::string ptx, symbol;  ///< a module that has this kernel; its name there
    Dim3 grid, block;
    std::optional<Dim3> cluster;     ///< blocks
    std::uint64_t shared_bytes = 0;  ///< dynamic
    std::vector<Argument> arguments;
};

/// The launches of one run of a method.
struct CompiledRun {
    std::vector<std::string> kernels;  ///< in order; of several launches of one "union1_sum (2)" and so on
    std::size_t chosen = 0;            ///< index into 'kernels'
    CompiledLaunch launch;             ///< the chosen one
    double error = 0, tolerance = 0;   ///< the run's result against the reference
    std::string difference;            ///< what is wrong, or was found in any of the launches; empty: nothing
};

/// A method's execution on a simulated GPU of its own, every access watched. What prepares the weights and what runs
/// throw Error(wrong) with the first finding, Error(failed) where a kernel does not come to its end.
class CompiledExecution : public Execution, public CountedExecution {
public:
    /// The cost of each launch, in order: those that prepared the weights, then the last run's.
    virtual std::vector<simt::LaunchCost> launch_costs() const = 0;
};

class CompiledMethods {
public:
    virtual ~CompiledMethods() = default;
    /// Ids of the methods that no simulated GPU has a build of, in the order of the registry. Not among them are those
    /// that choose by times.
    virtual std::vector<std::string> ids() const = 0;
    /// Why the method does not support the layer, as a sentence; empty where it does.
    virtual std::string reason(const std::string& method, const ConvShape&) const = 0;
    /// Makes an execution of any CUDA method of ours. Throws Error(not_found), Error(usage) for an unsupported shape or
    /// launch. Executions may be used side by side, each by one thread at a time.
    virtual std::unique_ptr<CompiledExecution> instantiate(const std::string& method, const ConvShape&,
                                                           const LaunchConfig&) = 0;
    /// Runs the method once. 'kernel' names one of CompiledRun::kernels. If no launch has that name, the chosen one is,
    /// among those that do not prepare the weights, the one with the most matrix products, or else the most
    /// instructions. Throws Error(usage) for a layer that the method does not support, Error(failed) where its launches
    /// take longer than 'max_seconds' or it is stopped; OutOfMemory. Only one thread may call it at a time; the other
    /// functions may be called meanwhile.
    virtual CompiledRun run(const std::string& method, const Workload&, const std::string& kernel, double max_seconds,
                            const std::stop_token&) = 0;
};

/// Opens convscope_ptx.so at the first call. Null where this build has none, or where it cannot be loaded; 'reason'
/// then says why.
CompiledMethods* compiled_methods(std::string* reason = nullptr);
/// Why there are none, as far as that is known before the module is opened; empty: they may be there.
std::string missing_compiled_methods();

/// The type of the module's export, extern "C" convscope_compiled_methods.
using MakeCompiledMethods = CompiledMethods* (*)();

}  // namespace convscope
