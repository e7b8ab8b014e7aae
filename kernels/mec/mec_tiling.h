// The plan's values that the kernels of mec3 and mec4 take.
#pragma once

namespace convscope {

/// A thread of mec3_lower has as many copies under way at once.
constexpr int mec3_copies_per_thread = 8, mec3_lower_threads = 256;

/// A block computes, for some filters, 'rows' output rows of 'strips' neighbouring strips (n, q): rows of L. It goes
/// along the columns of a strip, s c floats wide, in slices of 'depth' floats, and for each slice along the filter's
/// rows, 'filter_rows' at a time. A stage is what it holds in shared memory at once: (rows - 1) stride_h + filter_rows
/// rows of each strip's slice, and the weights that meet them.
struct MecTiling {
    int strips = 0, rows = 0;
    int depth = 0, depth_bits = 0;  ///< 4, 8 or 16 floats, and its logarithm
    int filter_rows = 0;
    int strip_rows = 0;  ///< (rows - 1) stride_h + filter_rows
    int pitch = 0;       ///< floats between strips in shared memory: an odd number of float4
    int row_groups = 0;  ///< ceil(p / rows)
    int filter_groups = 0;
    int stages = 0;      ///< ceil(s c / depth) ceil(r / filter_rows)
    int set_floats = 0;  ///< of one stage: strips, then weights
};

}  // namespace convscope
