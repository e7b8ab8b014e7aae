// The pyramid's figures against a plain loop over the same elements, tile by tile, on every level.
#include "visualizers/grid/tile_pyramid.h"

#include <gtest/gtest.h>

#include <bit>
#include <chrono>
#include <cmath>
#include <limits>
#include <random>

#include "kernels/core/host_memory.h"
#include "visualizers/gl/egl_context.h"

namespace convscope {
namespace {

constexpr std::uint32_t blank = 0xffffffffu;

class Pyramid : public ::testing::Test {
protected:
    std::unique_ptr<gl::EglContext> egl = gl::EglContext::create();
    std::shared_ptr<PyramidPrograms> programs = std::make_shared<PyramidPrograms>();
    std::vector<std::uint32_t> bits;
    gl::Buffer buffer;
    PyramidSource source;

    /// Fills the buffer with every kind of element: zeros of both signs, denormals, NaN, infinities, blanks.
    void fill(std::int64_t rows, std::int64_t cols, std::int64_t stride, std::int64_t first, unsigned seed) {
        std::mt19937 random(seed);
        bits.resize(static_cast<std::size_t>(first + rows * stride));
        for (std::uint32_t& raw : bits) {
            const unsigned kind = random() % 32;
            const float value = static_cast<float>(static_cast<int>(random() % 2001) - 1000) / 8;
            raw = std::bit_cast<std::uint32_t>(value);
            if (source.element == Element::i32) raw = random() % 400 - 3;
            if (kind < 8) raw = 0;
            if (source.element == Element::f32 && kind == 9) raw = 0x80000000u;
            if (source.element == Element::f32 && kind == 10) raw = 1;  // the smallest denormal
            if (source.element == Element::f32 && kind == 11 && random() % 8 == 0) raw = 0x7fc00000u;
            if (kind > 27) raw = blank;
        }
        buffer = gl::Buffer("test", 4 * static_cast<std::int64_t>(bits.size()));
        buffer.write(bits.data(), buffer.bytes());
        source.buffer = buffer.id();
        source.first = first;
        source.rows = rows;
        source.cols = cols;
        source.row_stride = stride;
    }

    TileStats by_hand(std::int64_t row0, std::int64_t row1, std::int64_t col0, std::int64_t col1) const {
        TileStats all;
        for (std::int64_t row = row0; row < row1; ++row)
            all.add(stats_of(source, &bits[static_cast<std::size_t>(source.first + row * source.row_stride + col0)],
                             col1 - col0));
        return all;
    }

    void expect_exact(const TilePyramid& pyramid) const {
        for (std::size_t at = 0; at < pyramid.levels().size(); ++at) {
            const PyramidLevel& level = pyramid.levels()[at];
            for (std::int64_t row = 0; row < level.rows; ++row)
                for (std::int64_t col = 0; col < level.cols; ++col) {
                    const TileStats got = pyramid.stats(at, row, row + 1, col, col + 1);
                    const TileStats want =
                        by_hand(row * level.tile_rows, std::min((row + 1) * level.tile_rows, source.rows),
                                col * level.tile_cols, std::min((col + 1) * level.tile_cols, source.cols));
                    ASSERT_EQ(got.elements, want.elements) << at << " " << row << " " << col;
                    ASSERT_EQ(got.filled, want.filled) << at << " " << row << " " << col;
                    ASSERT_EQ(got.zeros, want.zeros) << at << " " << row << " " << col;
                    ASSERT_EQ(got.nans, want.nans) << at << " " << row << " " << col;
                    if (want.filled == want.nans) {
                        ASSERT_GT(got.least, got.largest);
                        continue;
                    }
                    ASSERT_EQ(got.least, want.least) << at << " " << row << " " << col;
                    ASSERT_EQ(got.largest, want.largest) << at << " " << row << " " << col;
                    ASSERT_NEAR(got.sum, want.sum, 1e-4 * static_cast<double>(want.filled) * 125);
                }
        }
    }
    void build_and_compare() {
        TilePyramid pyramid(programs);
        pyramid.reset(source);
        while (!pyramid.advance(5)) continue;
        ASSERT_FALSE(pyramid.levels().empty());
        expect_exact(pyramid);
    }
};

TEST_F(Pyramid, equals_a_loop_at_odd_sizes_strides_and_starts) {
    unsigned seed = 1;
    for (const auto& [rows, cols, stride, first] : std::vector<std::array<std::int64_t, 4>>{
             {64, 64, 64, 0}, {1, 301, 301, 0}, {301, 1, 1, 5}, {37, 41, 50, 13}, {513, 9, 9, 3}, {7, 1000, 1003, 0}})
        for (const bool empty_slots : {false, true}) {
            source.empty_slots = empty_slots;
            fill(rows, cols, stride, first, seed++);
            build_and_compare();
        }
}

TEST_F(Pyramid, counts_integers_as_the_views_do) {
    source.element = Element::i32;
    for (const bool indices : {false, true}) {
        source.zero_is_a_value = indices;
        source.empty_slots = indices;
        fill(91, 67, 67, 0, 17);
        build_and_compare();
    }
}

TEST_F(Pyramid, begins_again_with_new_contents) {
    fill(100, 100, 100, 0, 3);
    TilePyramid pyramid(programs);
    pyramid.reset(source);
    while (!pyramid.advance(5)) continue;
    bits.assign(bits.size(), std::bit_cast<std::uint32_t>(2.5f));
    buffer.write(bits.data(), buffer.bytes());
    pyramid.reset(source);
    EXPECT_FALSE(pyramid.complete());
    while (!pyramid.advance(5)) continue;
    expect_exact(pyramid);
}

TEST_F(Pyramid, waits_for_rows_that_are_still_to_be_written) {
    fill(64, 64, 64, 0, 5);
    TilePyramid pyramid(programs);
    pyramid.reset(source);
    pyramid.rows_written(10);
    EXPECT_FALSE(pyramid.advance(1000));
    EXPECT_LT(pyramid.progress(), 0.5);
    const PyramidLevel& level = pyramid.levels()[0];
    ASSERT_EQ(level.tile_rows, 4);
    EXPECT_EQ(pyramid.stats(0, 1, 2, 0, 1).zeros, by_hand(4, 8, 0, 4).zeros);
    pyramid.rows_written(64);
    while (!pyramid.advance(5)) continue;
    expect_exact(pyramid);
}

TEST_F(Pyramid, takes_an_array_of_many_millions_in_parts) {
    // More than a shader of a software renderer sees at once, and more than a frame's work.
    const std::int64_t rows = 201000, cols = 576;
    if (available_host_memory_bytes() < std::int64_t{3} << 30) GTEST_SKIP() << "needs 3 GB of free memory";
    std::vector<float> row(static_cast<std::size_t>(cols));
    buffer = gl::Buffer("test", 4 * rows * cols);
    constexpr std::int64_t band = 1000;
    std::vector<float> values(static_cast<std::size_t>(band * cols));
    for (std::int64_t first = 0; first < rows; first += band) {
        for (std::int64_t i = 0; i < band * cols; ++i)
            values[static_cast<std::size_t>(i)] =
                (first + i / cols) % 5 == 0 ? 0.0f : static_cast<float>((first + i / cols) % 997);
        buffer.write(values.data(), 4 * band * cols, 4 * first * cols);
    }
    source = {buffer.id(), 0, rows, cols, cols, Element::f32, false, false};
    TilePyramid pyramid(programs);
    pyramid.reset(source);
    int frames = 0;
    while (!pyramid.advance(10)) ++frames;
    RecordProperty("frames", frames);
    const std::size_t last = pyramid.levels().size() - 1;
    const PyramidLevel& top = pyramid.levels()[last];
    const TileStats all = pyramid.stats(last, 0, top.rows, 0, top.cols);
    EXPECT_EQ(all.elements, rows * cols);
    std::int64_t zero_rows = 0;
    for (std::int64_t r = 0; r < rows; ++r) zero_rows += r % 5 == 0 || r % 997 == 0;
    EXPECT_EQ(all.zeros, zero_rows * cols);
    EXPECT_EQ(all.largest, 996);
    EXPECT_EQ(all.least, 0);
}

TEST(PyramidLevels, aggregate_tall_arrays_along_their_rows_first) {
    const auto tall = pyramid_levels(200704, 576);
    EXPECT_EQ(tall[0], (PyramidLevel{16, 1, 12544, 576}));
    EXPECT_EQ(tall[1], (PyramidLevel{64, 1, 3136, 576}));
    const auto wide = pyramid_levels(896, 43392);
    EXPECT_EQ(wide[0].tile_rows, 1);
    EXPECT_EQ(wide[0].tile_cols, 16);
    EXPECT_TRUE(pyramid_levels(3, 3).empty());
}

TEST(PyramidLevels, the_coarsest_that_is_no_larger_than_a_pixel_is_drawn) {
    const auto levels = pyramid_levels(1024, 1024);
    EXPECT_EQ(level_for(levels, 1, 1), no_level);
    EXPECT_EQ(level_for(levels, 3, 3), no_level);
    EXPECT_EQ(level_for(levels, 4, 4), 0u);
    EXPECT_EQ(level_for(levels, 9, 9), 1u);
    EXPECT_EQ(level_for(levels, 100, 1), 0u);  // more than a shader should look at one by one
}

}  // namespace
}  // namespace convscope
