#include "kernels/layers/one_map.h"

#include <algorithm>
#include <optional>

namespace convscope {
namespace {

/// Whether a part is about as full as the average; with nothing in any, the first is.
bool about_as_full(std::int64_t values, double average) {
    return static_cast<double>(values) >= 0.75 * average;
}

/// Elements of the window of output (oh, ow) that are in the map and not zero.
std::int64_t products(const ConvShape& shape, const std::vector<float>& x, std::int64_t oh, std::int64_t ow) {
    std::int64_t count = 0;
    for (std::int64_t i = 0; i < shape.r; ++i) {
        const std::int64_t row = shape.x_row(oh, i);
        if (row < 0 || row >= shape.h) continue;
        for (std::int64_t j = 0; j < shape.s; ++j) {
            const std::int64_t col = shape.x_col(ow, j);
            count += col >= 0 && col < shape.w && x[static_cast<std::size_t>(row * shape.w + col)] != 0.0F;
        }
    }
    return count;
}

std::int64_t products_of_row(const ConvShape& shape, const std::vector<float>& x, std::int64_t oh) {
    std::int64_t count = 0;
    for (std::int64_t ow = 0; ow < shape.q(); ++ow) count += products(shape, x, oh, ow);
    return count;
}

}  // namespace

ConvShape map_shape(const ConvShape& shape) {
    ConvShape one = shape;
    one.n = one.c = one.k = one.groups = 1;
    return one;
}

std::vector<float> map_of(const Tensor& tensor, std::int64_t outer, std::int64_t inner) {
    const std::int64_t size = tensor.h * tensor.w;
    const float* from = tensor.data.data() + (outer * tensor.c + inner) * size;
    return {from, from + size};
}

std::vector<float> weights_of(const Workload& workload, std::int64_t filter, std::int64_t channel) {
    return map_of(workload.w, filter, channel % workload.spec.shape.group_channels());
}

MapIndex nearest_map(const MapIndex& wanted, const ConvShape& shape) {
    const std::int64_t channel = std::clamp<std::int64_t>(wanted.channel, 0, shape.c - 1);
    const std::int64_t first = first_filter_of(shape, channel);
    return {std::clamp<std::int64_t>(wanted.image, 0, shape.n - 1), channel,
            std::clamp<std::int64_t>(wanted.filter, first, first + shape.group_filters() - 1)};
}

MapIndex opening_map(const Workload& workload) {
    const Tensor& x = workload.x;
    const std::int64_t size = x.h * x.w;
    const double average = (1 - workload.sparsity_measured) * static_cast<double>(size);
    const auto index = [&](std::int64_t map) {
        return MapIndex{map / x.c, map % x.c, first_filter_of(workload.spec.shape, map % x.c)};
    };
    std::optional<std::int64_t> fuller;
    for (std::int64_t map = 0; map < x.n * x.c; ++map) {
        const auto first = x.data.begin() + map * size;
        const std::int64_t values = size - std::count(first, first + size, 0.0F);
        if (!about_as_full(values, average)) continue;
        if (static_cast<double>(values) <= 1.25 * average) return index(map);
        if (!fuller) fuller = map;
    }
    return index(fuller.value_or(0));
}

double MapWork::skipped() const {
    if (dense_multiplications == 0) return 0;
    return 1.0 - static_cast<double>(needed_multiplications) / static_cast<double>(dense_multiplications);
}

MapWork map_work(const ConvShape& shape, const std::vector<float>& x, const std::stop_token& stop) {
    MapWork work;
    work.dense_multiplications = shape.multiplications_per_map();
    work.dense_additions = shape.additions_per_map();
    for (std::int64_t oh = 0; oh < shape.p() && !stop.stop_requested(); ++oh)
        for (std::int64_t ow = 0; ow < shape.q(); ++ow) {
            const std::int64_t needed = products(shape, x, oh, ow);
            work.needed_multiplications += needed;
            work.needed_additions += std::max<std::int64_t>(0, needed - 1);
        }
    return work;
}

std::int64_t opening_row(const ConvShape& shape, const std::vector<float>& x, const MapWork& work,
                         const std::stop_token& stop) {
    const double average = static_cast<double>(work.needed_multiplications) / static_cast<double>(shape.p());
    for (std::int64_t oh = 0; oh < shape.p() && !stop.stop_requested(); ++oh)
        if (about_as_full(products_of_row(shape, x, oh), average)) return oh;
    return 0;
}

std::int64_t fullest_row(const ConvShape& shape, const std::vector<float>& x, const std::stop_token& stop) {
    std::int64_t fullest = 0, most = 0;
    for (std::int64_t oh = 0; oh < shape.p() && !stop.stop_requested(); ++oh)
        if (const std::int64_t needed = products_of_row(shape, x, oh); needed > most) {
            fullest = oh;
            most = needed;
        }
    return fullest;
}

}  // namespace convscope
