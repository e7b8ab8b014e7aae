#include "kernels/simt/on_checked/run_watched.h"

#include <functional>

#include "kernels/core/error.h"
#include "kernels/simt/checker.h"

namespace convscope {

std::optional<simt::Finding> run_watched(Execution& execution, const Workload& workload, const std::stop_token& stop) {
    // Each of these takes a second or more for a large layer.
    const std::function<void()> steps[] = {[&] { execution.setup(); }, [&] { execution.allocate(); },
                                           [&] { execution.stage_inputs(workload); }, [&] { execution.upload(); }};
    for (const auto& step : steps) {
        if (stop.stop_requested()) throw Error(ErrorKind::failed, "the run was stopped");
        step();
    }
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
