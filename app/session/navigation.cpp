#include "app/session/navigation.h"

#include <fmt/format.h>

#include <tuple>

namespace convscope::app {

Whereabouts whereabouts(const Session& session) {
    return {session.view, session.tab, session.layer.whole, session.compare.page, session.sweep.pane};
}

namespace {

void go_to(SessionState& state, const Whereabouts& to) {
    std::tie(state.view, state.tab, state.layer.whole, state.compare.page, state.sweep.pane) =
        std::tie(to.view, to.tab, to.whole, to.page, to.pane);
}

}  // namespace

SessionState moved(SessionState state, const Whereabouts& to) {
    go_to(state, to);
    return state;
}

void Navigation::observe(const Session& session) {
    const Whereabouts now = whereabouts(session);
    if (here_ && *here_ != now) {
        back_.push_back(*here_);
        if (back_.size() > max_remembered) back_.erase(back_.begin());
        forward_.clear();
    }
    here_ = now;
}

bool Navigation::back(Session& session) {
    return go(session, back_, forward_);
}

bool Navigation::forward(Session& session) {
    return go(session, forward_, back_);
}

bool Navigation::go(Session& session, std::vector<Whereabouts>& from, std::vector<Whereabouts>& to) {
    observe(session);
    if (from.empty()) return false;
    to.push_back(*here_);
    here_ = from.back();
    from.pop_back();
    go_to(session, *here_);
    return true;
}

std::string Navigation::words(const std::vector<Whereabouts>& stack) {
    if (stack.empty()) return {};
    const Whereabouts& to = stack.back();
    if (to.view == "layout") return fmt::format("{}, {}", to.view->name, to.tab->name);
    if (to.view == "compare") return fmt::format("{}, {}", to.view->name, to.page->name);
    return to.view->name;
}

}  // namespace convscope::app
