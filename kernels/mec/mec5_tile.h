// Defines the tiles of mec5, mec6 and mec7, for their kernel and for planning its launch.
#pragma once

namespace convscope {

constexpr int mec5_tile_k = 32;          ///< of a partition's columns: 128 bytes, a row of the tensor cores' operands
constexpr int mec5_fetching = 128;       ///< threads that fetch: a warpgroup
constexpr int mec5_multiplying = 256;    ///< and two warpgroups that multiply
constexpr int mec5_alignment = 1024;     ///< bytes after which the swizzle repeats
constexpr int mec5_filter_pitch = 128;   ///< filters of a K tile in the prepared weights are a multiple
constexpr int mec5_partial_padding = 8;  ///< floats after a row of partial sums: rows then begin in different banks
constexpr int mec5_shared_bytes = 227 * 1024;  ///< of a block, on every GPU of compute capability 9.0

/// The values of a launch that follow from the shape and the tile. An output is one of n p q, in y's order. Its row of
/// the GEMM is a run of r s c floats of its partition of L; a K tile is 32 floats of that.
struct Mec5Tiling {
    int outputs;             ///< n p q
    int columns;             ///< r s c
    int k_tiles;             ///< ceil(columns / 32)
    int filter_groups;       ///< ceil(k / filters)
    int tiles;               ///< of all outputs and filter groups
    int leading;             ///< filters of a K tile in the prepared weights
    int promotion_interval;  ///< K tiles after which the tensor cores' sums are added to the totals
    bool lowered;            ///< the rows come from L, not from x
    bool both_residuals;     ///< with a split: the product of both residuals counts, too
};

/// A block's tile: Outputs x Filters, Outputs / 128 operands of 64 rows for each of two warpgroups. Split: FP32 from
/// three products in TF32; else TF32. A stage of its ring in shared memory is a K tile: outputs[32], and filters[32]
/// once or, split, twice.
template <int Outputs, int Filters, bool Split>
struct Mec5TileSizes {
    static constexpr int outputs = Outputs, filters = Filters, factors = Outputs / 128;
    static constexpr bool split = Split;
    static constexpr int planes = Split ? 2 : 1;  ///< of weights: high parts and residuals
    static constexpr int row_bytes = mec5_tile_k * 4;
    static constexpr int input_bytes = Outputs * row_bytes, weight_plane = Filters * row_bytes;
    static constexpr int stage_bytes = input_bytes + planes * weight_plane;
    static constexpr int partial_pitch = Filters + mec5_partial_padding;

    static constexpr int row_entry = 16, mbarriers = 2 * 8, max_stages = 6;
    static constexpr int others = mec5_alignment + Outputs * row_entry;
    static constexpr int room = (mec5_shared_bytes - others) / (stage_bytes + mbarriers);
    static constexpr int stages = room < max_stages ? room : max_stages;
    static constexpr int shared_bytes = others + stages * (stage_bytes + mbarriers);
    static_assert(stages >= 3);
    static_assert(stages * stage_bytes >= Outputs * partial_pitch * 4, "a cluster's partial sums take the ring");
};

}  // namespace convscope
