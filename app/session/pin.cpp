#include "app/session/pin.h"

namespace convscope::app {

void pin(Session& session, const std::optional<ElementRef>& element) {
    const std::optional<ElementRef> before = pinned(session);
    if (element == before) return;
    const auto of_input = [](const std::optional<ElementRef>& each) { return each && each->array == ArrayId::x; };
    for (std::optional<ElementRef>& each : session.pinned)
        if (of_input(element) || (!element && of_input(before) && each == before)) each = element;
    pinned(session) = element;
}

}  // namespace convscope::app
