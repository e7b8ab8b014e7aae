#include "visualizers/explain/layer_camera.h"

#include <gtest/gtest.h>

namespace convscope {
namespace {

const LayerWindow tall{1000, 600, 200704, 576};

TEST(LayerCamera, shows_all_of_it_at_first) {
    const LayerCamera camera = fitted(tall);
    EXPECT_DOUBLE_EQ(tall.rows_shown(camera), 200704);
    EXPECT_DOUBLE_EQ(tall.cols_shown(camera), 576);
    EXPECT_EQ(camera, LayerCamera{});
}

TEST(LayerCamera, does_not_stretch_a_small_array_over_the_whole_view) {
    const LayerWindow small{1000, 600, 5, 5};
    EXPECT_DOUBLE_EQ(small.cell_w(fitted(small)), 40);
    EXPECT_DOUBLE_EQ(small.cell_h(fitted(small)), 40);
}

TEST(LayerCamera, zooms_the_thin_axis_alone_until_elements_are_square) {
    LayerCamera camera = fitted(tall);
    const double fitted_w = tall.cell_w(camera);
    while (tall.cell_h(camera) < fitted_w / 1.3) {
        EXPECT_DOUBLE_EQ(tall.cell_w(camera), fitted_w);
        camera = zoomed(camera, tall, 1.25, 300, 200);
    }
    camera = zoomed(camera, tall, 4, 300, 200);
    EXPECT_DOUBLE_EQ(tall.cell_w(camera), tall.cell_h(camera));
}

TEST(LayerCamera, keeps_the_element_under_the_pointer) {
    LayerCamera camera = scrolled_to(zoomed(fitted(tall), tall, 20000, 500, 300), tall, 1000, 100);
    const double row = camera.row + 200 / tall.cell_h(camera), col = camera.col + 300 / tall.cell_w(camera);
    const LayerCamera closer = zoomed(camera, tall, 1.7, 300, 200);
    EXPECT_NEAR(closer.row + 200 / tall.cell_h(closer), row, 1e-9);
    EXPECT_NEAR(closer.col + 300 / tall.cell_w(closer), col, 1e-9);
}

TEST(LayerCamera, goes_down_to_one_element_and_back_to_all_of_them) {
    LayerCamera camera = fitted(tall);
    for (int i = 0; i < 100; ++i) camera = zoomed(camera, tall, 1.5, 900, 500);
    EXPECT_DOUBLE_EQ(tall.cell_w(camera), 72);
    EXPECT_DOUBLE_EQ(tall.cell_h(camera), 72);
    EXPECT_LE(camera.row + tall.rows_shown(camera), 200704 + 1e-6);
    for (int i = 0; i < 100; ++i) camera = zoomed(camera, tall, 1 / 1.5, 10, 10);
    EXPECT_EQ(camera, fitted(tall));
}

TEST(LayerCamera, stays_inside_when_panned_and_centred) {
    LayerCamera camera = one_to_one(fitted(tall), tall);
    EXPECT_DOUBLE_EQ(tall.cell_h(camera), 1);
    EXPECT_DOUBLE_EQ(panned(camera, tall, 1e9, 1e9).row, 0);
    EXPECT_DOUBLE_EQ(panned(camera, tall, 0, -1e9).row, 200704 - 600);
    const LayerCamera middle = centred(camera, tall, 100000, 288);
    EXPECT_DOUBLE_EQ(middle.row + tall.rows_shown(middle) / 2, 100000);
}

TEST(LayerCamera, approaches_its_target_with_the_point_standing_still) {
    const LayerCamera start = scrolled_to(one_to_one(fitted(tall), tall), tall, 5000, 0);
    const LayerCamera target = zoomed(start, tall, 30, 300, 200);
    const double row = start.row + 200 / tall.cell_h(start);
    LayerCamera camera = start;
    int frames = 0;
    while (camera != target && ++frames < 200) {
        camera = approached(camera, target, tall, 1.0 / 60);
        EXPECT_NEAR(camera.row + 200 / tall.cell_h(camera), row, 0.6);
    }
    EXPECT_LT(frames, 60);
    EXPECT_GT(frames, 4);
}

}  // namespace
}  // namespace convscope
