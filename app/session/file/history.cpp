#include "app/session/file/history.h"

#include <utility>

#include "app/session/file/undo_label.h"
#include "app/session/navigation.h"

namespace convscope::app {

/// An impossible workload is not remembered: with it, only what else has changed.
SessionState History::remembered(const Session& session) const {
    SessionState state = moved(state_of(session), {});
    if (!session.rejection.empty() && !past_.empty()) {
        state.choices.workload = past_.back().choices.workload;
        state.choices.selection = past_.back().choices.selection;
    }
    return state;
}

/// The user's place in the app stays.
void History::put(Session& session, const SessionState& state) {
    const bool same_scenes = session.scenes == state.scenes;
    put_state(session, moved(state, whereabouts(session)));
    if (!same_scenes) find_shown_scene(session);
}

/// A session adapts values that it cannot take as they were: that is not a new step.
void History::bring_back(Session& session) {
    put(session, past_.back());
    past_.back() = moved(state_of(session), {});
    acted_ = false;
}

void History::observe(const Session& session, bool editing) {
    if (past_.empty()) past_.push_back(moved(state_of(session), {}));
    if (editing) return;
    SessionState state = remembered(session);
    if (state == past_.back()) return;
    if (!std::exchange(acted_, false)) {
        past_.back() = std::move(state);
        return;
    }
    past_.push_back(std::move(state));
    future_.clear();
    if (past_.size() > most) past_.erase(past_.begin());
}

bool History::undo(Session& session) {
    observe(session, false);
    // An impossible value was not remembered, unless only building the layer found that it cannot be.
    if (!session.rejection.empty() && session.choices.workload != past_.back().choices.workload) {
        put(session, past_.back());
        return true;
    }
    if (past_.size() < 2) return false;
    future_.push_back(past_.back());
    past_.pop_back();
    bring_back(session);
    return true;
}

bool History::redo(Session& session) {
    observe(session, false);
    if (future_.empty()) return false;
    past_.push_back(future_.back());
    future_.pop_back();
    bring_back(session);
    return true;
}

std::string History::undo_words() const {
    return past_.size() < 2 ? std::string() : undo_label(past_[past_.size() - 2], past_.back());
}

std::string History::redo_words() const {
    return future_.empty() ? std::string() : undo_label(past_.back(), future_.back());
}

}  // namespace convscope::app
