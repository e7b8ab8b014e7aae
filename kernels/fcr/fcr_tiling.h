// How fcr1 and fcr2 divide a fully connected layer among blocks: what the planner tells the kernels.
#pragma once

namespace convscope {

/// Inputs that a thread looks at before its block multiplies by what is left of them.
constexpr int fcr_inputs = 8;
constexpr int fcr_max_threads = 512;
constexpr int fcr_max_images = 4;
constexpr int fcr_max_cluster = 8;

struct FcrTiling {
    int inputs, outputs, images;
    int leading;   ///< weights from one input's row to the next: outputs, rounded up to what a thread loads
    int slices;    ///< blocks that share the inputs of a group of outputs
    int rounds;    ///< in which a block goes through its inputs
    int list;      ///< inputs of a round, at most
    bool cluster;  ///< the slices' blocks are a cluster, which adds its sums; else fcr_sum does
};

}  // namespace convscope
