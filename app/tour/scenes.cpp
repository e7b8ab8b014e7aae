#include "app/tour/scenes.h"

#include <fmt/format.h>

#include "app/session/method_choice.h"
#include "kernels/layers/preset.h"

namespace convscope::app {

void SceneList::add(const char* name, std::function<void(Shell&)> prepare, bool live, const char* click) {
    scenes.push_back({fmt::format("{:02}-{}", scenes.size() + 1, name), std::move(prepare), live, click});
}

std::function<void(Shell&)> show_layout(const char* preset, TabId tab, std::optional<ElementRef> pin) {
    return [=](Shell& shell) {
        Session& session = shell.session();
        session.desktop_state.overlay = Overlay::none;
        session.view = "layout";
        if (session.choices.workload.name != preset) set_workload(session, find_preset(preset).spec);
        session.tab = tab;
        session.layer.whole = false;
        session.multiplication = {};
        if (pin) pinned(session) = pin;
    };
}

std::function<void(Shell&)> show_step(const char* preset, const char* method, std::size_t done, unsigned thread,
                                      const char* companion) {
    return [=](Shell& shell) {
        Session& session = shell.session();
        session.choices.launch.clear();
        set_workload(session, find_preset(preset).spec);
        choose_method(session, method);
        compare_steps_with(session, companion);
        session.step.marks = {};
        session.line.at.reset();
        for (StepSide& side : session.step.sides) {
            side.done = done;
            side.thread = thread;
        }
        session.view = "step";
    };
}

std::vector<Scene> tour_scenes(const Registry& registry) {
    SceneList list;
    add_layout_scenes(list);
    add_compare_scenes(list);
    add_sweep_scenes(list, registry);
    add_network_scenes(list);
    add_launch_scenes(list, registry);
    add_step_scenes(list);
    add_kernel_scenes(list);
    add_lesson_scenes(list, registry);
    add_overlay_scenes(list);
    return std::move(list.scenes);
}

}  // namespace convscope::app
