// The user's place in the app: the view, and its page. Undo leaves it alone; a separate way back restores it.
#pragma once

#include <string>
#include <vector>

#include "app/session/session.h"

namespace convscope::app {

struct Whereabouts {
    ViewId view = "layout";
    TabId tab = "ecr";
    bool whole = false;  ///< the whole layer instead of one map
    ComparePage page = "lines";
    SweepPane pane = SweepPane::all;
    bool operator==(const Whereabouts&) const = default;
};

Whereabouts whereabouts(const Session&);
/// The same state elsewhere.
SessionState moved(SessionState, const Whereabouts&);

class Navigation {
public:
    /// Once a frame: remembers where the user was before.
    void observe(const Session&);
    /// False when there is nowhere to go.
    bool back(Session&);
    bool forward(Session&);
    /// "Compare, Roofline": where that leads; empty when it leads nowhere.
    std::string back_words() const { return words(back_); }
    std::string forward_words() const { return words(forward_); }

private:
    static constexpr std::size_t max_remembered = 100;

    static std::string words(const std::vector<Whereabouts>& stack);
    bool go(Session&, std::vector<Whereabouts>& from, std::vector<Whereabouts>& to);

    std::optional<Whereabouts> here_;
    std::vector<Whereabouts> back_, forward_;
};

}  // namespace convscope::app
