#include "app/session/session_state.h"

#include <filesystem>

#include "app/session/session.h"

namespace convscope::app {

SessionState state_of(const Session& session) {
    SessionState state = session;
    if (!session.rejection.empty() && !session.needs_consent) state.choices.workload = session.good;
    return state;
}

void put_state(Session& session, const SessionState& state) {
    restore(session, state.choices);  // another workload begins its steps again: they come after it
    const Choices restored = session.choices;
    static_cast<SessionState&>(session) = state;
    session.choices = restored;
    session.requested = {};
    session.plays_steps = session.plays_solution = false;
    session.multiplication = {};
}

std::string model_name(const NetworkChoice& choice) {
    return std::filesystem::path(choice.model).filename().string();
}

}  // namespace convscope::app
