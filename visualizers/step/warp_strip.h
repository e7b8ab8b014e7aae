// The 32 lanes of a warp side by side, and under them what its memory request asked of the hardware: in both, a column
// for each of 32.
#pragma once

#include <optional>

#include <imgui.h>

#include "visualizers/step/step_arrays.h"
#include "visualizers/style/view_style.h"

namespace convscope {

/// Both draw into the present window, 'width' px wide from 'at'.
float lane_strip_height(const ViewStyle&);
/// The lanes of the warp that the present step belongs to: what each active one loaded, stored or computed, and why
/// the others are idle. Returns the thread whose lane was clicked.
std::optional<unsigned> draw_lane_strip(ImVec2 at, float width, TracedBlock&, const StepPoint&, const ViewStyle&);
/// The position of a lane in that strip; for pointing at it.
ImVec2 lane_centre(ImVec2 at, float width, unsigned lane, const ViewStyle&);

/// Room for the caption and so many lines or wavefronts.
float request_strip_height(int rows, const ViewStyle&);
/// The latest memory request: of global memory the 128-byte lines cut into sectors, those that move filled, the words
/// that lanes want in the lanes' colours; of shared memory the 32 banks, a row for each wavefront. Paler where the
/// present step itself touches no memory.
void draw_request_strip(ImVec2 at, float width, int rows, const TracedBlock&, const StepPoint&, const ViewStyle&);

}  // namespace convscope
