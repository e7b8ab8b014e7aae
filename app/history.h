// Undo and redo by keeping copies of the choices: they are small, and nothing can be forgotten.
#pragma once

#include <vector>

#include "app/session.h"

namespace convscope::app {

class History {
public:
    /// Called once a frame. Remembers a change when it is complete: while a field is being typed or dragged
    /// ('editing'), and while it holds an impossible value, it is not.
    void observe(const Session& session, bool editing) {
        if (past_.empty()) past_.push_back(session.choices);
        if (editing || !session.refusal.empty() || session.choices == past_.back()) return;
        past_.push_back(session.choices);
        future_.clear();
        if (past_.size() > most) past_.erase(past_.begin());
    }
    bool undo(Session& session) {
        // An impossible value was not remembered, unless only building the layer found that it cannot be.
        if (!session.refusal.empty() && !past_.empty() && session.choices != past_.back()) {
            restore(session, past_.back());
            return true;
        }
        if (past_.size() < 2) return false;
        future_.push_back(past_.back());
        past_.pop_back();
        restore(session, past_.back());
        return true;
    }
    bool redo(Session& session) {
        if (future_.empty()) return false;
        past_.push_back(future_.back());
        future_.pop_back();
        restore(session, past_.back());
        return true;
    }

private:
    static constexpr std::size_t most = 200;
    std::vector<Choices> past_, future_;  ///< past_.back() is the present
};

}  // namespace convscope::app
