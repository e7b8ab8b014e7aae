#include "app/session/session_state.h"

namespace convscope::app {

SessionState state_of(const Session& session) {
    SessionState state{
        session.choices,    session.view,           session.tab,        session.layer,      session.pinned,
        session.step.sides, session.step.companion, session.step.slice, session.step.speed, session.step.marks,
        session.compare,    session.records,        session.network,    session.sweep,      session.pages,
        session.kernel};
    if (!session.rejection.empty() && !session.needs_consent) state.choices.workload = session.good;
    state.layer.requested.reset();
    state.sweep.state = SweepState::idle;
    state.sweep.requested.reset();
    state.sweep.open_in_compare = false;
    state.kernel.runs = 0;
    return state;
}

void put_state(Session& session, const SessionState& state) {
    restore(session, state.choices);  // another workload begins its steps again: they come after it
    session.view = state.view;
    session.tab = state.tab;
    session.layer = state.layer;
    session.pinned = state.pinned;
    session.step.sides = state.step_sides;
    session.step.companion = state.step_companion;
    session.step.slice = state.step_slice;
    session.step.speed = state.step_speed;
    session.step.marks = state.step_marks;
    session.step.playing = false;
    session.step.requested.reset();
    session.compare = state.compare;
    session.records = state.records;
    session.network = state.network;
    const SweepState run = session.sweep.state;
    session.sweep = state.sweep;
    session.sweep.state = run;
    session.pages = state.pages;
    const std::uint64_t runs = session.kernel.runs;
    session.kernel = state.kernel;
    session.kernel.runs = runs;
    session.extras.playing = false;
}

}  // namespace convscope::app
