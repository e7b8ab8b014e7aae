// Compares a LayoutBuilder's output, one map or the images of whole layers, with the host's: for the simulated GPU and
// a real one.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "kernels/layers/layer_writer.h"
#include "tests/support/random_shapes.h"

namespace convscope::testing {

using Words = std::vector<std::uint32_t>;  // elements as bits: 'empty' is a NaN, which equals nothing

/// Memory for x, w and the arrays of a format.
std::vector<Words> layout_memory(Format, const ConvShape&);

/// The same, as the builder writes them into the host's memory.
std::vector<Words> built_layout(LayoutBuilder&, Format, const Workload&);

/// Fails the test where what a builder wrote differs from the host's: in any bit of the formats, beyond rounding in
/// what was multiplied (the host's builder works in double).
void compare_layout(Format, const Workload&, const std::vector<Words>& built);

std::vector<LayerArray> every_layer_array();

/// Has the writer write into memory of its builder, and brings what is there to 'out', which has the right size.
using LayerWrite = std::function<ValueRange(LayerWriter&, const std::vector<float>& input, Words& out)>;

/// Every image of a layer, whole and cut to 'cut' units of rows (at most all but one), against the host's: all arrays
/// to the bit but y, to rounding; and the range of the values. Fails the test where they differ.
void compare_layer(LayoutBuilder&, LayerArray, const Workload&, std::int64_t cut, const LayerWrite&);

/// Compares 'count' random shapes, cut anywhere. Returns how many of them have such an array; stops at the first
/// that differs.
int compare_layers(LayoutBuilder&, LayerArray, std::size_t count, const LayerWrite&);

}  // namespace convscope::testing
