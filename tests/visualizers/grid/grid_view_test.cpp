// The grid's pixels, read back: what a zero, an empty slot, a value, an aggregate and a link look like.
#include "visualizers/grid/grid_view.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>

#include "tests/visualizers/offscreen_ui.h"
#include "visualizers/gl/objects.h"

namespace convscope {
namespace {

class Grid : public ::testing::Test {
protected:
    OffscreenUi ui{320, 240};
    GridRenderer renderer;
    gl::Buffer buffer;
    GridSource source;
    GridCamera camera;
    GridDecor decor;
    GridHit hit;
    ImVec2 at{20, 20}, size{200, 200};
    bool presented = false;

    void show(std::int64_t rows, std::int64_t cols, const std::vector<float>& values) {
        buffer = gl::Buffer("test", 4 * rows * cols);
        buffer.write(values.data(), 4 * rows * cols);
        source.buffer = buffer.id();
        source.rows = rows;
        source.cols = source.row_stride = cols;
        source.range = {0, 10};
    }
    gl::Image draw() {
        return ui.frame([&] {
            renderer.begin_frame();
            ViewStyle style = ui.style();
            style.presented = presented;
            hit = renderer.draw("grid", at, size, source, camera, decor, style);
        });
    }
    /// The first frame after which no later one would show more.
    template <class Frame>
    gl::Image finished(Frame frame) {
        gl::Image image = frame();
        while (renderer.building()) image = frame();
        return image;
    }
    static bool close(const gl::Image::Pixel& p, const Rgba& c, int slack = 2) {
        const std::uint32_t want = c.u32();
        return std::abs(p.r - static_cast<int>(want & 255)) <= slack &&
               std::abs(p.g - static_cast<int>(want >> 8 & 255)) <= slack &&
               std::abs(p.b - static_cast<int>(want >> 16 & 255)) <= slack;
    }
    const Theme& theme() const { return *ui.style().theme; }
};

constexpr float empty = std::bit_cast<float>(0xffffffffu);

TEST_F(Grid, colours_values_hatches_zeros_and_leaves_empty_slots_blank) {
    show(2, 2, {5, 0, empty, std::numeric_limits<float>::quiet_NaN()});
    source.empty_slots = true;
    const gl::Image image = draw();
    EXPECT_TRUE(close(image.at(70, 70), theme().value(5, source.range)));
    int plain = 0, hatched = 0;
    for (int x = 130; x < 210; ++x) {
        plain += close(image.at(x, 70), theme().zero);
        hatched += close(image.at(x, 70), theme().hatch);
    }
    EXPECT_GT(plain, 40);
    EXPECT_GT(hatched, 8);
    EXPECT_TRUE(close(image.at(70, 170), theme().panel));
    EXPECT_TRUE(close(image.at(170, 170), theme().not_a_number));
}

TEST_F(Grid, shows_the_chosen_figure_of_what_is_below_a_pixel) {
    // 2000 x 2000 elements on 200 x 200 px: 100 under each pixel. Left half dense, right half a tenth filled.
    const int n = 2000;
    std::vector<float> values(static_cast<std::size_t>(n) * n);
    for (int row = 0; row < n; ++row)
        for (int col = 0; col < n; ++col)
            values[static_cast<std::size_t>(row) * n + col] =
                col < n / 2 ? (row % 2 ? 4.0f : 8.0f) : (row % 10 == 3 ? 6.0f : 0.0f);
    show(n, n, values);
    TilePyramid pyramid(renderer.pyramid_programs());
    pyramid.reset({buffer.id(), 0, n, n, n, Element::f32, false, false});
    source.pyramid = &pyramid;
    finished([&] { return draw(); });
    EXPECT_TRUE(hit.aggregated);
    EXPECT_EQ(hit.built, 1);
    auto expect = [&](Aggregate aggregate, const Rgba& left, const Rgba& right) {
        renderer.show(aggregate);
        const gl::Image image = finished([&] { return draw(); });
        EXPECT_TRUE(close(image.at(70, 120), left, 4)) << to_string(aggregate);
        EXPECT_TRUE(close(image.at(170, 120), right, 4)) << to_string(aggregate);
    };
    expect(Aggregate::largest, theme().value(8, source.range), theme().value(6, source.range));
    expect(Aggregate::mean, theme().value(6, source.range), theme().value(0.6f, source.range));
    expect(Aggregate::share, theme().value(1, {0, 1}), theme().value(0.1f, {0, 1}));
}

TEST_F(Grid, every_pixel_of_an_aggregate_is_the_figure_of_its_elements) {
    // 16 x 8 elements under each of 100 x 100 px, zeros in lumps.
    const std::int64_t rows = 1600, cols = 800;
    std::vector<float> values(static_cast<std::size_t>(rows * cols));
    std::uint32_t state = 12345;
    for (std::int64_t row = 0; row < rows; ++row)
        for (std::int64_t col = 0; col < cols; ++col) {
            state = state * 1664525u + 1013904223u;
            const bool zero = state >> 24 < static_cast<std::uint32_t>(row / 16 + col / 8);
            values[static_cast<std::size_t>(row * cols + col)] =
                zero ? 0.0f : static_cast<float>(state >> 8 & 1023) / 100;
        }
    show(rows, cols, values);
    TilePyramid pyramid(renderer.pyramid_programs());
    pyramid.reset({buffer.id(), 0, rows, cols, cols, Element::f32, false, false});
    source.pyramid = &pyramid;
    const GridPlace place{at, {100, 100}, 0.125, 0.0625, 0, 0};
    auto picture = [&] {
        return ui.frame([&] {
            renderer.begin_frame();
            hit = renderer.draw_cells(place, source, decor, ui.style());
        });
    };
    for (const Aggregate aggregate : {Aggregate::share, Aggregate::largest, Aggregate::mean}) {
        renderer.show(aggregate);
        const gl::Image image = finished(picture);
        for (int y = 0; y < 100; ++y)
            for (int x = 0; x < 100; ++x) {
                double filled = 0, sum = 0, largest = 0;
                for (std::int64_t row = 16 * y; row < 16 * y + 16; ++row)
                    for (std::int64_t col = 8 * x; col < 8 * x + 8; ++col) {
                        const double value = values[static_cast<std::size_t>(row * cols + col)];
                        filled += value != 0;
                        sum += value;
                        largest = std::max(largest, value);
                    }
                const double shown = aggregate == Aggregate::share     ? filled / 128
                                     : aggregate == Aggregate::largest ? largest
                                                                       : sum / 128;
                const ValueRange range = aggregate == Aggregate::share ? ValueRange{0, 1} : source.range;
                const Rgba want = filled == 0 ? theme().zero : theme().value(static_cast<float>(shown), range);
                ASSERT_TRUE(close(image.at(20 + x, 20 + y), want, 6)) << to_string(aggregate) << " " << x << " " << y;
            }
    }
}

TEST_F(Grid, lets_a_few_elements_stand_for_the_rest_until_aggregates_are_there) {
    const int n = 800;
    show(n, n, std::vector<float>(static_cast<std::size_t>(n) * n, 7.0f));
    renderer.show(Aggregate::mean);
    const gl::Image image = draw();
    EXPECT_TRUE(hit.aggregated);
    EXPECT_TRUE(close(image.at(70, 120), theme().value(7, source.range), 4));
}

TEST_F(Grid, outlines_linked_cells_in_the_accent_colour) {
    show(4, 4, std::vector<float>(16, 5.0f));
    decor.linked = {{1, 2}};
    const gl::Image image = draw();
    EXPECT_TRUE(close(image.at(121, 95), theme().accent));  // left edge of the cell at column 2
    EXPECT_FALSE(close(image.at(71, 95), theme().accent));  // and none at column 1's
    EXPECT_TRUE(close(image.at(145, 95), theme().value(5, source.range)));
}

TEST_F(Grid, draws_part_of_an_array_by_its_strides) {
    show(4, 4, {1, 1, 1, 1, 1, 1, 9, 1, 1, 1, 1, 1, 1, 1, 1, 1});
    source.first = 4;  // the second row of the array, as a column
    source.rows = 4;
    source.cols = 1;
    source.row_stride = 1;
    const gl::Image image = draw();
    EXPECT_TRUE(close(image.at(120, 145), theme().value(9, source.range)));
    EXPECT_TRUE(close(image.at(120, 95), theme().value(1, source.range)));
}

TEST_F(Grid, draws_negative_integers_and_zero_counts_as_zero_but_zero_indices_as_values) {
    show(1, 2, {std::bit_cast<float>(-1), std::bit_cast<float>(0)});
    source.element = Element::i32;
    gl::Image image = draw();
    EXPECT_TRUE(close(image.at(40, 40), theme().zero) || close(image.at(41, 40), theme().zero));
    source.zero_is_a_value = true;
    image = draw();
    EXPECT_TRUE(close(image.at(170, 100), theme().value(0, source.range)));
}

TEST_F(Grid, prints_values_where_all_of_them_fit) {
    show(4, 4, std::vector<float>(16, 5.0f));
    std::vector<std::uint32_t> bits(16, std::bit_cast<std::uint32_t>(5.0f));
    source.read = [&bits](std::int64_t, std::int64_t, std::int64_t, std::int64_t) -> const std::vector<std::uint32_t>& {
        return bits;
    };
    auto shown_at = [&](float cell) {
        size = {4 * cell, 4 * cell};
        draw();
        return hit.values_shown;
    };
    EXPECT_TRUE(shown_at(50));
    EXPECT_TRUE(shown_at(22));
    EXPECT_FALSE(shown_at(21));
    bits[7] = std::bit_cast<std::uint32_t>(-12345.0f);
    EXPECT_TRUE(shown_at(50));
    EXPECT_FALSE(shown_at(22)) << "one that does not fit, and none is printed";
    bits[7] = bits[6];
    source.range = {0, 9};
    presented = true;
    EXPECT_TRUE(shown_at(15)) << "in front of an audience, where scale 1 is larger";
    EXPECT_FALSE(shown_at(14));
}

TEST_F(Grid, finds_the_cell_under_the_pointer_at_any_zoom) {
    show(4, 4, std::vector<float>(16, 1.0f));
    ui.mouse_at(130, 75);
    draw();
    draw();
    ASSERT_TRUE(hit.hovered);
    EXPECT_EQ(*hit.hovered, (Cell{1, 2}));
    ui.wheel(1);
    draw();
    EXPECT_GT(camera.zoom, 1);
    draw();
    ASSERT_TRUE(hit.hovered);
    EXPECT_EQ(*hit.hovered, (Cell{1, 2}));  // zooming keeps what is under the pointer
    ui.wheel(-40);
    draw();
    EXPECT_EQ(camera.zoom, 1);
    EXPECT_EQ(camera.row, 0);
}

TEST_F(Grid, clicks_on_the_spot_and_pans_by_dragging) {
    show(64, 64, std::vector<float>(64 * 64, 1.0f));
    camera = {4, 16, 16};
    ui.mouse_at(120, 120);
    draw();
    ui.mouse_down(true);
    draw();
    ui.mouse_down(false);
    draw();
    EXPECT_TRUE(hit.clicked);
    const double before = camera.col;
    ui.mouse_at(140, 140);  // elsewhere, or it would be a double click
    draw();
    ui.mouse_down(true);
    draw();
    ui.mouse_at(100, 140);
    draw();
    draw();
    EXPECT_GT(camera.col, before);
    EXPECT_NEAR(camera.col - before, 40.0 / (200.0 / 64 * 4), 1.0);
    ui.mouse_down(false);
    draw();
    EXPECT_FALSE(hit.clicked);
}

}  // namespace
}  // namespace convscope
