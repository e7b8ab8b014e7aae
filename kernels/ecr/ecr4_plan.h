// ecr4's and pecr4's planner: from a shape to tile, warps, chunks and slices. It knows the shape only, not the zeros.
#pragma once

#include <vector>

#include "kernels/core/device_model.h"
#include "kernels/core/launch.h"
#include "kernels/ecr/ecr4_tiling.h"
#include "kernels/layers/conv_shape.h"

namespace convscope {

/// The user's choice (the tunables by these names), or the planner's.
struct Ecr4Choice {
    bool rows = false;  ///< ecr4_rows instead of ecr4; all but split_k and chunk is then the kernel's own
    /// ecr4_staged instead of ecr4: blocks of tile_h whole rows, a warp to each tile_w windows of them;
    /// filters_per_lane is 1 or 2, what remains is the kernel's own.
    bool staged = false;
    std::int64_t tile_h = 1, tile_w = 1;  ///< windows of a block
    std::int64_t filters_per_lane = 4;    ///< V G of the kernel: 1, 2, 4, 8, 16
    std::int64_t windows_per_warp = 1;    ///< M of the kernel: 1, 2
    std::int64_t channel_warps = 1;       ///< warps that share a window's channels
    std::int64_t split_k = 1;             ///< blocks that share a tile's channels
    std::int64_t chunk = 2048;            ///< channels that a block takes at a time, at most
};

constexpr std::int64_t ecr4_max_warps = 25;  ///< of a block: what its registers allow

Ecr4Choice ecr4_default(const ConvShape&);
std::vector<Tunable> ecr4_tunables(const ConvShape&);
/// Where the default does not fit the device's shared memory, ecr4's lists take its place.
Ecr4Choice ecr4_choice(const ConvShape&, const LaunchConfig&, const DeviceModel&);

const char* ecr4_kernel_name(const Ecr4Choice&);  ///< "ecr4", "ecr4_rows" or "ecr4_staged"
/// Floats from one row of the prepared weights [c r s] to the next: k rounded up to what a warp loads at once.
std::int64_t ecr4_leading(const ConvShape&);
/// Filters that a lane loads at once: 1, 2 or 4, no more than k needs.
std::int64_t ecr4_vector(const ConvShape&);
/// Bytes of the partial sums [slices][n p q][leading].
std::int64_t ecr4_partial_bytes(const ConvShape&, std::int64_t slices);

/// Whether sums are written for ecr4_sum instead of to y: 'pools' says that it pools as well.
bool ecr4_partial(const ConvShape&, const Ecr4Choice&, bool pools);
Ecr4Tiling ecr4_tiling(const ConvShape&, const Ecr4Choice&, bool partial);
/// The launch of ecr4, and of ecr4_sum where the sums are partial; or why the choice is invalid.
ResolvedLaunch ecr4_launches(const ConvShape&, const Ecr4Choice&, bool pools);

}  // namespace convscope
