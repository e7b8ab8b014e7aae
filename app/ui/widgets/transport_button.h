// The buttons that step through a run: drawn, as those of a recorder, and the same in every view.
#pragma once

namespace convscope::app {

enum class TransportIcon { first, previous_barrier, back, play, pause, forward, next_barrier, last };

inline constexpr float transport_size = 28;  ///< its edge at scale 1

/// 'accent' for the one that matters most. True when it was pressed; the next item stands beside it.
bool transport_button(const char* item_name, TransportIcon, bool accent = false, bool enabled = true);

}  // namespace convscope::app
