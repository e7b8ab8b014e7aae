// Methods whose kernels need what only compute capability 9.0 has, run without such a GPU: as nvcc compiled them, on
// the executor of kernels/ptx. In a run-time module of its own, convscope_ptx.so; plain C++ for those who open it.
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

/// A launch of one of our kernels, with its arguments as they were before it.
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

/// What one run of a method launched.
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
    /// Why a method does not take the layer, as a sentence; empty where it does.
    virtual std::string reason(const std::string& method, const ConvShape&) const = 0;
    /// Runs the method once. 'kernel' is one of CompiledRun::kernels. Where it launches none of that name, the chosen
    /// one is, of those that do not prepare the weights, that with the most products of matrices, or else the most
    /// instructions. Throws Error(usage) for a layer that the method does not take, Error(failed) where its launches
    /// take longer than 'max_seconds' or it is stopped; OutOfMemory. One thread at a time; the others may be called
    /// meanwhile.
    virtual CompiledRun run(const std::string& method, const Workload&, const std::string& kernel, double max_seconds,
                            const std::stop_token&) = 0;
};

/// Of convscope_ptx.so, opened at the first call. Null where this build has none, or where it cannot be loaded;
/// 'reason' then says why.
CompiledMethods* compiled_methods(std::string* reason = nullptr);

/// What the module exports as extern "C" convscope_compiled_methods.
using MakeCompiledMethods = CompiledMethods* (*)();

}  // namespace convscope
