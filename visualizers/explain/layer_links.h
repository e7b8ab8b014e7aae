// The links of an element of a whole layer's arrays: the input element behind it, and every place that this input was
// copied to. No OpenGL, no ImGui.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "kernels/layers/layer_layout.h"
#include "visualizers/explain/element.h"

namespace convscope {

/// An element of x [n][c][h][w].
struct InputElement {
    std::int64_t n = 0, c = 0, h = 0, w = 0;
    bool operator==(const InputElement&) const = default;
};

/// Row and column of the whole array, all images. Nothing for padding, unused slots, and arrays that hold no input: w,
/// y, Ptr and Count. An element of K_index or Index stands for the input that its weight meets.
std::optional<InputElement> input_behind(LayerArray, const Workload&, std::int64_t row, std::int64_t col);

/// Every place of the input in the array, by rows: in im2col one for each window over it, in L one for each output
/// column whose strip it is in, in the sparse formats as many as in im2col if it is not zero (and in PECR's again for
/// each pooling window that shares the window). None in arrays that hold no input.
std::vector<Cell> copies_of(const InputElement&, LayerArray, const Workload&);

/// "x[0, 2, 31, 40] = 0.5: 9 copies in im2col, 3 in L, 9 in F_data".
/// 'first_channel': of the workload in its layer, where it is one group of it.
std::string describe_copies(const InputElement&, const Workload&, std::int64_t first_channel = 0);

}  // namespace convscope
