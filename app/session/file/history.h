// Undo and redo by keeping copies of the session's state: they are small, and nothing can be forgotten. Which view and
// page is shown is not among it: that has a way back of its own (navigation.h).
#pragma once

#include <string>
#include <vector>

#include "app/session/session.h"

namespace convscope::app {

class History {
public:
    /// Called at the beginning and at the end of a frame. Remembers a change when it is complete: not while a gesture
    /// is under way ('editing': a field is typed in, a slider dragged, the wheel turned, an arrow key held), and a
    /// workload not while it cannot be. All of one gesture is one step.
    /// A change without any action of the user since the last step belongs to that step, such as the first view of a
    /// layer once it is built.
    void observe(const Session& session, bool editing);
    /// A key or a button went down, the wheel turned, a file was dropped.
    void note_input() { acted_ = true; }
    /// Both take a change that is under way as complete. False when there is nothing to go to.
    bool undo(Session&);
    bool redo(Session&);

    /// "zeros 60 % -> 80 %": what undo would take back, and redo do again; empty when there is nothing.
    std::string undo_words() const;
    std::string redo_words() const;
    std::size_t steps() const { return past_.size(); }  ///< that are remembered, with the present

private:
    static constexpr std::size_t most = 200;

    SessionState remembered(const Session&) const;
    static void put(Session&, const SessionState&);
    void bring_back(Session&);

    std::vector<SessionState> past_, future_;  ///< past_.back() is the present
    bool acted_ = false;                       ///< the user, since the last step
};

}  // namespace convscope::app
