#include "app/session/method_choice.h"
#include "app/tour/scenes.h"
#include "kernels/layers/preset.h"

namespace convscope::app {

void add_overlay_scenes(SceneList& list) {
    list.add("help", [](Shell& shell) {
        choose_method(shell.session(), "");
        compare_steps_with(shell.session(), "");
        show_layout("examples/xu-fig4", TabId("ecr"))(shell);
        set_workload(shell.session(), find_preset("examples/xu-fig4").spec);
        shell.session().desktop_state.overlay = Overlay::help;
    });
    list.add("glossary", [](Shell& shell) { shell.session().desktop_state.overlay = Overlay::glossary; });
    list.add("palette", [](Shell& shell) { shell.session().desktop_state.overlay = Overlay::palette; });
    list.add("export", [](Shell& shell) { shell.session().desktop_state.overlay = Overlay::export_dialog; });
    const auto nothing_open = [](Shell& shell) { shell.session().desktop_state.overlay = Overlay::none; };
    list.add("session-menu", nothing_open, false, "toolbar/session");
    list.add("file-dialog", [](Shell& shell) {
        shell.dialogs().set_asking(Asking::builtin);
        shell.sessions().save_as();
    });
    list.add(
        "presets",
        [](Shell& shell) {
            shell.dialogs().cancel();
            shell.dialogs().set_asking(Asking::nobody);
        },
        false, "toolbar/preset");
    list.add("methods", nothing_open, false, "live/methods");
    list.add("presented", [](Shell& shell) {
        show_layout("examples/xu-fig4", TabId("ecr"), ElementRef{ArrayId::x, {1, 3}})(shell);
        shell.session().desktop_state.presenting = true;
    });
    list.add("presented-step", [](Shell& shell) {
        show_step("examples/xu-fig4", "ecr1", 22, 1)(shell);
        shell.session().desktop_state.presenting = true;
    });
    list.add("presented-compare", [](Shell& shell) {
        shell.session().view = "compare";
        shell.session().compare = {};
        shell.session().compare.layer = "xu2022/vgg19-conv13";
        shell.compare().open_recorded("xu2022-sparsity");
        shell.session().desktop_state.presenting = true;
    });
}

}  // namespace convscope::app
