// Traces one block of a method's kernel: what the command line prints and the Step view walks through.
#pragma once

#include <cstddef>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "kernels/method/method.h"
#include "kernels/simt/finding.h"
#include "kernels/simt/simulated_time.h"
#include "kernels/simt/trace.h"

namespace convscope {

struct TraceRequest {
    WorkloadSpec workload;
    std::string method;   ///< with a simulated kernel, or one as printed
    std::string kernel;   ///< one of the method's; empty: the one whose launch a user can set
    Dim3 block{0, 0, 0};  ///< index in the grid
    LaunchConfig launch;
    std::size_t max_events = 2'000'000;
    /// The time limit of each kernel before the traced one, which its data comes from.
    double max_seconds_before = simt::max_simulated_seconds;
};

/// The plan for a request, before anything is run.
struct TracePlan {
    MethodInfo method;
    DeviceModel model;
    std::vector<KernelLaunch> kernels;  ///< of one run, in launch order
    std::size_t traced = 0;             ///< index into kernels
    double bytes = 0;                   ///< of the host's memory that tracing takes
    const KernelLaunch& launch() const { return kernels[traced]; }
};

struct TraceResult {
    TracePlan plan;
    WorkloadSpec workload;
    simt::BlockTrace trace;
    std::optional<simt::Finding> finding;         ///< what ended the run before its time
    std::int64_t multiplications_per_output = 0;  ///< on dense data, padding included
};

/// Throws Error in one sentence: usage for what cannot be traced, not_found for a method without a simulated kernel.
/// Does not look at the block.
TracePlan plan_trace(const TraceRequest&);

/// Runs one block of the traced kernel, and all of those before it; shapes may be as large as the host's memory.
/// Throws what plan_trace() does; Error(usage) for a block outside the grid, too many events, or too much to run
/// before; OutOfMemory; Error(failed) when stopped; and simt::Finding when a check ends the run before the block.
TraceResult trace_block(const TraceRequest&, const std::stop_token& = {});
/// With data that is made already, of the request's workload.
TraceResult trace_block(const TraceRequest&, const Workload&, const std::stop_token& = {});

}  // namespace convscope
