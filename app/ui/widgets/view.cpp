#include "app/ui/widgets/view.h"

#include <fmt/format.h>

#include "visualizers/explain/math_text.h"

namespace convscope::app {

RunButton View::run_button(const Frame& frame) const {
    if (device_kind(frame.session, frame.registry) == DeviceKind::sim)
        return {false, "Count what the ticked methods do on this layer; the simulated GPU has no clock (Space)"};
    return {false, "Measure the ticked methods on this layer, against the vendor's best (Space)"};
}

void View::run_or_stop(Frame& frame) {
    if (frame.live.wanted() || frame.live.network_wanted())
        frame.live.stop();
    else
        frame.live.start(frame.session);
}

void keep_scene(Frame& frame) {
    Session& session = frame.session;
    if (std::string reason = why_no_new_scene(session); !reason.empty())
        return notify(session, std::move(reason), true);
    keep_scene(session, plain_words(frame.view().lead(frame).text()));
    // A slide shows its number itself.
    if (!session.desktop_state.presenting)
        notify(session, fmt::format("Kept as scene {} of {}. PgUp and PgDn go through them.", *session.scene + 1,
                                    session.scenes.size()));
}

}  // namespace convscope::app
