#include "app/session/open_kernel.h"

#include <tuple>
#include <utility>

#include "app/session/session.h"

namespace convscope::app {

void follow_open_kernel(Session& session) {
    const KernelChoice& choice = session.kernel;
    if (choice.file.empty()) {
        session.open_kernel = {};
        return;
    }
    std::error_code none;
    OpenKernel now{choice.file + (choice.entry.empty() ? "" : ":" + choice.entry),
                   std::filesystem::last_write_time(choice.file, none),
                   session.good.shape,
                   !choice.given.empty(),
                   may_compile(session),
                   {}};
    const auto key = [](const OpenKernel& of) { return std::tie(of.file, of.saved, of.typed, of.trusted); };
    if (key(now) == key(session.open_kernel)) {
        if (session.open_kernel.layer == now.layer) return;
        session.open_kernel.layer = now.layer;
        return set_layer(session.open_kernel.kernel, now.layer);
    }
    if (now.trusted) {
        now.kernel = sweepable_kernel(now.file, now.layer);
    } else {
        now.kernel.id = "own/" + std::filesystem::path(choice.file).stem().string();
        now.kernel.reason = untrusted_kernel(choice.file);
    }
    if (now.typed && now.kernel.reason.empty())
        now.kernel.reason =
            "what it is called with is typed in the Kernel view; a sweep reads the comment that 'Write it into the "
            "file' makes of it";
    session.open_kernel = std::move(now);
}

}  // namespace convscope::app
