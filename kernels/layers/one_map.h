// One channel of one image and one filter of a layer, as the papers draw it, and its work.
#pragma once

#include <cstdint>
#include <stop_token>
#include <vector>

#include "kernels/layers/conv_shape.h"
#include "kernels/layers/workload.h"

namespace convscope {

/// The layer's shape with n = c = k = 1: the same strides, padding, dilation and pooling.
ConvShape map_shape(const ConvShape&);

/// The first of the group_filters() filters that see a channel.
inline std::int64_t first_filter_of(const ConvShape& shape, std::int64_t channel) {
    return channel / shape.group_channels() * shape.group_filters();
}

/// The h x w elements at (outer, inner) of an NCHW or KCRS tensor, row-major.
std::vector<float> map_of(const Tensor&, std::int64_t outer, std::int64_t inner);

/// The r x s weights that 'filter' has for 'channel', which is of its group, row-major.
std::vector<float> weights_of(const Workload&, std::int64_t filter, std::int64_t channel);

/// Which map of a layer is shown, and which filter: one that sees the channel.
struct MapIndex {
    std::int64_t image = 0, channel = 0, filter = 0;
    bool operator==(const MapIndex&) const = default;
};

/// The nearest that the layer has.
MapIndex nearest_map(const MapIndex&, const ConvShape&);

/// The map of a layer to show first: the first one whose number of values is the average of its maps, give or take a
/// quarter; without any, the first that has more. So a dead channel is never shown first, nor one without zeros where
/// the layer has many.
MapIndex opening_map(const Workload&);

/// Multiplications and additions of one map and one filter, Xu 2019, Eqs. 1-2, and those left when zeros of the map are
/// skipped: one addition fewer than products in each window (slip 4 in the papers: these are of all block rows).
struct MapWork {
    std::int64_t dense_multiplications = 0, dense_additions = 0;
    std::int64_t needed_multiplications = 0, needed_additions = 0;
    double skipped() const;  ///< share of the multiplications, 0..1
};

/// 'x' is the map, h x w, row-major; the shape has one map and one filter. A stop request gives a partial count.
MapWork map_work(const ConvShape&, const std::vector<float>& x, const std::stop_token& = {});
/// The row of the output to explain first, by the same rule: the first row of a padded layer has fewer products, and
/// rows above an image's edge have none. 'work' is of this map.
std::int64_t opening_row(const ConvShape&, const std::vector<float>& x, const MapWork& work,
                         const std::stop_token& stop = {});
/// The first of the rows of the output with the most products: that of a real map which shows the most of it.
std::int64_t fullest_row(const ConvShape&, const std::vector<float>& x, const std::stop_token& stop = {});

}  // namespace convscope
