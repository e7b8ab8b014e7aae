#include "app/session/method_choice.h"
#include "app/tour/scenes.h"
#include "kernels/layers/preset.h"

namespace convscope::app {

void add_sweep_scenes(SceneList& list, const Registry& registry) {
    list.add("sweep-to-run", [](Shell& shell) {
        set_workload(shell.session(), find_preset("xu2022/lenet-conv2").spec);
        shell.session().view = "sweep";
    });
    list.add("sweep", [](Shell& shell) {
        shell.session().sweep.axes = {{SweepKind::sparsity, "", "0:0.9:0.3"}, {SweepKind::channels, "", "5,10,20"}};
        shell.session().sweep.methods.reset();
        shell.session().sweep.timeout_s = 0.1;
        shell.session().requested.sweep = SweepMove::run_or_stop;
    });
    list.add("sweep-speedup", [](Shell& shell) {
        shell.session().sweep.metric = SweepMetric::speedup;
        shell.session().sweep.pane = SweepPane::map;
    });
    list.add("sweep-launch", [&registry](Shell& shell) {
        Session& session = shell.session();
        session.sweep = {};
        // Where there is a GPU, the block sizes of ECR; else what is left to vary on a CPU.
        if (device_kind(session, registry) == DeviceKind::cuda) choose_method(session, "ecr3");
        session.requested.sweep = SweepMove::run_or_stop;
    });
    list.add("sweep-recorded", [](Shell& shell) {
        shell.session().view = "sweep";
        shell.sweep().show_recorded(shell.session(), "blocks-ecr3");
    });
}

}  // namespace convscope::app
