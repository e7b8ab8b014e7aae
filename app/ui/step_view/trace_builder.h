// Traces a block on a thread of its own, and makes it ready to be stepped through.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "app/session/jobs/latest_job.h"
#include "app/session/session.h"
#include "kernels/simt/on_checked/trace_block.h"
#include "visualizers/step/known_values.h"
#include "visualizers/step/traced_block.h"

namespace convscope::app {

/// One traced block and its drawn state. Only the UI thread uses it once it is made.
struct TracedKernel {
    std::uint64_t number = 0;  ///< grows with every trace: who drew one knows whether it is a new one
    TracePlan plan;
    WorkloadSpec workload;  ///< what was run: the layer, or a slice of it
    WorkloadSpec layer;
    bool slice = false;
    Dim3 block;
    std::int64_t multiplications_per_output = 0;
    std::vector<std::string> summary;  ///< the block's cost in plain words, a sentence each
    TracedBlock trace;
    KnownValues known;  ///< of 'trace'
};

/// A trace to make. 'data' is the request's workload, made already.
struct PendingTrace {
    TraceRequest request;
    std::shared_ptr<const Workload> data;
    bool slice = false;  ///< of it: the largest one of which the block can be traced
    bool operator==(const PendingTrace&) const;
};

class TraceBuilder {
public:
    explicit TraceBuilder(std::function<void()> wake);

    void request(PendingTrace pending) { job_.request(std::move(pending)); }
    /// Gives up the trace under way, which take_error then says; the last good one stays.
    void cancel() { job_.cancel("tracing was cancelled; the view shows the previous block"); }
    /// Gives it up without a word: what is wanted now is something else.
    void drop() {
        if (busy()) job_.cancel({});
    }
    void settle(int milliseconds) { job_.settle(milliseconds); }

    std::shared_ptr<TracedKernel> latest() const { return job_.latest(); }
    bool busy() const { return job_.busy(); }
    double busy_seconds() const { return job_.busy_seconds(); }
    std::string take_error() { return job_.take_error(); }

private:
    LatestJob<PendingTrace, TracedKernel> job_;
};

}  // namespace convscope::app
