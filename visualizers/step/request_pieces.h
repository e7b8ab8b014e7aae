// A memory request taken apart: which sectors of which lines move for which lanes, and which banks serve them in which
// wavefront. No ImGui.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "kernels/simt/trace.h"

namespace convscope {

constexpr int lanes_of_a_warp = 32, words_of_a_line = 32, words_of_a_sector = 8;

/// 128 bytes of global memory as 32 words of 4 bytes.
struct LineUse {
    std::int64_t number = 0;         ///< of the line, from the one that the array's first element lies in
    std::uint32_t wanted = 0;        ///< a bit for each word that a lane touches
    std::uint32_t sectors = 0;       ///< a bit for each of the four sectors that move
    std::uint32_t lane_of[32] = {};  ///< for each wanted word the first lane that touches it
};

/// One pass over the 32 banks of shared memory.
struct Wavefront {
    std::uint32_t lanes_of[32] = {};  ///< for each bank the lanes that it serves, a bit each; 0: idle
    std::uint32_t banks() const;      ///< a bit for each bank that works
    bool conflict = false;            ///< it is there because a bank has to serve another word
};

/// The lines that a global request touches, ascending. 'lanes' are the events of one step.
std::vector<LineUse> lines_of_request(std::span<const simt::TraceEvent* const> lanes);
/// The wavefronts of a shared request, as BlockCost counts them.
std::vector<Wavefront> wavefronts_of_request(std::span<const simt::TraceEvent* const> lanes);
bool has_conflicts(std::span<const Wavefront>);

}  // namespace convscope
