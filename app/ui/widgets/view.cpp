#include "app/ui/widgets/view.h"

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
    keep_scene(frame.session, plain_words(frame.view().lead(frame).text()));
}

}  // namespace convscope::app
