#include "app/session/pin.h"

namespace convscope::app {

void pin(Session& session, const std::optional<ElementRef>& element) {
    const std::optional<ElementRef> before = pinned(session);
    if (element == before) return;
    const auto on_every_page = [](const std::optional<ElementRef>& each) {
        return each && (each->array == ArrayId::x || each->array == ArrayId::w);
    };
    for (std::optional<ElementRef>& each : session.pinned)
        if (on_every_page(element) || (!element && on_every_page(before) && each == before)) each = element;
    pinned(session) = element;
}

}  // namespace convscope::app
