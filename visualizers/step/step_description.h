// Describes a step of a replay. No ImGui.
#pragma once

#include <cstddef>
#include <string>

#include "visualizers/step/traced_block.h"

namespace convscope {

/// "T2": threads are counted from 1, as in the papers' figures.
std::string thread_name(unsigned thread);
/// "T1", "T1 and T3", "T1, T2 and T4", "T1 to T8", "9 threads from T1 to T16".
std::string thread_names(const std::vector<unsigned>& threads);
/// "B2" in a grid of one row, "B(1,0,2)" otherwise: from 1, and from 0.
std::string block_name(const Dim3& block, const Dim3& grid);

/// One sentence on the step that ends 'done' steps, from the chosen thread's side where it takes part:
/// "T2 reads x[1,3] = 23 from global memory: sector 2 of line 0." Says where a replay begins and ends too.
std::string words_of_moment(const TracedBlock&, std::size_t done, unsigned thread);

/// The thread of a finding's side, in its block.
unsigned thread_of(const TracedBlock&, const simt::Side&);

enum class LaneState { active, waiting, finished, elsewhere, absent };
/// A lane's state while its warp executes the step that ends 'done' steps: elsewhere is on another branch, absent
/// beyond the end of the block.
LaneState lane_state(TracedBlock&, std::size_t done, unsigned thread);
/// "on another branch", for a tooltip; empty for active.
const char* reason_of(LaneState);

}  // namespace convscope
