// Everything in a session that changes a picture or a measurement, as one value: what undo brings back and what a
// session file holds. The appearance (theme, scale, widths) is not among it: it belongs to the desk, not to the work.
#pragma once

#include <array>
#include <optional>
#include <string>

#include "app/session/session.h"

namespace convscope::app {

struct SessionState {
    Choices choices;  ///< its workload can be: an impossible one is never kept
    ViewId view = "layout";
    TabId tab = "ecr";
    LayerChoice layer;  ///< without a move that is requested
    std::array<std::optional<ElementRef>, TabId::count> pinned;
    std::array<StepSide, 2> step_sides;
    std::string step_companion;
    bool step_slice = false;
    double step_speed = 4;
    StepMarks step_marks;
    CompareChoice compare;
    RecordSource records;
    NetworkChoice network;
    SweepChoice sweep;    ///< without what its run is at
    PageChoice pages;     ///< of the Layout view
    KernelChoice kernel;  ///< without how often it was run
    bool operator==(const SessionState&) const = default;
};

/// The session's state; while its workload is rejected, with the last one that can be.
SessionState state_of(const Session&);
/// Puts a state into a session. The appearance, notices and open dialogs stay.
void put_state(Session&, const SessionState&);

}  // namespace convscope::app
