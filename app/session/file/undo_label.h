// Labels the change between two states of a session, short enough for a button or a list.
#pragma once

#include <string>

#include "app/session/session.h"

namespace convscope::app {

/// "zeros 60 % -> 80 %"; of several changes, the one that the rest follow from, or the first "and 2 more". Empty
/// when nothing changed.
std::string undo_label(const SessionState& before, const SessionState& after);

}  // namespace convscope::app
