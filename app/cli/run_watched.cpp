#include "app/cli/run_watched.h"

#include "kernels/simt/checker.h"

namespace convscope::cli {

std::optional<simt::Finding> run_watched(const Method& method, const Workload& workload, const LaunchConfig& config,
                                         Device& device) {
    const auto execution = method.instantiate(workload.spec.shape, config, device);
    execution->setup();
    execution->allocate();
    execution->stage_inputs(workload);
    execution->upload();
    try {
        execution->prepare_weights();
        execution->poison_output();
        execution->run();
    } catch (const simt::TraceComplete&) {
    } catch (const simt::Finding& finding) {
        return finding;
    }
    return {};
}

}  // namespace convscope::cli
