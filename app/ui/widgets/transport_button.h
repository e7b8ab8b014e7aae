// The buttons that step through a run, and the scale of its steps: drawn, as those of a recorder, and the same in every
// view.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "app/session/layout_extras.h"

namespace convscope::app {

enum class TransportIcon { first, previous_barrier, back, play, pause, forward, next_barrier, last };

inline constexpr float transport_size = 28;  ///< its edge at scale 1

/// 'accent' for the one that matters most, 'size' at scale 1. True when it was pressed; the next item stands next to
/// it.
bool transport_button(const char* item_name, TransportIcon, bool accent = false, bool enabled = true,
                      float size = transport_size);

/// Back, play or pause, forward: the same wherever something is gone through by itself.
struct PlayButtons {
    std::string page;    ///< whose they are: "solutions/back", ...
    const char* each;    ///< that they go through: "product"
    const char* played;  ///< what playing does, as a sentence without its end
    bool has_back = true, has_forward = true;
    float size = transport_size;
    static constexpr float gap = 4;  ///< between two, at scale 1
    float width() const { return 3 * size + 2 * gap; }
};
/// Returns the pressed button. The next item is on the same line.
std::optional<PlayMove> play_buttons(const PlayButtons&, bool playing);
/// A thin line of 'last' steps with a knob at 'done', which is dragged. True when it was moved.
bool transport_scale(const char* item_name, const char* label, float width, std::size_t last, std::size_t& done);

}  // namespace convscope::app
