// Plays the multiplications behind y, one element after the other: the buttons and keys, and when the next one comes.
#pragma once

#include <optional>

#include "app/ui/widgets/frame.h"
#include "visualizers/layouts/layout_views.h"

namespace convscope::app {

class MultiplicationPlayer {
public:
    /// Whether the page shows x, w and y of one map, with nothing hidden by a lesson.
    static bool available(const Frame&);
    /// The buttons, at the cursor; their width in px, with the gap behind them.
    static void draw(Frame&);
    static float width();
    /// Before the view is drawn: takes what was requested and the arrows, which are then no one else's. Playing begins
    /// at 'first'; 'has_keys': the keyboard is the view's.
    void update(Frame&, const Cell& first, bool has_keys);
    /// After it: goes on to the next element when this one has been shown.
    void advance(Frame&, const LayoutViewResult&);

private:
    /// The page and the output that is played: playing ends when either changes.
    struct Stage {
        TabId tab;
        Cell last;  ///< element of y
        bool operator==(const Stage&) const = default;
    };
    std::optional<Stage> shown_;
    double seconds_ = 0, course_ = 0;  ///< of the multiplication that is shown
};

}  // namespace convscope::app
