// The cost of one run of a method on the simulated GPU: counts, since it has no clock.
#pragma once

#include <cstdint>
#include <stop_token>

namespace convscope {

/// Sums over every block of every launch, without the work on the weights that is done once.
struct RunCost {
    std::int64_t multiplications = 0;  ///< of single threads
    std::int64_t instructions = 0;     ///< of warps: loads, stores, atomics and multiply-adds; no index arithmetic
    std::int64_t requests = 0;         ///< of warps, to global memory
    std::int64_t sectors = 0;          ///< of 32 bytes, that these move
    std::int64_t bank_conflicts = 0;   ///< of shared memory, as Wavefronts counts them
    bool on_tensor_cores = false;      ///< has products there besides, which are no thread's: not counted
};

/// An Execution that runs as compiled on the simulated GPU, and counts the cost of its runs.
class CountedExecution {
public:
    virtual ~CountedExecution() = default;
    virtual RunCost cost() const = 0;  ///< of the last run
    /// Once this stop is requested, the run in progress, and any that begins later, soon throws Error(failed).
    virtual void set_stop(std::stop_token) = 0;
};

}  // namespace convscope
