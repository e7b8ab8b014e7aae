// The arrays of a whole layer against the families' own layouts, and the part of them that a budget holds.
#include "kernels/layers/layer_layout.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>

#include "kernels/core/error.h"
#include "kernels/ecr/ecr_layout.h"
#include "kernels/im2col/im2col_layout.h"
#include "kernels/mec/mec_layout.h"
#include "kernels/pecr/pecr_layout.h"
#include "kernels/reference/reference_result.h"
#include "tests/support/random_shapes.h"

namespace convscope {
namespace {

using enum LayerArray;

Workload layer() {
    ConvShape shape;
    shape.n = 3;
    shape.c = 4;
    shape.h = 13;
    shape.w = 11;
    shape.k = 5;
    shape.r = 3;
    shape.s = 2;
    shape.stride_h = 2;
    shape.pad_h = shape.pad_w = 1;
    shape.pool_h = shape.pool_w = shape.pool_stride = 2;
    return testing::random_workload(shape, 0.6, 11);
}

/// All images one after the other.
std::vector<std::uint32_t> whole(LayerArray array, const Workload& work) {
    const LayerArraySpec spec = layer_array(array, work.spec.shape);
    std::vector<std::uint32_t> all;
    for (std::int64_t image = 0; image < spec.images; ++image) {
        const auto one = build_layer_image(spec, work, image, spec.rows_per_image);
        all.insert(all.end(), one.begin(), one.end());
    }
    EXPECT_EQ(static_cast<std::int64_t>(all.size()), spec.elements()) << to_string(array);
    return all;
}

template <class T>
void expect_same(const std::vector<std::uint32_t>& got, const std::vector<T>& want) {
    ASSERT_EQ(got.size(), want.size());
    for (std::size_t i = 0; i < got.size(); ++i) ASSERT_EQ(std::bit_cast<T>(got[i]), want[i]) << i;
}

/// Ragged rows against rows of 'cols' slots.
template <class T>
void expect_slots(const std::vector<std::uint32_t>& got, std::int64_t cols, const std::vector<T>& ragged,
                  const std::vector<std::int64_t>& offsets) {
    ASSERT_EQ(static_cast<std::int64_t>(got.size()), cols * static_cast<std::int64_t>(offsets.size() - 1));
    for (std::size_t row = 0; row + 1 < offsets.size(); ++row)
        for (std::int64_t col = 0; col < cols; ++col) {
            const std::uint32_t raw = got[row * static_cast<std::size_t>(cols) + static_cast<std::size_t>(col)];
            const std::int64_t at = offsets[row] + col;
            if (at < offsets[row + 1])
                ASSERT_EQ(std::bit_cast<T>(raw), ragged[static_cast<std::size_t>(at)]);
            else
                ASSERT_EQ(raw, 0xffffffffu);
        }
}

TEST(LayerLayout, lowers_all_images_and_channels_as_the_methods_do) {
    const Workload work = layer();
    const ConvShape& s = work.spec.shape;
    expect_same(whole(w, work), work.w.data);
    expect_same(whole(im2col, work), make_im2col_layout(s, work.x).matrix);
    expect_same(whole(L, work), make_mec_layout(s, work.x).L);
}

TEST(LayerLayout, puts_the_maps_of_x_side_by_side) {
    const Workload work = layer();
    const ConvShape& s = work.spec.shape;
    const auto got = whole(x, work);
    const std::int64_t across = 2;  // of 4 channels
    for (std::int64_t n = 0; n < s.n; ++n)
        for (std::int64_t c = 0; c < s.c; ++c)
            for (std::int64_t h = 0; h < s.h; ++h)
                for (std::int64_t w = 0; w < s.w; ++w) {
                    const std::int64_t row = (n * 2 + c / across) * s.h + h, col = c % across * s.w + w;
                    ASSERT_EQ(std::bit_cast<float>(got[static_cast<std::size_t>(row * across * s.w + col)]),
                              work.x.at(n, c, h, w));
                }
}

TEST(ChannelGrid, is_as_near_to_a_square_as_the_channels_can_be_divided) {
    const auto grid = [](std::int64_t channels) {
        const ChannelGrid made = channel_grid(channels);
        return std::pair(made.down, made.across);
    };
    EXPECT_EQ(grid(1), std::pair(std::int64_t{1}, std::int64_t{1}));
    EXPECT_EQ(grid(3), std::pair(std::int64_t{1}, std::int64_t{3}));
    EXPECT_EQ(grid(64), std::pair(std::int64_t{8}, std::int64_t{8}));
    EXPECT_EQ(grid(480), std::pair(std::int64_t{20}, std::int64_t{24}));
    EXPECT_EQ(grid(512), std::pair(std::int64_t{16}, std::int64_t{32}));
}

TEST(LayerLayout, holds_ecrs_and_pecrs_segments_with_their_unused_slots) {
    const Workload work = layer();
    const ConvShape& s = work.spec.shape;
    const EcrLayout ecr = make_ecr_layout(s, work.x);
    expect_slots(whole(F_data, work), s.reduction(), ecr.F_data, ecr.offsets);
    expect_slots(whole(K_index, work), s.reduction(), ecr.K_index, ecr.offsets);
    expect_same(whole(Ptr, work), ecr.Ptr);
    const PecrLayout pecr = make_pecr_layout(s, work.x);
    expect_slots(whole(Data, work), 4 * s.reduction(), pecr.Data, pecr.offsets);
    expect_slots(whole(Index, work), 4 * s.reduction(), pecr.Index, pecr.offsets);
    expect_same(whole(Count, work), pecr.Count);
}

TEST(LayerLayout, convolves_to_the_reference_result) {
    Workload work = layer();
    const auto got = whole(y, work);
    ConvShape& s = work.spec.shape;
    s.pool_h = s.pool_w = s.pool_stride = 0;
    const Tensor want = to_layout(reference_output(work), Layout::nhwc);
    ASSERT_EQ(got.size(), want.data.size());
    for (std::size_t i = 0; i < got.size(); ++i) ASSERT_NEAR(std::bit_cast<float>(got[i]), want.data[i], 1e-4);
}

TEST(LayerLayout, the_first_rows_of_an_image_are_those_of_the_whole_image) {
    const Workload work = layer();
    for (const LayerArray array : {im2col, L, F_data, Ptr, Data, Count, y, x}) {
        const LayerArraySpec spec = layer_array(array, work.spec.shape);
        const auto all = build_layer_image(spec, work, 1, spec.rows_per_image);
        for (std::int64_t rows = spec.rows_per_unit; rows < spec.rows_per_image; rows += spec.rows_per_unit) {
            const auto part = build_layer_image(spec, work, 1, rows);
            ASSERT_EQ(static_cast<std::int64_t>(part.size()), rows * spec.cols);
            for (std::size_t i = 0; i < part.size(); ++i)
                if (array == y)  // the product of fewer rows may be summed in another order
                    ASSERT_NEAR(std::bit_cast<float>(part[i]), std::bit_cast<float>(all[i]), 1e-4);
                else
                    ASSERT_EQ(part[i], all[i]) << to_string(array) << " " << rows << " " << i;
        }
    }
}

TEST(LayerLayout, shows_as_many_images_as_the_budget_holds) {
    ConvShape vgg;
    vgg.n = 32;
    vgg.c = vgg.k = 64;
    vgg.h = vgg.w = 224;
    vgg.r = vgg.s = 3;
    vgg.pad_h = vgg.pad_w = 1;
    const LayerArraySpec spec = layer_array(im2col, vgg);
    EXPECT_EQ(spec.rows(), 32 * 224 * 224);
    EXPECT_EQ(spec.cols, 576);
    const std::int64_t budget = 512'000'000;
    const LayerPart part = part_that_fits(spec, 6, budget);
    EXPECT_EQ(part.first_image, 4);
    EXPECT_EQ(part.images, 4);
    EXPECT_GE(part.rows() * spec.cols, 100'000'000);
    EXPECT_EQ(part_words(spec, part, budget), "Images 4-7 of 32: the view's 512 MB hold no more.");
    EXPECT_EQ(part_that_fits(spec, 31, budget).first_image, 28);
    EXPECT_EQ(first_row(spec, part_that_fits(spec, 31, budget)), 28 * spec.rows_per_image);
    EXPECT_EQ(place_words(spec, vgg, part, 50176 + 225, 130), "image 5, output (1, 1), channel 2, filter cell (0, 2)");
    const LayerPart little = part_that_fits(spec, 6, 10'000'000);
    EXPECT_EQ(little.first_image, 6);
    EXPECT_EQ(little.rows_per_image % 224, 0);
    EXPECT_LE(4 * little.rows() * spec.cols, 10'000'000);
    EXPECT_EQ(part_words(spec, little, 10'000'000),
              "Image 6 of 32, the first 4 256 of 50 176 rows: the view's 10 MB hold no more.");
    EXPECT_EQ(part_that_fits(spec, 99, 10'000'000).first_image, 31) << "there is no later one";
    vgg.n = 2;
    EXPECT_EQ(part_words(layer_array(im2col, vgg), part_that_fits(layer_array(im2col, vgg), 1, budget), budget), "");
}

// The last rows and columns of the padding are not rows of x, on either side.
TEST(LayerLayout, says_where_an_element_comes_from) {
    ConvShape shape{.n = 1, .c = 2, .h = 5, .w = 5, .k = 4, .r = 3, .s = 3, .pad_h = 1, .pad_w = 1};
    shape.pool_h = shape.pool_w = shape.pool_stride = 2;
    const auto words = [&](LayerArray array, std::int64_t row, std::int64_t col) {
        const LayerArraySpec spec = layer_array(array, shape);
        return place_words(spec, shape, part_that_fits(spec, 0, 1'000'000), row, col);
    };
    EXPECT_EQ(words(x, 2, 8), "channel 1, row 2, column 3");
    EXPECT_EQ(words(w, 3, 16), "filter 3, channel 1, filter cell (2, 1)");
    EXPECT_EQ(words(y, 13, 2), "output (2, 3), filter 2");
    EXPECT_EQ(words(im2col, 13, 15), "output (2, 3), channel 1, filter cell (2, 1)");
    EXPECT_EQ(words(L, 3, 1), "output column 3, channel 1, padding, no row of x, filter column 0");
    EXPECT_EQ(words(L, 3, 6), "output column 3, channel 0, row 0 of x, filter column 0");
    EXPECT_EQ(words(L, 3, 34), "output column 3, channel 0, row 4 of x, filter column 2");
    EXPECT_EQ(words(L, 3, 40), "output column 3, channel 0, padding, no row of x, filter column 2");
    EXPECT_EQ(words(F_data, 13, 5), "output (2, 3), slot 5");
    EXPECT_EQ(words(Ptr, 2, 3), "output row 2, output column 3");
    EXPECT_EQ(words(Data, 3, 5), "pooled output (1, 1), slot 5");
    EXPECT_EQ(words(Count, 2, 1), "pooled output (1, 0), window (0, 1) of the pooling window");
}

TEST(LayerLayout, indices_and_counts_are_whole_numbers) {
    ConvShape shape{.n = 1, .c = 2, .h = 6, .w = 6, .k = 4, .r = 3, .s = 3};
    shape.pool_h = shape.pool_w = shape.pool_stride = 2;
    for (const LayerArray array : {x, w, im2col, L, F_data, K_index, Ptr, Data, Index, Count, y}) {
        const LayerArraySpec spec = layer_array(array, shape);
        const bool index = array == K_index || array == Index, count = array == Ptr || array == Count;
        EXPECT_EQ(spec.element, index || count ? Element::i32 : Element::f32) << to_string(array);
        EXPECT_EQ(spec.zero_is_a_value, index) << to_string(array);
        EXPECT_EQ(spec.empty_slots, index || array == F_data || array == Data) << to_string(array);
    }
}

TEST(LayerLayout, rejects_pecr_without_pooling) {
    ConvShape shape;
    shape.h = shape.w = 5;
    EXPECT_THROW(layer_array(Data, shape), Error);
}

}  // namespace
}  // namespace convscope
