// Runs methods that need compute capability 9.0 without such a GPU: their kernels, as nvcc compiled them, on the
// executor of kernels/ptx. It lies in a run-time module, convscope_ptx.so; its users see plain C++.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "kernels/core/launch.h"
#include "kernels/core/workload.h"
#include "kernels/ptx/tensor_map.h"

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

class CompiledMethods {
public:
    virtual ~CompiledMethods() = default;
    /// Ids, in the order of the registry.
    virtual std::vector<std::string> ids() const = 0;
    /// Why the method does not support the layer, as a sentence; empty where it does.
    virtual std::string reason(const std::string& method, const ConvShape&) const = 0;
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

/// The type of the module's export, extern "C" convscope_compiled_methods.
using MakeCompiledMethods = CompiledMethods* (*)();

}  // namespace convscope
