// The line below the tabs of the layouts: what the colours of names stand for, and which layout is the second.
#pragma once

#include <optional>

#include "app/ui/layout_view/map_selector.h"
#include "app/ui/widgets/frame.h"

namespace convscope::app {

class LayoutBar {
public:
    /// 'selector': of the map that is shown, where it is drawn here; null where it is not. Draws nothing where there
    /// is nothing to draw. 'taken': width at the left where something stands already.
    void draw(Frame&, MapSelector* selector, float taken);
    /// The width of the controls at its right.
    static float width(const Frame&, bool with_selector);
    /// The second layout that can be shown next to the present page; none where none was chosen, or this one cannot be.
    static std::optional<Format> companion(const Frame&);

private:
    void legend(Frame&, float right);
    void choose(Frame&);
};

}  // namespace convscope::app
