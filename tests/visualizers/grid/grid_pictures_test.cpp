// Kept pictures of aggregates: when they are drawn again, and how fine.
#include "visualizers/grid/grid_pictures.h"

#include <gtest/gtest.h>

#include <epoxy/gl.h>

#include <thread>

#include "visualizers/gl/egl_context.h"

namespace convscope {
namespace {

constexpr int pixels = 96;                 // of the framebuffer, each way
constexpr std::int64_t side = 288;         // elements: 3 x 3 under each pixel
constexpr double never = 0, always = 1e9;  // time for a picture that changes

class KeptPictures : public ::testing::Test {
protected:
    KeptPictures() {
        grid.buffer = buffer.id();
        grid.rows = grid.cols = side;
        grid.row_stride = side;
        grid.range = {0, 1};
        grid.width = grid.height = pixels;
        grid.cell_w = grid.cell_h = static_cast<float>(pixels) / side;
        grid.theme = &dark_theme();
        grid.contents = 1;
        fill([](std::int64_t row, std::int64_t col) { return row / 9 % 2 == col / 5 % 2 ? 0.0f : 1.0f; });
    }

    template <class Value>
    void fill(Value value) {
        std::vector<float> values;
        for (std::int64_t row = 0; row < side; ++row)
            for (std::int64_t col = 0; col < side; ++col) values.push_back(value(row, col));
        buffer.write(values.data(), 4 * side * side);
    }
    gl::Image frame(GridPictures& pictures) {
        pictures.begin_frame();
        screen.bind();
        glDisable(GL_SCISSOR_TEST);
        const GLfloat background[4] = {1, 0, 1, 1};
        glClearBufferfv(GL_COLOR, 0, background);
        pictures.draw(grid, {0, 0, pixels, pixels}, pixels, pixels);
        return screen.read();
    }
    gl::Image moved(GridPictures& pictures) {
        ++grid.left;
        return frame(pictures);
    }
    static bool equal(const gl::Image& a, const gl::Image& b) { return a.rgba == b.rgba; }

    std::unique_ptr<gl::EglContext> egl = gl::EglContext::create();
    gl::Framebuffer screen{pixels, pixels};
    gl::Buffer buffer{"test", 4 * side* side};
    GridDraw grid;
};

TEST_F(KeptPictures, are_drawn_again_only_for_other_contents) {
    GridPictures pictures(always);
    const gl::Image before = frame(pictures);
    fill([](std::int64_t, std::int64_t) { return 0.0f; });
    EXPECT_TRUE(equal(frame(pictures), before)) << "the same contents: kept";
    grid.contents = 2;
    EXPECT_FALSE(equal(frame(pictures), before));
}

TEST_F(KeptPictures, are_drawn_again_in_every_frame_where_the_contents_are_not_known) {
    GridPictures pictures(always);
    grid.contents = 0;
    const gl::Image before = frame(pictures);
    fill([](std::int64_t, std::int64_t) { return 0.0f; });
    EXPECT_FALSE(equal(frame(pictures), before));
}

TEST_F(KeptPictures, follow_what_is_shown) {
    GridPictures pictures(always);
    const gl::Image before = frame(pictures);
    grid.aggregate = Aggregate::share;
    const gl::Image shares = frame(pictures);
    EXPECT_FALSE(equal(shares, before));
    grid.theme = &light_theme();
    EXPECT_FALSE(equal(frame(pictures), shares));
}

TEST_F(KeptPictures, are_coarse_while_they_move_and_fine_when_they_stand_still) {
    GridPictures hurried(never), patient(always);
    grid.aggregate = Aggregate::mean;
    EXPECT_TRUE(equal(frame(hurried), frame(patient))) << "what appears is fine at once";
    for (int i = 0; i < 3; ++i) moved(hurried);  // the first have no time to go by yet
    const gl::Image coarse = moved(hurried);
    EXPECT_TRUE(hurried.coarse());
    for (int y = 0; y < pixels; ++y)
        for (int x = 0; x < pixels; ++x)
            ASSERT_EQ(coarse.at(x, y).r, coarse.at(x / 8 * 8, y / 8 * 8).r) << "pixels of 8 x 8, at " << x << " " << y;
    const gl::Image fine = frame(patient);
    EXPECT_FALSE(equal(coarse, fine));
    while (hurried.coarse()) {
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
        frame(hurried);
    }
    EXPECT_TRUE(equal(frame(hurried), fine));
}

TEST_F(KeptPictures, are_fine_where_it_is_not_known_whether_they_change) {
    GridPictures pictures(never);
    grid.contents = 0;
    for (int i = 0; i < 4; ++i) moved(pictures);
    EXPECT_FALSE(pictures.coarse()) << "it would stay so for ever";
}

TEST_F(KeptPictures, leave_the_screen_bound_for_reading_too) {
    GridPictures pictures(always);
    screen.bind();
    GLint before = 0, after = 0;
    glGetIntegerv(GL_READ_FRAMEBUFFER_BINDING, &before);
    pictures.draw(grid, {0, 0, pixels, pixels}, pixels, pixels);
    glGetIntegerv(GL_READ_FRAMEBUFFER_BINDING, &after);
    EXPECT_EQ(after, before);
}

TEST_F(KeptPictures, leave_the_background_where_there_is_nothing) {
    GridPictures pictures(always);
    grid.rows = side / 2;
    const gl::Image image = frame(pictures);
    const auto is_background = [](const gl::Image::Pixel& p) { return p.r == 255 && p.g == 0 && p.b == 255; };
    EXPECT_TRUE(is_background(image.at(pixels / 2, pixels - 2)));
    EXPECT_FALSE(is_background(image.at(pixels / 2, 2)));
}

TEST_F(KeptPictures, of_one_frame_are_kept_apart) {
    GridPictures pictures(always);
    auto both = [&](int first_column, int second_column) {
        pictures.begin_frame();
        screen.bind();
        grid.height = pixels / 2.0f;
        grid.cell_h = grid.height / side;
        grid.y = 0;
        grid.left = first_column;
        pictures.draw(grid, {0, 0, pixels, pixels / 2}, pixels, pixels);
        grid.y = pixels / 2.0f;
        grid.left = second_column;
        pictures.draw(grid, {0, pixels / 2, pixels, pixels}, pixels, pixels);
        return screen.read();
    };
    const gl::Image one = both(0, 4);
    EXPECT_TRUE(equal(both(0, 4), one));
    EXPECT_FALSE(equal(both(4, 0), one));
}

}  // namespace
}  // namespace convscope
