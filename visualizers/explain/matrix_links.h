// The elements of x that the matrices of sparse formats are made of. No OpenGL, no ImGui.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "kernels/layers/format_matrix.h"
#include "visualizers/explain/layer_links.h"

namespace convscope {

/// The element of x at a place of the matrix of one image. Nothing in padding, and in w.
std::optional<InputElement> input_behind(MatrixOf, const ConvShape&, std::int64_t image, const FormatCell&);

/// Every place of the element in the matrix of one image, row by row: one in x, in im2col one for each window over it.
/// None in w, and where the element is of another image.
std::vector<FormatCell> copies_of(const InputElement&, MatrixOf, const ConvShape&, std::int64_t image);

}  // namespace convscope
