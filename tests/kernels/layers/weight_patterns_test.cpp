// The zeros that are requested in w: how many, where, and that they leave everything else alone.
#include "kernels/layers/weight_patterns.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "kernels/files/npy.h"
#include "kernels/layers/preset.h"
#include "tests/kernels/files/temp_folder.h"
#include "tests/support/random_shapes.h"

namespace convscope {
namespace {

WorkloadSpec spec_of(const ConvShape& shape, WeightPattern pattern, double share, std::uint64_t seed = 1) {
    WorkloadSpec spec;
    spec.name = "custom";
    spec.shape = shape;
    spec.weight_pattern = pattern;
    spec.weight_sparsity = share;
    spec.seed = seed;
    return spec;
}

ConvShape filters(std::int64_t k, std::int64_t c, std::int64_t r, std::int64_t s) {
    ConvShape shape;
    shape.k = k, shape.c = c, shape.r = shape.h = r, shape.s = shape.w = s;
    return shape;
}

Tensor pruned(const ConvShape& shape, WeightPattern pattern, double share, std::uint64_t seed = 1) {
    return make_workload(spec_of(shape, pattern, share, seed)).w;
}

Tensor pruned(Tensor w, WeightPattern pattern, double share) {
    prune_weights(w, spec_of({}, pattern, share));
    return w;
}

Tensor weights_of_1x1(std::int64_t k, std::int64_t c, std::vector<float> values) {
    Tensor w(k, c, 1, 1);
    w.data = std::move(values);
    return w;
}

std::int64_t zero_weights(const Tensor& w) {
    return std::ranges::count(w.data, 0.0F);
}

constexpr WeightPattern counted_patterns[] = {WeightPattern::uniform, WeightPattern::rows, WeightPattern::blocks,
                                              WeightPattern::magnitude};

TEST(WeightPatterns, have_the_exact_count) {
    std::vector<ConvShape> shapes{filters(1, 1, 1, 1), filters(5, 3, 1, 1), filters(7, 5, 3, 2), filters(64, 32, 3, 3)};
    for (const auto& more : {testing::random_shapes(30, 5), testing::dilated_and_grouped_shapes(30, 5)})
        shapes.insert(shapes.end(), more.begin(), more.end());
    for (const WeightPattern pattern : counted_patterns)
        for (const double share : {0.0, 0.001, 0.25, 0.5, 0.85, 0.9999, 1.0})
            for (const ConvShape& shape : shapes) {
                const Workload workload = make_workload(spec_of(shape, pattern, share));
                const auto size = static_cast<double>(shape.w_elements());
                const double expected = std::floor(share * size + 0.5);
                EXPECT_EQ(zero_weights(workload.w), expected) << to_string(pattern) << " " << to_string(shape);
                EXPECT_EQ(workload.weight_sparsity_measured, expected / size);
                EXPECT_EQ(workload.sparsity_measured, 0);
            }
}

TEST(WeightPatterns, leave_x_and_the_other_weights_alone) {
    const ConvShape shape = filters(9, 10, 3, 3);
    const Workload dense = make_workload(spec_of(shape, WeightPattern::uniform, 0));
    for (const WeightPattern pattern : weight_patterns) {
        const Workload sparse = make_workload(spec_of(shape, pattern, 0.5));
        EXPECT_EQ(sparse.x.data, dense.x.data);
        for (std::size_t i = 0; i < dense.w.data.size(); ++i)
            EXPECT_TRUE(sparse.w.data[i] == 0 || sparse.w.data[i] == dense.w.data[i]) << to_string(pattern);
    }
}

TEST(WeightPatterns, depend_on_the_seed_alone) {
    const ConvShape shape = filters(16, 16, 3, 3);
    for (const WeightPattern pattern : weight_patterns) {
        EXPECT_EQ(pruned(shape, pattern, 0.5, 3).data, pruned(shape, pattern, 0.5, 3).data);
        EXPECT_NE(pruned(shape, pattern, 0.5, 3).data, pruned(shape, pattern, 0.5, 4).data);
    }
}

// The promise 'same seed, same bits on every machine'; the places come from a separate implementation with big
// integers.
TEST(WeightPatterns, zeros_of_seed42) {
    const auto places = [](WeightPattern pattern) {
        const Tensor w = pruned(filters(4, 4, 1, 2), pattern, 0.5, 42);
        std::string text;
        for (const float value : w.data) text += value == 0 ? '.' : '#';
        return text;
    };
    EXPECT_EQ(places(WeightPattern::uniform), "#.#..####.#......#.#.##..#.###.#");
    EXPECT_EQ(places(WeightPattern::rows), "########........########........");
    EXPECT_EQ(places(WeightPattern::blocks), "##..######..####......##......##");
}

TEST(WeightPatterns, two_of_four_keeps_the_two_largest_of_four_channels) {
    for (const std::int64_t channels : {1, 2, 3, 4, 5, 6, 7, 8, 33}) {
        const ConvShape shape = filters(3, channels, 3, 2);
        const Tensor dense = pruned(shape, WeightPattern::uniform, 0);
        const Tensor w = pruned(shape, WeightPattern::two_of_four, 0.5);
        for (std::int64_t k = 0; k < 3; ++k)
            for (std::int64_t tap = 0; tap < 6; ++tap)
                for (std::int64_t first = 0; first < channels; first += 4) {
                    float smallest_kept = std::numeric_limits<float>::infinity(), largest_gone = 0;
                    std::int64_t kept = 0;
                    const std::int64_t end = std::min(channels, first + 4);
                    for (std::int64_t c = first; c < end; ++c) {
                        const float value = std::abs(dense.at(k, c, tap / 2, tap % 2));
                        if (w.at(k, c, tap / 2, tap % 2) == 0) {
                            largest_gone = std::max(largest_gone, value);
                        } else {
                            smallest_kept = std::min(smallest_kept, value);
                            ++kept;
                        }
                    }
                    EXPECT_EQ(kept, std::min<std::int64_t>(2, end - first)) << channels;
                    EXPECT_GE(smallest_kept, largest_gone) << channels;
                }
    }
}

TEST(WeightPatterns, two_of_four_keeps_the_first_of_equal_ones_and_nan) {
    const float nan = std::nanf("");
    EXPECT_EQ(pruned(weights_of_1x1(1, 7, {1, -1, 1, 1, 2, 3, -4}), WeightPattern::two_of_four, 0.5).data,
              (std::vector<float>{1, -1, 0, 0, 0, 3, -4}));
    const Tensor w = pruned(weights_of_1x1(1, 4, {5, nan, 6, 7}), WeightPattern::two_of_four, 0.5);
    EXPECT_EQ(w.data[0] + w.data[2], 0);
    EXPECT_TRUE(std::isnan(w.data[1]));
    EXPECT_EQ(w.data[3], 7);
}

TEST(WeightPatterns, magnitude_takes_the_smallest_and_first_the_zeros_that_are_there) {
    const Tensor w = weights_of_1x1(2, 4, {3, -1, 0, 1, -0.5F, 7, 1, -2});
    const auto taken = [&](double share) { return pruned(w, WeightPattern::magnitude, share).data; };
    EXPECT_EQ(taken(0.125), w.data);
    EXPECT_EQ(taken(0.25), (std::vector<float>{3, -1, 0, 1, 0, 7, 1, -2}));
    EXPECT_EQ(taken(0.5), (std::vector<float>{3, 0, 0, 0, 0, 7, 1, -2}));
    EXPECT_EQ(taken(0.75), (std::vector<float>{3, 0, 0, 0, 0, 7, 0, 0}));
    EXPECT_EQ(taken(1), std::vector<float>(8, 0.0F));
}

TEST(WeightPatterns, uniform_counts_the_zeros_that_are_there) {
    Tensor w = weights_of_1x1(10, 10, std::vector<float>(100, 1.0F));
    std::fill_n(w.data.begin() + 30, 40, 0.0F);
    EXPECT_EQ(zero_weights(pruned(w, WeightPattern::uniform, 0.7)), 70);
    EXPECT_EQ(pruned(w, WeightPattern::uniform, 0.3).data, w.data) << "it has more already";
}

TEST(WeightPatterns, rows_are_whole_filters) {
    // 40 % of 10 filters: 4 empty ones; three more zeros lie in one more.
    const auto zeros_by_filter = [](double share) {
        const Tensor w = pruned(filters(10, 3, 2, 2), WeightPattern::rows, share);
        std::multiset<std::int64_t> counts;
        for (std::int64_t k = 0; k < 10; ++k)
            counts.insert(std::count(w.data.begin() + k * 12, w.data.begin() + (k + 1) * 12, 0.0F));
        return counts;
    };
    EXPECT_EQ(zeros_by_filter(0.4), (std::multiset<std::int64_t>{0, 0, 0, 0, 0, 0, 12, 12, 12, 12}));
    EXPECT_EQ(zeros_by_filter(51.0 / 120), (std::multiset<std::int64_t>{0, 0, 0, 0, 0, 3, 12, 12, 12, 12}));
}

TEST(WeightPatterns, blocks_are_whole_where_they_are_zero) {
    // 5 x 27 weights: 3 x 14 blocks, the last row and column of which are cut.
    const Tensor w = pruned(filters(5, 3, 3, 3), WeightPattern::blocks, 0.5);
    int partly = 0;
    std::set<bool> whole;
    for (std::int64_t row = 0; row < 5; row += 2)
        for (std::int64_t col = 0; col < 27; col += 2) {
            int zeros = 0, size = 0;
            for (std::int64_t i = row; i < std::min<std::int64_t>(5, row + 2); ++i)
                for (std::int64_t j = col; j < std::min<std::int64_t>(27, col + 2); ++j) {
                    zeros += w.data[static_cast<std::size_t>(i * 27 + j)] == 0;
                    ++size;
                }
            if (zeros != 0 && zeros != size) ++partly;
            if (zeros == 0 || zeros == size) whole.insert(zeros == size);
        }
    EXPECT_LE(partly, 1);
    EXPECT_EQ(whole.size(), 2U);
}

TEST(WeightPatterns, prune_an_example_and_a_file) {
    WorkloadSpec example = find_preset("examples/xu-fig4").spec;
    const std::vector<float> values = example.example_w;
    EXPECT_EQ(make_workload(example).w.data, values) << "nothing is requested";
    example.weight_pattern = WeightPattern::magnitude;
    example.weight_sparsity = 8.0 / 9;
    const Workload pruned_example = make_workload(example);
    EXPECT_EQ(zero_weights(pruned_example.w), 8);
    EXPECT_EQ(pruned_example.spec.example_w, values) << "the spec keeps the weights, the workload prunes them";

    const TempFolder folder;
    const std::vector<float> x(12, 1.0F), w{4, 3, 2, 1};
    write_npy(folder / "x.npy", std::span<const float>(x), {4, 3, 1});
    write_npy(folder / "w.npy", std::span<const float>(w), {1, 4, 1, 1});
    WorkloadSpec file = spec_of({}, WeightPattern::two_of_four, 0.5);
    file.source = Source::file;
    file.input_path = (folder / "x.npy").string();
    file.weights_path = (folder / "w.npy").string();
    const Workload workload = make_workload(file);
    EXPECT_EQ(workload.w.data, (std::vector<float>{4, 3, 0, 0}));
    EXPECT_EQ(workload.weight_sparsity_measured, 0.5);
}

TEST(WeightPatterns, prune_a_layer_of_a_chain_and_its_groups) {
    ConvShape shape = filters(6, 8, 2, 2);
    shape.groups = 2;
    const WorkloadSpec spec = spec_of(shape, WeightPattern::magnitude, 0.75);
    const Workload chained = make_chained_workload(spec, Tensor(1, 8, 2, 2));
    EXPECT_EQ(zero_weights(chained.w), 72);
    EXPECT_EQ(chained.weight_sparsity_measured, 0.75);
    const Workload group = group_of(chained, 1);
    EXPECT_EQ(group.weight_sparsity_measured, static_cast<double>(zero_weights(group.w)) / 48);
}

TEST(WeightPatterns, impossible_shares_are_rejected) {
    const auto sentence = [](WeightPattern pattern, double share) {
        return error_of(ErrorKind::usage, [&] { make_workload(spec_of(filters(2, 4, 1, 1), pattern, share)); });
    };
    EXPECT_EQ(sentence(WeightPattern::rows, 1.5), "weight sparsity is 1.5; it must be between 0 and 1");
    EXPECT_EQ(sentence(WeightPattern::uniform, -0.5), "weight sparsity is -0.5; it must be between 0 and 1");
    EXPECT_EQ(sentence(WeightPattern::two_of_four, 0.3),
              "weight sparsity is 0.3; the pattern 2:4 keeps two of each four weights, so that it must be 0.5");
    EXPECT_THROW(make_workload(spec_of(filters(2, 4, 1, 1), WeightPattern::rows, std::nan(""))), Error);
}

TEST(WeightPatterns, are_not_made_to_the_end_once_stopped) {
    std::stop_source stop;
    stop.request_stop();
    for (const WeightPattern pattern : weight_patterns) {
        Tensor w(4, 4, 1, 1);
        std::ranges::fill(w.data, 1.0F);
        EXPECT_THROW(prune_weights(w, spec_of({}, pattern, 0.5), stop.get_token()), Error) << to_string(pattern);
    }
}

}  // namespace
}  // namespace convscope
