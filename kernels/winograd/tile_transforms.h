// The transforms of one tile, all channels at once, compiled for several instruction sets.
#pragma once

#include <cstdint>

#include "kernels/cpu/gemm_tile.h"

namespace convscope {

/// Channels (or filters) lie side by side: 'd' and 'y' point to runs of them, one for each element of the tile and of
/// its piece of the output, row by row; element e of V or M begins at v + e * plane.
struct TileTransforms {
    void (*data)(const float* const* d, float* v, std::int64_t plane, std::int64_t channels);
    void (*inverse)(const float* m, std::int64_t plane, float* const* y, std::int64_t filters);
};

const TileTransforms& tile_transforms(Isa);

}  // namespace convscope
