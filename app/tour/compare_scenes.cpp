#include "app/tour/scenes.h"

namespace convscope::app {

void add_compare_scenes(SceneList& list) {
    const auto compare = [&list](const char* name, const char* session, ComparePage page, const char* scope = "",
                                 const char* layer = "") {
        list.add(name, [=](Shell& shell) {
            shell.session().view = "compare";
            shell.session().compare = {};
            shell.session().compare.page = page;
            shell.session().compare.scope = scope;
            shell.session().compare.layer = layer;
            shell.compare().open_recorded(session);
        });
    };
    compare("compare-setup", "xu2022-scopes", ComparePage("scopes"), "setup");
    compare("compare-kernel", "xu2022-scopes", ComparePage("scopes"), "kernel");
    compare("compare-lines", "xu2022-sparsity", ComparePage("lines"), "", "xu2022/vgg19-conv13");
    compare("compare-roofline", "vgg19-layers", ComparePage("roofline"));
    compare("compare-memory", "mec-cv-batch32", ComparePage("memory"));
    compare("compare-winners", "size-sparsity-map", ComparePage("winners"));
    compare("compare-layers", "vgg19-layers", ComparePage("winners"));
    compare("compare-theta", "xu2019-layers", ComparePage("theta"));
    compare("compare-table", "xu2022-layers", ComparePage("table"));
    // The same layers, methods and GPU in two sessions.
    list.add("compare-files", [](Shell& shell) {
        shell.session().view = "compare";
        shell.session().compare = {};
        shell.session().compare.page = "files";
        shell.compare().open_recorded("xu2022-scopes");
        shell.compare().open_recorded("xu2022-layers", true);
    });
}

}  // namespace convscope::app
