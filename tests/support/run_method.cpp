#include "tests/support/run_method.h"

namespace convscope::testing {

void run_execution(Execution& execution, const Workload& workload) {
    execution.setup();
    execution.allocate();
    execution.stage_inputs(workload);
    execution.upload();
    execution.prepare_weights();
    execution.poison_output();
    execution.run();
    execution.synchronize();
    execution.download();
}

Tensor run_method(const Method& method, const Workload& workload, Device& device, const LaunchConfig& launch) {
    auto execution = method.instantiate(workload.spec.shape, launch, device);
    run_execution(*execution, workload);
    return execution->output();
}

}  // namespace convscope::testing
