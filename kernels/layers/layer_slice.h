// A slice of a layer: its whole map, but few of its channels and one filter. A block of the slice runs the same code as
// a block of the layer, in so few steps that all of them can be kept.
#pragma once

#include <vector>

#include "kernels/layers/workload.h"

namespace convscope {

/// The slices of a layer that are smaller than it, the largest first: one image with four channels or one, of one
/// group, and one filter.
std::vector<ConvShape> slices_of(const ConvShape&);

/// The values of a slice: the first image, the first channels and the first filter. Its name is "slice of NAME".
Workload slice_of(const Workload&, const ConvShape& slice);

}  // namespace convscope
