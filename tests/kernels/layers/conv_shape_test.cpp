#include "kernels/layers/conv_shape.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

#include "kernels/layers/shape_fields.h"

#include "tests/kernels/files/temp_folder.h"

namespace convscope {
namespace {

/// A valid shape to spoil: 2x3x8x9 with 4 filters of 3x2, stride 2,1, pad 1,0.
ConvShape good() {
    ConvShape shape;
    shape.n = 2, shape.c = 3, shape.h = 8, shape.w = 9;
    shape.k = 4, shape.r = 3, shape.s = 2;
    shape.stride_h = 2, shape.pad_h = 1;
    return shape;
}

TEST(ConvShape, output_size_is_that_of_equation1) {
    const ConvShape shape = good();
    EXPECT_EQ(shape.padded_h(), 10);
    EXPECT_EQ(shape.padded_w(), 9);
    EXPECT_EQ(shape.p(), 4);  // (10 - 3) / 2 + 1, rounded down
    EXPECT_EQ(shape.q(), 8);  // (9 - 2) / 1 + 1
    EXPECT_EQ(shape.out_h(), 4);
    EXPECT_EQ(shape.out_w(), 8);
    EXPECT_FALSE(shape.pooled());
}

TEST(ConvShape, counts_elements) {
    const ConvShape shape = good();
    EXPECT_EQ(shape.window(), 6);
    EXPECT_EQ(shape.reduction(), 18);
    EXPECT_EQ(shape.x_elements(), 2 * 3 * 8 * 9);
    EXPECT_EQ(shape.w_elements(), 4 * 3 * 3 * 2);
    EXPECT_EQ(shape.conv_elements(), 2 * 4 * 4 * 8);
    EXPECT_EQ(shape.y_elements(), 2 * 4 * 4 * 8);
    EXPECT_EQ(shape.flops_dense(), 2.0 * 256 * 18);
    EXPECT_EQ(shape.min_bytes(), 4 * (432 + 72 + 256));
}

TEST(ConvShape, pooling_rounds_down) {
    ConvShape shape = good();
    shape.pool_h = 2, shape.pool_w = 3, shape.pool_stride = 2;
    EXPECT_TRUE(shape.pooled());
    EXPECT_EQ(shape.out_h(), 2);  // (4 - 2) / 2 + 1
    EXPECT_EQ(shape.out_w(), 3);  // (8 - 3) / 2 + 1
    EXPECT_EQ(shape.y_elements(), 2 * 4 * 2 * 3);
    EXPECT_EQ(shape.conv_elements(), 256);         // unpooled
    EXPECT_EQ(shape.flops_dense(), 2 * 256 * 18);  // pooling is not counted
}

TEST(ConvShape, multiplications_and_additions_of_xu_fig_4) {
    ConvShape shape;
    shape.h = shape.w = 5, shape.r = shape.s = 3;
    // All three block rows; the paper's 27 and 24 are those of B1 alone.
    EXPECT_EQ(shape.multiplications_per_map(), 81);
    EXPECT_EQ(shape.additions_per_map(), 72);
}

TEST(ConvShape, lowered_sizes_of_cho_and_brand_figs_1_and_2) {
    ConvShape shape;
    shape.h = shape.w = 7, shape.r = shape.s = 3;
    EXPECT_EQ(shape.im2col_elements(), 25 * 9);
    EXPECT_EQ(shape.mec_elements(), 5 * 21);
    EXPECT_EQ(shape.mec_saving_elements(), 120);
}

TEST(ConvShape, lowered_sizes_of_mec_cv1) {
    ConvShape shape;
    shape.n = 32, shape.c = 3, shape.h = shape.w = 227, shape.k = 96, shape.r = shape.s = 11;
    shape.stride_h = shape.stride_w = 4;
    EXPECT_EQ(shape.p(), 55);
    EXPECT_EQ(shape.im2col_elements(), 35138400);  // 32 * 55 * 55 * 11 * 11 * 3
    EXPECT_EQ(shape.mec_elements(), 13184160);     // 32 * 55 * 227 * 11 * 3
}

TEST(ConvShape, saving_is_that_of_equation4) {
    // n c q s (p r - padded_h): with stride 1 and no padding, the paper's i_n i_c o_w k_w (i_h - k_h)(k_h / s_h - 1).
    ConvShape shape;
    shape.n = 2, shape.c = 5, shape.h = 12, shape.w = 9, shape.r = 4, shape.s = 3;
    EXPECT_EQ(shape.mec_saving_elements(), 2 * 5 * 7 * 3 * (12 - 4) * (4 - 1));
    shape.pad_h = 2, shape.pad_w = 1, shape.stride_h = 3;
    EXPECT_EQ(shape.p(), 5);
    EXPECT_EQ(shape.q(), 9);
    EXPECT_EQ(shape.mec_saving_elements(), 2 * 5 * 9 * 3 * (5 * 4 - 16));
}

TEST(ConvShape, prints) {
    ConvShape shape = good();
    EXPECT_EQ(to_string(shape), "2x3x8x9 * 4x3x3x2, stride 2,1, pad 1,0");
    shape.stride_h = 1, shape.pad_h = 0, shape.pool_h = shape.pool_w = 2, shape.pool_stride = 1;
    EXPECT_EQ(to_string(shape), "2x3x8x9 * 4x3x3x2, stride 1, pad 0, pool 2 stride 1");
}

TEST(ConvShape, padding_may_differ_by_side) {
    ConvShape shape = good();  // 8 x 9, 3 x 2, stride 2,1, pad 1,0
    shape.pad_extra_h = -1, shape.pad_extra_w = 3;
    EXPECT_TRUE(shape.padded_by_side());
    EXPECT_EQ(shape.pad_top(), 1);
    EXPECT_EQ(shape.pad_bottom(), 0);
    EXPECT_EQ(shape.pad_left(), 0);
    EXPECT_EQ(shape.pad_right(), 3);
    EXPECT_EQ(shape.padded_h(), 9);
    EXPECT_EQ(shape.padded_w(), 12);
    EXPECT_EQ(shape.p(), 4);   // (9 - 3) / 2 + 1
    EXPECT_EQ(shape.q(), 11);  // (12 - 2) / 1 + 1
    EXPECT_EQ(shape.x_row(0, 0), -1);
    EXPECT_EQ(shape.x_col(0, 0), 0);
    EXPECT_NO_THROW(validate(shape));
    EXPECT_EQ(to_string(shape), "2x3x8x9 * 4x3x3x2, stride 2,1, pad 1,0,0,3");
    const ShapeKey& key = shape_key(&ConvShape::pad_h);
    EXPECT_EQ(text_of(key, shape), "1x0x0x3");
    EXPECT_NE(key_of(shape), key_of(good()));
    EXPECT_EQ(good().pad_bottom(), 1);
    EXPECT_EQ(text_of(key, good()), "1x0");
    shape.pad_extra_h = -2;
    EXPECT_EQ(error_of(ErrorKind::usage, [&] { validate(shape); }),
              "the padding below is -1; it must be at least 0 and at most 2147483647");
    shape.pad_extra_h = 0, shape.pad_extra_w = -1;
    expect_contains(error_of(ErrorKind::usage, [&] { validate(shape); }), "the padding on the right is -1; it must be");
    shape.pad_extra_w = std::int64_t{1} << 31;
    expect_contains(error_of(ErrorKind::usage, [&] { validate(shape); }), "the padding on the right is 2147483648; it");
    shape.pad_w = 1, shape.pad_extra_w = std::numeric_limits<std::int64_t>::max();
    expect_contains(error_of(ErrorKind::usage, [&] { validate(shape); }), "is 9223372036854775808; it must be");
}

TEST(ConvShape, numbers_are_for_all_sides_or_directions_or_each_side) {
    const ShapeKey& key = shape_key(&ConvShape::pad_h);
    EXPECT_EQ(max_numbers(key), 4U);
    EXPECT_EQ(max_numbers(shape_key(&ConvShape::stride_h)), 2U);
    EXPECT_EQ(max_numbers(shape_key(&ConvShape::groups)), 1U);
    ConvShape shape = good();
    const auto set = [&](std::vector<std::int64_t> numbers) {
        set_numbers(shape, key, numbers);
        return text_of(key, shape, ",");
    };
    EXPECT_EQ(set({0, 1, 2, 4}), "0,1,2,4");
    EXPECT_EQ(set({3, 1}), "3,1");
    EXPECT_EQ(set({1, 1, 1, 2}), "1,1,1,2");
    EXPECT_EQ(set({1, 1, 2, 2}), "1,2") << "no side differs from the opposite one";
    EXPECT_EQ(set({0, 1, 0, 1}), "0,1,0,1");
    EXPECT_EQ(set({2}), "2");
}

TEST(ConvShape, same_padding_gives_an_output_of_the_map_divided_by_the_stride) {
    for (std::int64_t h = 1; h <= 9; ++h)
        for (std::int64_t r = 1; r <= 6; ++r)
            for (std::int64_t stride = 1; stride <= 4; ++stride)
                for (std::int64_t dilation = 1; dilation <= 3; ++dilation) {
                    ConvShape shape{.h = h, .w = 7, .r = r, .s = 2, .stride_h = stride, .pad_h = 5, .pad_extra_w = 9};
                    shape.dilation_h = dilation;
                    pad_same(shape);
                    const std::string words = to_string(shape);
                    EXPECT_NO_THROW(validate(shape)) << words;
                    EXPECT_EQ(shape.p(), (h + stride - 1) / stride) << words;
                    EXPECT_EQ(shape.q(), 7) << words;
                    EXPECT_EQ(shape.pad_left(), 0) << words;
                    EXPECT_EQ(shape.pad_right(), 1) << "the odd one: " << words;
                    EXPECT_TRUE(shape.pad_extra_h == 0 || shape.pad_extra_h == 1) << words;
                    // No window needs the last row of zeros of more padding than that.
                    const std::int64_t total = shape.pad_top() + shape.pad_bottom();
                    if (total == 0) continue;
                    EXPECT_EQ(shape.padded_h(), (shape.p() - 1) * stride + shape.span_h()) << words;
                }
}

TEST(ConvShape, same_padding_of_what_is_no_shape_names_the_field) {
    ConvShape shape = good();
    shape.stride_w = 0;
    EXPECT_EQ(error_of(ErrorKind::usage, [&] { pad_same(shape); }), "stride_w is 0; it must be at least 1");
}

struct Field {
    const char* name;
    std::int64_t ConvShape::*member;
    std::int64_t least;
};

class EveryField : public ::testing::TestWithParam<Field> {};

TEST_P(EveryField, is_named_when_it_is_out_of_range) {
    const auto [name, member, least] = GetParam();
    ConvShape shape = good();
    shape.pool_h = shape.pool_w = shape.pool_stride = 1;
    EXPECT_NO_THROW(validate(shape));
    for (std::int64_t value : {least - 1, std::numeric_limits<std::int64_t>::min()}) {
        shape.*member = value;
        EXPECT_EQ(error_of(ErrorKind::usage, [&] { validate(shape); }),
                  name + (" is " + std::to_string(value)) + "; it must be at least " + std::to_string(least));
    }
    for (std::int64_t value : {std::int64_t{1} << 31, std::numeric_limits<std::int64_t>::max()}) {
        shape.*member = value;
        EXPECT_EQ(error_of(ErrorKind::usage, [&] { validate(shape); }),
                  name + (" is " + std::to_string(value)) + "; it must be at most 2147483647");
    }
}

INSTANTIATE_TEST_SUITE_P(
    Fields, EveryField,
    ::testing::Values(Field{"n", &ConvShape::n, 1}, Field{"c", &ConvShape::c, 1}, Field{"h", &ConvShape::h, 1},
                      Field{"w", &ConvShape::w, 1}, Field{"k", &ConvShape::k, 1}, Field{"r", &ConvShape::r, 1},
                      Field{"s", &ConvShape::s, 1}, Field{"stride_h", &ConvShape::stride_h, 1},
                      Field{"stride_w", &ConvShape::stride_w, 1}, Field{"pad_h", &ConvShape::pad_h, 0},
                      Field{"dilation_h", &ConvShape::dilation_h, 1}, Field{"dilation_w", &ConvShape::dilation_w, 1},
                      Field{"groups", &ConvShape::groups, 1}, Field{"pad_w", &ConvShape::pad_w, 0},
                      Field{"pool_h", &ConvShape::pool_h, 1}, Field{"pool_w", &ConvShape::pool_w, 1},
                      Field{"pool_stride", &ConvShape::pool_stride, 1}));

TEST(ConvShape, a_filter_as_large_as_the_map_leaves_one_output) {
    ConvShape shape = good();
    shape.r = 10, shape.s = 9;
    EXPECT_NO_THROW(validate(shape));
    EXPECT_EQ(shape.p() * shape.q(), 1);
    shape.s = 10;
    EXPECT_EQ(error_of(ErrorKind::usage, [&] { validate(shape); }),
              "a 10x10 filter leaves no output on a 10x9 map (padding included); it must be at most as large as the "
              "map");
}

TEST(ConvShape, a_dilated_filter_must_fit_the_map) {
    ConvShape shape = good();  // a 10x9 map, padding included
    shape.r = shape.s = 3;
    shape.dilation_h = shape.dilation_w = 4;
    EXPECT_NO_THROW(validate(shape));
    EXPECT_EQ(shape.span_h(), 9);
    EXPECT_EQ(shape.q(), 1);
    EXPECT_TRUE(to_string(shape).ends_with(", dilation 4")) << to_string(shape);
    shape.dilation_w = 5;
    EXPECT_EQ(error_of(ErrorKind::usage, [&] { validate(shape); }),
              "a 3x3 filter of dilation 4,5 leaves no output on a 10x9 map (padding included); it must be at most as "
              "large as the map");
}

TEST(ConvShape, groups_divide_channels_and_filters) {
    ConvShape shape{.n = 2, .c = 8, .h = 5, .w = 5, .k = 12, .r = 3, .s = 3, .groups = 4};
    EXPECT_NO_THROW(validate(shape));
    EXPECT_EQ(shape.w_elements(), 12 * 2 * 9);
    EXPECT_EQ(shape.flops_dense(), 2.0 * 2 * 12 * 9 * 2 * 9);
    EXPECT_EQ(to_string(one_group(shape)), "2x2x5x5 * 3x2x3x3, stride 1, pad 0");
    EXPECT_EQ(to_string(shape), "2x8x5x5 * 12x2x3x3, stride 1, pad 0, 4 groups");
    shape.groups = 3;
    EXPECT_EQ(error_of(ErrorKind::usage, [&] { validate(shape); }),
              "groups is 3; it must divide the 8 channels and the 12 filters");
}

TEST(ConvShape, a_pooling_window_must_fit_the_output) {
    ConvShape shape = good();
    shape.pool_h = 4, shape.pool_w = 8, shape.pool_stride = 1;
    EXPECT_NO_THROW(validate(shape));
    shape.pool_h = 5;
    EXPECT_EQ(error_of(ErrorKind::usage, [&] { validate(shape); }),
              "a 5x8 pooling window does not fit the 4x8 convolution output");
}

TEST(ConvShape, tensors_must_be_addressable_by31_bits) {
    ConvShape shape;
    shape.h = 65536, shape.w = 32768;  // 2^31
    expect_contains(error_of(ErrorKind::usage, [&] { validate(shape); }),
                    "x with its padding has more than 2147483647");
    shape.w = 32767;
    EXPECT_NO_THROW(validate(shape));

    shape = ConvShape{};
    shape.h = shape.w = 2, shape.r = shape.s = 2, shape.k = 1 << 30;
    expect_contains(error_of(ErrorKind::usage, [&] { validate(shape); }), "w has more than");

    shape = ConvShape{};
    shape.h = shape.w = 1 << 10, shape.k = 1 << 11;
    expect_contains(error_of(ErrorKind::usage, [&] { validate(shape); }), "the convolution output has more than");
}

TEST(ConvShape, products_beyond63_bits_do_not_wrap_round) {
    ConvShape shape;
    shape.n = shape.h = shape.pad_h = std::numeric_limits<std::int32_t>::max();
    expect_contains(error_of(ErrorKind::usage, [&] { validate(shape); }), "x with its padding has more than");
}

}  // namespace
}  // namespace convscope
