#include "kernels/simt/on_checked/run_watched.h"

#include "kernels/simt/checker.h"

namespace convscope {

std::optional<simt::Finding> run_watched(Execution& execution, const Workload& workload) {
    execution.setup();
    execution.allocate();
    execution.stage_inputs(workload);
    execution.upload();
    try {
        execution.prepare_weights();
        execution.poison_output();
        execution.run();
    } catch (const simt::TraceComplete&) {
    } catch (const simt::Finding& finding) {
        return finding;
    }
    return {};
}

}  // namespace convscope
