#include "app/cli/window.h"

#include "app/desktop/start_times.h"
#include "kernels/core/error.h"

namespace convscope::cli {

#ifdef CONVSCOPE_HAVE_WINDOW

int open_app(const AppOptions& options) {
    app::note_start("libraries and arguments");
    const auto registry = make_registry();
    app::note_start("methods and devices");
    return run_app(*registry, options);
}

int take_tour(const TourOptions& options) {
    const auto registry = make_registry();
    return run_tour(*registry, options);
}

#else

namespace {

[[noreturn]] void reject() {
    throw Error(ErrorKind::failed,
                "this build has no window (it was configured with CONVSCOPE_APP=OFF); see convscope --help for what "
                "the command line offers");
}

}  // namespace

int open_app(const AppOptions&) {
    reject();
}

int take_tour(const TourOptions&) {
    reject();
}

#endif

}  // namespace convscope::cli
