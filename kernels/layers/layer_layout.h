// The arrays of a whole layer, all channels and all images, as the methods hold them; and the part of one that fits a
// memory budget. kernels/layers/layer_writer.h writes them, image by image.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "kernels/layers/layout_builder.h"
#include "kernels/layers/workload.h"

namespace convscope {

/// x: the maps of each image as a mosaic, [n][down h][across w] (ChannelGrid). w: KCRS as rows [k][c r s]. The lowered
/// arrays have their own order: im2col [n p q][r s c], L [n q][padded_h s c], F_data and K_index [n p q][c r s], Ptr [n
/// p][q], Data and Index [n out_h out_w][pool_h pool_w c r s], Count [n out_h out_w][pool_h pool_w], y NHWC as rows [n
/// p q][k].
enum class LayerArray { x, w, im2col, L, F_data, K_index, Ptr, Data, Index, Count, y };
constexpr int layer_array_count = 11;
const char* to_string(LayerArray);

/// How the maps of x stand side by side: channel by channel, row by row, without a gap, and as near to a square as the
/// number of channels can be divided.
struct ChannelGrid {
    std::int64_t down = 1, across = 1;
};
ChannelGrid channel_grid(std::int64_t channels);

struct LayerArraySpec {
    LayerArray array = LayerArray::x;
    std::string meaning;    ///< one sentence
    std::string row_shape;  ///< "n p q": what a row's number is made of
    std::string col_shape;  ///< "r s c"
    Element element = Element::f32;
    std::int64_t images = 1;          ///< n; 1 for what every image shares
    std::int64_t rows_per_image = 0;  ///< rows of the array are images * rows_per_image
    std::int64_t cols = 0;
    std::int64_t rows_per_unit = 1;  ///< rows that belong together: an output row, a row of maps; never cut
    std::int64_t cols_per_map = 0;   ///< of a mosaic, whose maps have rows_per_unit rows; 0: not a mosaic
    bool empty_slots = false;        ///< all bits set is an unused slot
    bool zero_is_a_value = false;

    std::int64_t rows() const { return images * rows_per_image; }
    std::int64_t elements() const { return rows() * cols; }
    std::int64_t bytes() const { return 4 * elements(); }
};

/// Throws Error(usage) for PECR's arrays without a pooling layer, and for shapes that validate() rejects.
LayerArraySpec layer_array(LayerArray, const ConvShape&);
/// The arrays of a format, the most informative first; then x, and with im2col w and y.
std::vector<LayerArray> layer_arrays(Format);

/// The shown part of an array: whole images, or the first rows of one image.
struct LayerPart {
    std::int64_t first_image = 0, images = 1;
    std::int64_t rows_per_image = 0;  ///< less than the array's only where one image alone is over the budget
    std::int64_t rows() const { return images * rows_per_image; }
    bool operator==(const LayerPart&) const = default;
};

/// The part's first row in the whole array.
std::int64_t first_row(const LayerArraySpec&, const LayerPart&);

/// The page of images that 'image' is on, as many as 'budget_bytes' holds; at least one unit of one image.
LayerPart part_that_fits(const LayerArraySpec&, std::int64_t image, std::int64_t budget_bytes);
/// Names the left-out part and the reason; empty when nothing is left out: "Images 0-3 of 32: 512 MB hold 4 of them."
std::string part_words(const LayerArraySpec&, const LayerPart&, std::int64_t budget_bytes);

/// An element's origin: "image 1, output (4, 210), channel 2, filter (0, 2)". 'row' and 'col' count in the part.
std::string place_words(const LayerArraySpec&, const ConvShape&, const LayerPart&, std::int64_t row, std::int64_t col);

/// The first rows of one image, from the host layouts of the method families, as bit patterns. 'image' counts from the
/// layer's first. Throws OutOfMemory.
std::vector<std::uint32_t> build_layer_image(const LayerArraySpec&, const Workload&, std::int64_t image,
                                             std::int64_t rows);

}  // namespace convscope
