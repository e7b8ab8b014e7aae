#include "kernels/layers/workload.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <thread>

#include "kernels/core/error.h"
#include "kernels/files/npy.h"
#include "kernels/layers/wanted_workload.h"
#include "tests/kernels/files/temp_folder.h"

namespace convscope {
namespace {

WorkloadSpec spec_of(ConvShape shape, Source source, double sparsity, std::uint64_t seed = 1) {
    WorkloadSpec spec;
    spec.name = "custom";
    spec.shape = shape;
    spec.source = source;
    spec.sparsity = sparsity;
    spec.seed = seed;
    return spec;
}

ConvShape shape_of(std::int64_t n, std::int64_t c, std::int64_t h, std::int64_t w) {
    ConvShape shape;
    shape.n = n, shape.c = c, shape.h = h, shape.w = w;
    return shape;
}

std::int64_t zeros_in(const Tensor& tensor) {
    return std::count(tensor.data.begin(), tensor.data.end(), 0.0f);
}

TEST(Workload, has_the_exact_number_of_zeros) {
    for (const Source source : zero_patterns)
        for (double sparsity : {0.0, 0.001, 0.25, 0.5, 0.85, 0.9999, 1.0})
            for (const ConvShape& shape : {shape_of(1, 1, 1, 1), shape_of(1, 1, 5, 5), shape_of(3, 7, 4, 9),
                                           shape_of(2, 3, 1, 31), shape_of(1, 64, 14, 14), shape_of(1, 1, 90, 120)}) {
                const Workload workload = make_workload(spec_of(shape, source, sparsity));
                const auto size = static_cast<double>(shape.x_elements());
                const auto expected = static_cast<std::int64_t>(std::floor(sparsity * size + 0.5));
                EXPECT_EQ(zeros_in(workload.x), expected) << to_string(source) << " " << to_string(shape);
                EXPECT_EQ(workload.sparsity_measured, static_cast<double>(expected) / size);
                EXPECT_EQ(zeros_in(workload.w), 0);
            }
}

TEST(Workload, is_not_made_to_the_end_once_it_was_stopped) {
    for (const Source source : zero_patterns) {
        std::stop_source stop;
        const std::jthread later([&] {
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
            stop.request_stop();
        });
        // Making all of it takes a second.
        EXPECT_THROW(make_workload(spec_of(shape_of(1, 64, 1000, 1000), source, 0.5), stop.get_token()), Error)
            << to_string(source);
    }
}

TEST(Workload, values_lie_within_one_and_have_both_signs) {
    const Workload workload = make_workload(spec_of(shape_of(1, 4, 50, 50), Source::uniform, 0));
    const auto [least, most] = std::minmax_element(workload.x.data.begin(), workload.x.data.end());
    EXPECT_GT(*least, -1.0f);
    EXPECT_LT(*least, -0.99f);
    EXPECT_LT(*most, 1.0f);
    EXPECT_GT(*most, 0.99f);
    double sum = 0;
    for (float value : workload.x.data) sum += value;
    // Uniform in (-1, 1): the mean of 10^4 values has a standard deviation of 0.0058.
    EXPECT_LT(std::abs(sum / 1e4), 0.03);
}

// The expected figures of the next two tests come from a separate implementation with big integers. They are the
// promise 'same seed, same bits on every machine': to change them is to break everyone's records.
TEST(Workload, uniform_bits_of_seed42) {
    const Workload workload = make_workload(spec_of(shape_of(1, 2, 3, 3), Source::uniform, 0.5, 42));
    const std::vector<float> times_2_to_24{0,       11284027, 14289655, 0, 6398051,  0,       0,         0, 5557867,
                                           5678661, 2151905,  0,        0, 11663217, 9554325, -11778813, 0, 0};
    for (std::size_t i = 0; i < 18; ++i) EXPECT_EQ(workload.x.data[i], times_2_to_24[i] / 16777216.0f) << i;
    EXPECT_EQ(workload.w.data[0], -3349385 / 16777216.0f);
}

TEST(Workload, blob_bits_of_seed42) {
    const Workload workload = make_workload(spec_of(shape_of(1, 1, 4, 5), Source::blobs, 0.5, 42));
    const std::vector<double> over_the_largest{171773, 0, 0, 0,    185192, 153070, 0, 0, 0,     225705,
                                               145031, 0, 0, 3364, 248375, 178688, 0, 0, 68088, 297927};
    for (std::size_t i = 0; i < 20; ++i)
        EXPECT_EQ(workload.x.data[i], static_cast<float>(over_the_largest[i] / 297927.0)) << i;
}

TEST(Workload, seeds_and_streams_differ) {
    ConvShape shape = shape_of(1, 1, 8, 8);
    shape.r = shape.s = 8;
    const Workload one = make_workload(spec_of(shape, Source::uniform, 0, 1));
    const Workload two = make_workload(spec_of(shape, Source::uniform, 0, 2));
    EXPECT_NE(one.x.data, two.x.data);
    EXPECT_NE(one.w.data, two.w.data);
    EXPECT_NE(one.x.data, one.w.data);
}

TEST(Workload, values_stay_when_the_sparsity_changes) {
    const ConvShape shape = shape_of(1, 3, 10, 10);
    const Workload dense = make_workload(spec_of(shape, Source::uniform, 0));
    const Workload sparse = make_workload(spec_of(shape, Source::uniform, 0.7));
    for (std::size_t i = 0; i < dense.x.data.size(); ++i)
        EXPECT_TRUE(sparse.x.data[i] == 0 || sparse.x.data[i] == dense.x.data[i]) << i;
    EXPECT_EQ(sparse.w.data, dense.w.data);
}

TEST(Workload, uniform_zeros_are_spread_evenly) {
    const Workload workload = make_workload(spec_of(shape_of(1, 100, 10, 10), Source::uniform, 0.3));
    for (std::int64_t c = 0; c < 100; c += 10) {
        std::int64_t zeros = 0;
        for (std::int64_t i = 0; i < 1000; ++i) zeros += workload.x.data[static_cast<std::size_t>(c * 100 + i)] == 0;
        // Hypergeometric with mean 300 and a standard deviation of 13.7.
        EXPECT_NEAR(static_cast<double>(zeros), 300.0, 70.0);
    }
}

/// Pairs of neighbours of which exactly one is zero: low when the zeros form regions.
std::int64_t borders(const Tensor& x) {
    std::int64_t count = 0;
    for (std::int64_t c = 0; c < x.c; ++c)
        for (std::int64_t h = 0; h < x.h; ++h)
            for (std::int64_t w = 1; w < x.w; ++w) count += (x.at(0, c, h, w) == 0) != (x.at(0, c, h, w - 1) == 0);
    return count;
}

/// How many pixels have how many zeros among their channels.
std::map<std::int64_t, int> zeros_by_pixel(const Tensor& x) {
    std::map<std::int64_t, int> pixels;
    for (std::int64_t n = 0; n < x.n; ++n)
        for (std::int64_t h = 0; h < x.h; ++h)
            for (std::int64_t w = 0; w < x.w; ++w) {
                std::int64_t zeros = 0;
                for (std::int64_t c = 0; c < x.c; ++c) zeros += x.at(n, c, h, w) == 0;
                ++pixels[zeros];
            }
    return pixels;
}

TEST(Workload, blobs_are_regions) {
    const ConvShape shape = shape_of(1, 8, 28, 28);
    const Workload uniform = make_workload(spec_of(shape, Source::uniform, 0.5));
    const Workload blobs = make_workload(spec_of(shape, Source::blobs, 0.5));
    EXPECT_LT(3 * borders(blobs.x), borders(uniform.x));
}

TEST(Workload, blobs_are_what_relu_leaves) {
    const Workload workload = make_workload(spec_of(shape_of(2, 3, 14, 14), Source::blobs, 0.4));
    const auto [least, most] = std::minmax_element(workload.x.data.begin(), workload.x.data.end());
    EXPECT_EQ(*least, 0.0f);
    EXPECT_EQ(*most, 1.0f);
}

TEST(Workload, blobs_give_every_map_its_share) {
    const Workload workload = make_workload(spec_of(shape_of(1, 3, 4, 4), Source::blobs, 0.5));
    for (std::size_t map = 0; map < 3; ++map)
        EXPECT_EQ(std::count(workload.x.data.begin() + map * 16, workload.x.data.begin() + (map + 1) * 16, 0.0f), 8);
}

TEST(Workload, channels_die_first) {
    // 40 % of 10 channels of 3 x 2 x 2 elements: 4 dead ones and none that is partly zero.
    const Workload workload = make_workload(spec_of(shape_of(3, 10, 2, 2), Source::channels, 0.4));
    std::set<std::int64_t> counts;
    std::int64_t dead = 0;
    for (std::int64_t c = 0; c < 10; ++c) {
        std::int64_t zeros = 0;
        for (std::int64_t n = 0; n < 3; ++n)
            for (std::int64_t i = 0; i < 4; ++i) zeros += workload.x.at(n, c, i / 2, i % 2) == 0;
        counts.insert(zeros);
        dead += zeros == 12;
    }
    EXPECT_EQ(dead, 4);
    EXPECT_EQ(counts, (std::set<std::int64_t>{0, 12}));
}

TEST(Workload, pixels_are_empty_in_all_channels) {
    // 40 % of 3 x 2 x 5 pixels of 7 channels: 12 empty ones and none that is partly zero; one more zero is in another.
    const Workload workload = make_workload(spec_of(shape_of(3, 7, 2, 5), Source::pixels, 0.4));
    EXPECT_EQ(zeros_by_pixel(workload.x), (std::map<std::int64_t, int>{{0, 18}, {7, 12}}));
    const Workload more = make_workload(spec_of(shape_of(3, 7, 2, 5), Source::pixels, 87.0 / 210));
    EXPECT_EQ(zeros_by_pixel(more.x), (std::map<std::int64_t, int>{{0, 17}, {3, 1}, {7, 12}}));
}

TEST(Workload, every_pixel_may_be_the_partly_empty_one) {
    std::set<std::int64_t> places;
    for (std::uint64_t seed = 1; seed <= 200; ++seed) {
        WorkloadSpec spec = spec_of(shape_of(1, 2, 1, 3), Source::pixels, 0.5);
        spec.seed = seed;
        const Workload workload = make_workload(spec);
        for (std::int64_t w = 0; w < 3; ++w)
            if ((workload.x.at(0, 0, 0, w) == 0) != (workload.x.at(0, 1, 0, w) == 0)) places.insert(w);
    }
    EXPECT_EQ(places, (std::set<std::int64_t>{0, 1, 2}));
}

TEST(Workload, rejects_an_impossible_sparsity) {
    for (double sparsity :
         {-0.1, 1.1, std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
        const std::string sentence = error_of(
            ErrorKind::usage, [&] { make_workload(spec_of(shape_of(1, 1, 5, 5), Source::uniform, sparsity)); });
        expect_contains(sentence, "it must be between 0 and 1");
    }
}

#ifndef __SANITIZE_ADDRESS__  // the sanitizer's own shadow is larger than any limit of use here
TEST(Workload, rejects_more_memory_than_there_is_before_allocating) {
    rlimit before{};
    ASSERT_EQ(getrlimit(RLIMIT_AS, &before), 0);
    const rlimit four_gb{4'000'000'000, before.rlim_max};
    ASSERT_EQ(setrlimit(RLIMIT_AS, &four_gb), 0);
    // x has one element, w and y are as large as an index allows.
    ConvShape shape = shape_of(1, 1, 1, 1);
    shape.k = std::numeric_limits<std::int32_t>::max();
    const std::string sentence =
        error_of(ErrorKind::failed, [&] { make_workload(spec_of(shape, Source::uniform, 0)); });
    setrlimit(RLIMIT_AS, &before);
    expect_contains(sentence, "(x 4 B, w 8.6 GB, y 8.6 GB) needs 17.2 GB of the host's memory, and 4 GB is free");
}
#endif

class WorkloadFile : public ::testing::Test {
protected:
    void write(const std::string& name, const NpyShape& shape, std::vector<float> values = {}) {
        std::int64_t size = 1;
        for (std::int64_t s : shape) size *= s;
        values.resize(static_cast<std::size_t>(size), 1.0f);
        write_npy(folder / name, std::span<const float>(values), shape);
    }
    WorkloadSpec spec(bool weights = true) {
        WorkloadSpec requested = spec_of(shape_of(9, 9, 9, 9), Source::file, 0);
        requested.shape.stride_h = 2;
        requested.input_path = (folder / "x.npy").string();
        if (weights) requested.weights_path = (folder / "w.npy").string();
        return requested;
    }
    TempFolder folder;
};

TEST_F(WorkloadFile, ranks_map_to_the_fields_names) {
    write("w.npy", {3, 3});
    write("x.npy", {6, 5});
    EXPECT_EQ(to_string(shape_of_files(spec())), "1x1x6x5 * 1x1x3x3, stride 2,1, pad 0");
    write("x.npy", {2, 6, 5});
    write("w.npy", {4, 2, 3, 1});
    EXPECT_EQ(to_string(shape_of_files(spec())), "1x2x6x5 * 4x2x3x1, stride 2,1, pad 0");
    write("x.npy", {7, 2, 6, 5});
    EXPECT_EQ(to_string(make_workload(spec()).spec.shape), "7x2x6x5 * 4x2x3x1, stride 2,1, pad 0");
}

TEST_F(WorkloadFile, weights_are_drawn_when_there_is_no_file) {
    write("x.npy", {2, 6, 5});
    WorkloadSpec requested = spec(false);
    requested.shape.k = 3;
    const Workload workload = make_workload(requested);
    EXPECT_EQ(workload.w.elements(), 6);
    EXPECT_EQ(zeros_in(workload.w), 0);
}

TEST_F(WorkloadFile, counts_zeros_nan_and_infinity) {
    const float nan = std::numeric_limits<float>::quiet_NaN(), inf = std::numeric_limits<float>::infinity();
    write("x.npy", {2, 4}, {0, -0.0f, nan, inf, -inf, 1, 2, 3});
    write("w.npy", {1, 1}, {nan});
    const Workload workload = make_workload(spec());
    EXPECT_EQ(workload.sparsity_measured, 0.25);
    EXPECT_EQ(workload.spec.sparsity, 0.25);
    EXPECT_EQ(workload.nan_count, 2);
    EXPECT_EQ(workload.inf_count, 2);
    EXPECT_EQ(unusual_data(workload), "the data holds 2 NaN and 2 infinite values");
    EXPECT_EQ(unusual_data(make_workload(spec_of(shape_of(1, 1, 2, 2), Source::uniform, 0))), "");
}

TEST_F(WorkloadFile, keeps_its_values_as_long_as_they_fit) {
    const auto source_with = [](WorkloadSpec named, auto change) {
        WorkloadSpec changed = named;
        change(changed);
        draw_where_values_do_not_fit(changed, named);
        return changed.source;
    };
    const auto pad = [](WorkloadSpec& changed) { changed.shape.pad_h = 1; };
    const auto filters = [](WorkloadSpec& changed) { changed.shape.k = 2; };
    EXPECT_EQ(source_with(spec(), pad), Source::file);
    EXPECT_EQ(source_with(spec(), filters), Source::uniform);
    EXPECT_EQ(source_with(spec(false), filters), Source::file) << "the weights are drawn";
    EXPECT_EQ(source_with(spec(), [](WorkloadSpec& changed) { changed.shape.h = 5; }), Source::uniform);
    EXPECT_EQ(source_with(spec(), [](WorkloadSpec& changed) { changed.sparsity = 0.5; }), Source::uniform);
}

TEST_F(WorkloadFile, rejects_weights_that_do_not_fit) {
    write("x.npy", {2, 6, 5});
    write("w.npy", {4, 3, 3, 3});
    expect_contains(error_of(ErrorKind::usage, [&] { make_workload(spec()); }), "has filters of 3 channel(s), but");
    WorkloadSpec grouped = spec();
    grouped.shape.groups = 2;
    expect_contains(error_of(ErrorKind::usage, [&] { make_workload(grouped); }), "in 2 groups a filter has 1");
    write("w.npy", {2, 3, 3});
    expect_contains(error_of(ErrorKind::file, [&] { make_workload(spec()); }), "weights are (k,c,r,s) or (r,s)");
    write("w.npy", {1, 2, 7, 7});
    expect_contains(error_of(ErrorKind::usage, [&] { make_workload(spec()); }), "leaves no output");
}

TEST(Workload, example_has_its_own_values) {
    WorkloadSpec spec = spec_of(shape_of(1, 1, 2, 2), Source::example, 0);
    spec.example_x = {0, 2, 3, 0};
    spec.example_w = {5};
    const Workload workload = make_workload(spec);
    EXPECT_EQ(workload.x.data, spec.example_x);
    EXPECT_EQ(workload.w.data, spec.example_w);
    EXPECT_EQ(workload.spec.sparsity, 0.5);
    spec.shape.h = 3;
    expect_contains(error_of(ErrorKind::usage, [&] { make_workload(spec); }), "cannot be changed");
    spec.shape.h = 2;
    spec.shape.k = 2;
    expect_contains(error_of(ErrorKind::usage, [&] { make_workload(spec); }), "cannot be changed");
}

TEST(Workload, of_a_group_is_a_layer_of_its_own) {
    ConvShape shape = shape_of(2, 4, 3, 3);
    shape.k = 6, shape.groups = 2, shape.r = shape.s = 2;
    const Workload whole = make_workload(spec_of(shape, Source::uniform, 0.5));
    for (std::int64_t group = 0; group < 2; ++group) {
        const Workload part = group_of(whole, group);
        EXPECT_EQ(to_string(part.spec.shape), "2x2x3x3 * 3x2x2x2, stride 1, pad 0");
        for (std::int64_t n = 0; n < 2; ++n)
            for (std::int64_t i = 0; i < 2 * 9; ++i)
                EXPECT_EQ(part.x.at(n, i / 9, i / 3 % 3, i % 3), whole.x.at(n, 2 * group + i / 9, i / 3 % 3, i % 3));
        EXPECT_TRUE(std::equal(part.w.data.begin(), part.w.data.end(), whole.w.data.begin() + group * 24));
        EXPECT_DOUBLE_EQ(part.sparsity_measured, static_cast<double>(zeros_in(part.x)) / 36);
    }
    Tensor y(2, 6, 2, 2), of_group(2, 3, 2, 2);
    std::ranges::fill(of_group.data, 1.0F);
    put_group(y, 1, of_group);
    for (std::int64_t n = 0; n < 2; ++n)
        for (std::int64_t k = 0; k < 6; ++k) EXPECT_EQ(y.at(n, k, 1, 0), k < 3 ? 0 : 1) << n << ' ' << k;
}

TEST(ChainedWorkload, has_hes_variance_and_the_given_input) {
    WorkloadSpec spec = spec_of(shape_of(1, 32, 6, 6), Source::uniform, 0.9);
    spec.shape.k = 64;
    spec.shape.r = spec.shape.s = 3;
    Tensor x(1, 32, 6, 6);
    x.data[5] = 2.0F;
    const Workload workload = make_chained_workload(spec, x);
    EXPECT_EQ(workload.x.data, x.data);
    EXPECT_EQ(workload.spec.source, Source::chain);
    EXPECT_DOUBLE_EQ(workload.sparsity_measured, 1 - 1.0 / (32 * 36));
    EXPECT_EQ(workload.spec.sparsity, workload.sparsity_measured);

    double sum = 0, squares = 0, most = 0;
    for (const float w : workload.w.data) {
        sum += w;
        squares += static_cast<double>(w) * w;
        most = std::max(most, std::abs(static_cast<double>(w)));
    }
    const auto count = static_cast<double>(workload.w.elements()), fan_in = 32.0 * 9;
    // 18432 values: the mean's standard deviation is 1/136 of theirs, that of the mean square 1/150 of it.
    EXPECT_NEAR(squares / count, 2 / fan_in, 0.03 * 2 / fan_in);
    EXPECT_NEAR(sum / count, 0, 0.03 * std::sqrt(2 / fan_in));
    EXPECT_LE(most, std::sqrt(6 / fan_in));

    spec.seed = 2;
    EXPECT_NE(make_chained_workload(spec, x).w.data, workload.w.data);
}

TEST(ChainedWorkload, rejects_another_input) {
    const WorkloadSpec spec = spec_of(shape_of(1, 2, 6, 6), Source::uniform, 0);
    EXPECT_EQ(error_of(ErrorKind::usage, [&] { make_chained_workload(spec, Tensor(1, 3, 6, 6)); }),
              "custom takes 1x2x6x6, not 1x3x6x6");
    for (const Tensor& x : {Tensor(2, 2, 6, 6), Tensor(1, 2, 5, 6), Tensor(1, 2, 6, 5)})
        EXPECT_THROW(make_chained_workload(spec, x), Error);
    WorkloadSpec chained = spec;
    chained.source = Source::chain;
    expect_contains(error_of(ErrorKind::usage, [&] { make_workload(chained); }), "comes from the layer before it");
}

}  // namespace
}  // namespace convscope
