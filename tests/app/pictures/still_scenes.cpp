#include "tests/app/pictures/still_scenes.h"

#include <algorithm>

#include "tests/app/pictures/frozen_figures.h"

namespace convscope::app {
namespace {

/// These sweep: the plots that they come to are pictured from a recorded sweep. Or a compiler makes them, which may be
/// one or another.
constexpr const char* left_out[] = {
    "sweep",           "sweep-speedup", "sweep-launch",   "exercise-begun", "exercise-mistake",
    "exercise-solved", "kernel-race",   "kernel-program", "kernel-ptx",     "kernel-bank-conflicts"};

void freeze(Scene& scene, const Registry& registry) {
    scene.live = false;
    scene.prepare = [&registry, measure = scene.prepare](Shell& shell) {
        measure(shell);
        const bool network = shell.live().network_wanted();
        Session& session = shell.session();
        shell.live().show_frozen(session, network ? frozen_network(session, registry) : frozen_live(session, registry));
    };
}

}  // namespace

std::vector<Scene> still_scenes(const Registry& registry) {
    std::vector<Scene> scenes = tour_scenes(registry);
    std::erase_if(scenes, [](const Scene& scene) {
        return std::ranges::find(left_out, scene.name_without_number()) != std::end(left_out);
    });
    for (Scene& scene : scenes)
        if (scene.live) freeze(scene, registry);
    return scenes;
}

const std::vector<std::string>& machine_dependent_items() {
    static const std::vector<std::string> items{"status/machine"};
    return items;
}

}  // namespace convscope::app
