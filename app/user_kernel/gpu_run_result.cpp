#include "app/user_kernel/gpu_run_result.h"

#include "kernels/core/error.h"
#include "kernels/files/text_file.h"
#include "kernels/measure/isolated/isolated_measurer.h"

namespace convscope::app {
namespace {

void run_and_check(GpuRunResult& result, const std::stop_token& stop) {
    // A registry of its own: the interface reads the other one meanwhile.
    const auto registry = make_registry();
    const std::string& device = result.request.device;
    KernelCall call = result.request.kernel.call;
    call.architecture = architecture_of(registry->device(device).info());
    const auto prepared = prepare_kernel(open_kernel(call, read_text_file(call.file), stop), call, stop);
    if (const ArgumentState* rejected = prepared->arguments.rejected()) throw Error(rejected->kind, rejected->reason);
    const UserLaunch launch = user_launch(*prepared, call);
    const MeasureOptions options;
    const bool alone = !computes_layer(*prepared);
    result.run = run_on_gpu(*prepared, launch, device, options, alone, stop);
    if (const auto layer = check_layer(*prepared, stop)) result.difference = layer->difference;
    if (alone)
        result.times = summarize(result.run.samples_us, options.max_noise_pct);
    else if (result.difference.empty())
        result.records = IsolatedMeasurer(*registry).measure(
            point_of(*registry, prepared->layer->spec, {launch}, device, options), {}, stop);
}

}  // namespace

std::shared_ptr<GpuRunResult> check_on_gpu(const GpuRunRequest& request, const std::stop_token& stop) {
    auto made = std::make_shared<GpuRunResult>();
    made->request = request;
    try {
        run_and_check(*made, stop);
    } catch (const Error& error) {
        made->failure = error.what();
    } catch (const std::bad_alloc&) {
        made->failure = "the host's memory ran out; make the arrays smaller";
    }
    return made;
}

}  // namespace convscope::app
