#include "app/session/navigation.h"

#include <fmt/format.h>

namespace convscope::app {

Whereabouts whereabouts(const Session& session) {
    return {session.view, session.tab, session.layer.whole, session.compare.page, session.sweep.pane};
}

SessionState moved(SessionState state, const Whereabouts& to) {
    state.view = to.view;
    state.tab = to.tab;
    state.layer.whole = to.whole;
    state.compare.page = to.page;
    state.sweep.pane = to.pane;
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
    session.view = here_->view;
    session.tab = here_->tab;
    session.layer.whole = here_->whole;
    session.compare.page = here_->page;
    session.sweep.pane = here_->pane;
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
