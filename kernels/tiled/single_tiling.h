// The plan's values that the kernel of tiled-single takes.
#pragma once

namespace convscope {

/// A block holds 'filters' filters and the input of 'rows' output rows. One of the two stays (the filters when
/// by_filters), the other comes in slices.
struct SingleTiling {
    bool by_filters = false;
    int filters = 0, rows = 0;
    int slices = 0;           ///< of one part
    int buffers = 0;          ///< 2 where a block has several slices and fetches the next one ahead, else 1
    int window_pitch = 0;     ///< floats between filters in shared memory: r s, rounded up to whole float4
    int rows_per_thread = 0;  ///< 1, 2 or 4 output rows in registers
    int lanes = 0;            ///< threads side by side along the pixels; the block has groups of them along the filters
    int threads = 0;
};

}  // namespace convscope
