#include "app/session/method_choice.h"
#include "app/tour/scenes.h"

namespace convscope::app {
namespace {

/// A block that no GPU takes: the rejection is shown with its reason.
void reject_block(Shell& shell) {
    show_layout("examples/xu-fig4", TabId("ecr"))(shell);
    Session& session = shell.session();
    session.choices.launch["ecr1"].block = Dim3{2048, 1, 1};
}

void impossible_value(Shell& shell) {
    show_layout("examples/xu-fig4", TabId("ecr"))(shell);
    Session& session = shell.session();
    session.choices.launch.clear();
    session.choices.workload.shape.r = 9;
    edit_workload(session);
}

}  // namespace

void add_launch_scenes(SceneList& list, const Registry& registry) {
    // A plan, with the figures of the paper's GPU; then back to the device that the tour is on.
    const auto device = std::make_shared<std::string>();
    list.add("plan", [&registry, device](Shell& shell) {
        show_layout("chang/single-28-k3", TabId("output"))(shell);
        Session& session = shell.session();
        *device = session.choices.device;
        choose_device(session, registry, "sim");
        choose_method(session, "tiled-single");
        session.choices.occupancy_model = "GTX 1080 Ti";
    });
    list.add("launch-rejected", [&registry, device](Shell& shell) {
        Session& session = shell.session();
        choose_device(session, registry, *device);
        choose_method(session, "");
        session.choices.occupancy_model.clear();
        reject_block(shell);
    });
    list.add("impossible-value", impossible_value);
}

}  // namespace convscope::app
