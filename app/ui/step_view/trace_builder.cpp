#include "app/ui/step_view/trace_builder.h"

#include <atomic>
#include <utility>

#include "kernels/core/error.h"
#include "kernels/layers/layer_slice.h"
#include "kernels/simt/summary.h"

namespace convscope::app {
namespace {

TraceResult trace_slice(const PendingTrace& pending, const std::stop_token& stop) {
    std::string why = "this layer is its own smallest slice";
    for (const ConvShape& shape : slices_of(pending.data->spec.shape)) {
        const Workload slice = slice_of(*pending.data, shape);
        TraceRequest request = pending.request;
        request.workload = slice.spec;
        try {
            return trace_block(request, slice, stop);
        } catch (const Error& error) {
            why = error.what();
        }
    }
    throw Error(ErrorKind::usage, why);
}

std::shared_ptr<TracedKernel> make_trace(const PendingTrace& pending, const std::stop_token& stop) {
    static std::atomic<std::uint64_t> numbers = 0;
    TraceResult result = pending.slice ? trace_slice(pending, stop) : trace_block(pending.request, *pending.data, stop);
    if (stop.stop_requested()) return nullptr;
    const Layout layout = result.plan.method.layout;
    TracedBlock trace(std::move(result.trace), result.workload.shape, layout, std::move(result.finding));
    std::vector<std::string> summary =
        simt::describe(trace.trace(), trace.replay().cost(), result.plan.model, result.multiplications_per_output);
    KnownValues known(trace);
    return std::make_shared<TracedKernel>(TracedKernel{++numbers, std::move(result.plan), std::move(result.workload),
                                                       pending.request.workload, pending.slice, pending.request.block,
                                                       result.multiplications_per_output, std::move(summary),
                                                       std::move(trace), std::move(known)});
}

}  // namespace

bool PendingTrace::operator==(const PendingTrace& other) const {
    const TraceRequest &a = request, &b = other.request;
    return data == other.data && slice == other.slice && a.method == b.method && a.kernel == b.kernel &&
           a.block == b.block && a.launch == b.launch && a.workload == b.workload;
}

TraceBuilder::TraceBuilder(std::function<void()> wake)
    : job_([](const PendingTrace& pending, const std::shared_ptr<TracedKernel>&,
              const std::stop_token& stop) { return make_trace(pending, stop); },
           std::move(wake)) {}

}  // namespace convscope::app
