// Counts of a launch, named after a GPU's hardware counters.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <vector>

#include "kernels/core/run_cost.h"
#include "kernels/ptx/run/program.h"

namespace convscope::ptx {

/// Memory requests of warps, and their cost (kernels/core/warp_request.h).
struct Traffic {
    std::int64_t requests = 0, sectors = 0, wavefronts = 0, bank_conflicts = 0;
    std::int64_t lines = 0, bytes_wanted = 0;  ///< of global memory, where LaunchRequest::lines asks for them
    void add(const Traffic&);
};

/// Sums over all instructions of a source line.
struct LineCounts {
    std::int64_t issued = 0, lanes = 0;  ///< warp instructions; thread instructions
    Traffic global, shared;
};

struct LaunchCounts {
    std::int64_t warp_instructions = 0, thread_instructions = 0;
    std::array<std::int64_t, kinds> by_kind{};  ///< warp instructions
    Traffic global_loads, global_stores, global_atomics, shared_loads, shared_stores, shared_atomics;
    std::int64_t multiplications = 0;       ///< of floats by single threads, multiply-adds among them
    std::int64_t zero_multiplications = 0;  ///< with a zero factor
    std::int64_t multiply_adds = 0;         ///< of floats by single threads
    std::int64_t barrier_threads = 0;       ///< that came to their block's barrier, once for each time
    std::map<SourceLine, LineCounts> by_line;
    std::map<std::uint32_t, std::int64_t> by_ptx_line;  ///< warp instructions
    double active_lanes() const;                        ///< of 32, on average
};

/// One host thread's counts.
struct Counters {
    struct PerOp {
        std::int64_t issued = 0, lanes = 0;  ///< lanes that came there, also those whose guard says no
        std::int64_t zeros = 0;              ///< multiplications by zero
    };
    std::vector<PerOp> ops;
    std::vector<Traffic> global, shared;  ///< by Op

    explicit Counters(std::size_t count) : ops(count), global(count), shared(count) {}
};

LaunchCounts launch_counts_of(const Program&, const std::vector<Counters>&);

/// Converts to the counts of kernels/simt: loads, stores, atomics and multiply-adds, without index arithmetic.
RunCost run_cost_of(const LaunchCounts&);

}  // namespace convscope::ptx
