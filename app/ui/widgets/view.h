// A view: what fills the centre of the window while Session::view is its id. The shell holds one of each.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "app/session/view_id.h"
#include "app/ui/widgets/frame.h"
#include "visualizers/explain/lead.h"
#include "visualizers/plot_views/plot_view.h"
#include "visualizers/style/view_style.h"

namespace convscope::app {

/// Explains a view in a few sentences: the text of the help.
struct Explanation {
    const char *title, *text;
};

/// The Run button while no live timing runs.
struct RunButton {
    bool stops = false;  ///< pressing it stops the view's own run
    std::string meaning;
};

/// Something of a view that is opened by its name: a lesson.
struct PaletteItem {
    std::string kind, title, detail, reason;  ///< 'reason': why it cannot be opened; empty when it can
    std::function<void(Frame&)> open;
};

class View {
public:
    virtual ~View() = default;
    /// Into the window that the shell has begun for it.
    virtual void draw(Frame&, const ViewStyle&) = 0;
    /// The column on the right.
    virtual void inspect(Frame&) = 0;
    virtual Explanation explain(const Session&) const = 0;

    /// The sentence that it leads with, in the latest frame; empty: none.
    virtual Lead lead(const Frame&) const { return {}; }
    /// Whether the next frame would show something new without any event.
    virtual bool busy(const Session&) const { return false; }
    /// The status line: the view's progress, or the keys to press. Empty: nothing.
    virtual std::string status(const Frame&) const { return {}; }
    /// The entries that the view adds to the palette.
    virtual std::vector<PaletteItem> palette_items(const Frame&) { return {}; }
    /// The live timing, unless the view measures something of its own.
    virtual RunButton run_button(const Frame&) const;
    virtual void run_or_stop(Frame&);
    /// From step to step: on to the next barrier, or back to the one before.
    virtual void to_barrier(Frame&, bool /*next*/) {}
    /// Draws the layer that is being built: the shell says so while it takes long.
    virtual bool shows_layer() const { return false; }
    /// The part of the layer on screen, for the caption of its images: "ECR"; empty: none.
    virtual std::string held(const Frame&) const { return {}; }
    /// Works with the layer that the panel on the left has; else it folds away.
    virtual bool uses_layer() const { return true; }
    /// And with the device, method and launch configuration below it; else these are not there.
    virtual bool uses_launch() const { return true; }
    /// The width that it needs next to the panels on the left, at scale 1: where a window leaves it less, these fold.
    virtual float min_width() const { return 280; }
    /// The live timing stands below it.
    virtual bool has_live_panel() const { return false; }
    /// The status line is about the live timing.
    virtual bool status_shows_live() const { return has_live_panel(); }
};

/// Keeps the screen as a scene of the session, with the view's lead as its title.
void keep_scene(Frame&);

/// One for each row of view_table, in its order.
template <class... Each>
Views all_views(Each&... each) {
    static_assert(sizeof...(Each) == ViewId::count);
    return {&each...};
}

}  // namespace convscope::app
