// Layers for the tests of pixel1 and pixel2, on a GPU and on the executor of PTX: each has something that a random
// shape has not.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "kernels/core/launch.h"
#include "kernels/layers/zero_patterns.h"
#include "tests/support/random_shapes.h"

namespace convscope::testing {

struct PixelCase {
    std::string name;
    Workload workload;
    LaunchConfig config;
};

/// A workload in which this share of the pixels is zero in all channels.
inline Workload with_empty_pixels(const ConvShape& shape, double empty, std::uint64_t seed = 5) {
    Workload workload = random_workload(shape, 0, seed);
    zero_pixels(workload.x, zero_count(empty, workload.x.elements()), seed);
    return workload;
}

/// Zeros but for one value.
inline Workload with_one_value(const ConvShape& shape, std::int64_t channel, std::int64_t row, std::int64_t column) {
    Workload workload = random_workload(shape, 1, 6);
    workload.x.at(shape.n - 1, channel, row, column) = -0.75F;
    return workload;
}

inline std::vector<PixelCase> pixel_cases() {
    const ConvShape layer{.c = 64, .h = 18, .w = 20, .k = 64, .r = 3, .s = 3, .pad_h = 1, .pad_w = 1};
    const auto with = [](auto&& change, ConvShape shape) {
        change(shape);
        return shape;
    };
    const ConvShape batch = with([](ConvShape& s) { s.n = 3, s.h = s.w = 11; }, layer);
    const ConvShape many_filters = with([](ConvShape& s) { s.c = 20, s.k = 270; }, batch);
    const ConvShape many_channels = with([](ConvShape& s) { s.c = 212, s.k = 30, s.n = 1; }, batch);
    const ConvShape odd = with([](ConvShape& s) { s.c = 7, s.k = 45; }, batch);
    const ConvShape halved = with([](ConvShape& s) { s.stride_h = 2, s.stride_w = 3, s.r = 5; }, batch);
    const ConvShape atrous = with(
        [](ConvShape& s) { s.dilation_h = 2, s.dilation_w = 3, s.pad_h = 1, s.pad_extra_h = 2, s.pad_extra_w = -1; },
        batch);
    const ConvShape pointwise = with([](ConvShape& s) { s.r = s.s = 1, s.pad_h = s.pad_w = 0; }, batch);
    const ConvShape pooled = with([](ConvShape& s) { s.pool_h = s.pool_w = s.pool_stride = 2; }, batch);
    // One tile of 360 pixels: with 90 % of them empty, 36 in a pass; without an empty one, three passes.
    LaunchConfig large, narrow, small;
    large.tunables = {{"windows", 1024}};
    narrow.tunables = {{"channels", 64}};
    small.tunables = {{"windows", 32}, {"channels", 128}};
    return {{"nothing", with_empty_pixels(batch, 1), {}},
            {"the_first_value", with_one_value(batch, 0, 0, 0), {}},
            {"the_last_value", with_one_value(batch, 63, 10, 10), {}},
            {"one_value_in_the_middle", with_one_value(layer, 30, 9, 9), large},
            {"a_tenth", with_empty_pixels(layer, 0.9), large},
            {"a_fifth", with_empty_pixels(layer, 0.8), large},
            {"a_third", with_empty_pixels(layer, 0.67), {}},
            {"all", with_empty_pixels(layer, 0), large},
            {"single_zeros", random_workload(layer, 0.9, 7), small},
            {"two_clusters_of_filters", with_empty_pixels(many_filters, 0.9), {}},
            {"two_slices_of_channels", with_empty_pixels(many_channels, 0.9), {}},
            {"four_slices_of_channels", with_empty_pixels(many_channels, 0.5), narrow},
            {"seven_channels", with_empty_pixels(odd, 0.9), {}},
            {"strides", with_empty_pixels(halved, 0.8), {}},
            {"dilation_and_padding_by_side", with_empty_pixels(atrous, 0.8), small},
            {"a_filter_of_one_tap", with_empty_pixels(pointwise, 0.9), {}},
            {"one_tap_in_three_passes",
             with_empty_pixels(with([](ConvShape& s) { s.r = s.s = 1, s.pad_h = s.pad_w = 0; }, layer), 0), large},
            {"pooling", with_empty_pixels(pooled, 0.9), {}}};
}

}  // namespace convscope::testing
