// The buttons that step through a run, and the scale of its steps: drawn, as those of a recorder, and the same in every
// view.
#pragma once

#include <cstddef>

namespace convscope::app {

enum class TransportIcon { first, previous_barrier, back, play, pause, forward, next_barrier, last };

inline constexpr float transport_size = 28;  ///< its edge at scale 1

/// 'accent' for the one that matters most. True when it was pressed; the next item stands beside it.
bool transport_button(const char* item_name, TransportIcon, bool accent = false, bool enabled = true);
/// A thin line of 'last' steps with a knob at 'done', which is dragged. True when it was moved.
bool transport_scale(const char* item_name, const char* label, float width, std::size_t last, std::size_t& done);

}  // namespace convscope::app
