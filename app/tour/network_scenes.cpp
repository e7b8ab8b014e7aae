#include "app/tour/scenes.h"

namespace convscope::app {

void add_network_scenes(SceneList& list) {
    list.add("network-to-run", [](Shell& shell) { shell.session().view = "network"; });
    list.add(
        "network",
        [](Shell& shell) {
            shell.session().view = "network";
            shell.session().network.name = "alexnet";
            shell.session().network.timeout_s = 0.3;
            shell.live().start_network(shell.session());
        },
        true);
}

}  // namespace convscope::app
