// The whole layer's layouts as a user uses them: the switch, the arrays, zooming to one element, the minimap, the
// way through images and channels.
#include <gtest/gtest.h>

#include <cstdint>

#include "app/ui/widgets/format.h"
#include "kernels/core/host_memory.h"
#include "kernels/layers/preset.h"
#include "tests/app/driver.h"
#include "visualizers/theme/theme.h"

namespace convscope::app {
namespace {

/// A layer of several images and channels, large enough that cells are below a pixel.
class WholeLayer : public ::testing::Test {
protected:
    Driver app;
    void SetUp() override { show(3, 8, 40); }

    void show(std::int64_t n, std::int64_t c, std::int64_t size) {
        WorkloadSpec spec;
        spec.shape.n = n;
        spec.shape.c = c;
        spec.shape.h = spec.shape.w = size;
        spec.shape.k = 4;
        spec.shape.r = spec.shape.s = 3;
        spec.shape.pad_h = spec.shape.pad_w = 1;
        spec.shape.pool_h = spec.shape.pool_w = spec.shape.pool_stride = 2;
        spec.sparsity = 0.6;
        spec.name = "custom";
        set_workload(app.session(), spec);
        ASSERT_TRUE(app.wait([&] {
            const auto latest = app.shell().builder().latest();
            return latest && latest->workload->spec.shape == spec.shape;
        }));
        app.click("tab/MEC & im2col");
        app.click("scope/layer");
        ASSERT_TRUE(settled());
    }
    const LayerPanel& panel() { return app.shell().layouts().layer(); }
    bool settled() {
        app.frames(2);
        return app.wait([&] { return panel().scene() && panel().scene()->complete() && !panel().busy(); });
    }
    ImVec2 centre() { return app.item("layer/cells").centre(); }
};

TEST_F(WholeLayer, is_one_click_away) {
    EXPECT_TRUE(app.session().layer.whole);
    EXPECT_EQ(panel().scene()->spec().array, LayerArray::im2col);
    EXPECT_EQ(panel().scene()->rows(), 3 * 40 * 40);
    EXPECT_EQ(panel().scene()->cols(), 72);
    EXPECT_TRUE(panel().result().aggregated);
    app.click("scope/map");
    EXPECT_FALSE(app.session().layer.whole);
    EXPECT_EQ(panel().scene(), nullptr);
    app.press(Key::w);
    EXPECT_TRUE(app.session().layer.whole);
}

TEST_F(WholeLayer, shows_every_array_of_every_tab) {
    for (const auto& [tab, arrays] : std::vector<std::pair<const char*, std::vector<const char*>>>{
             {"tab/MEC & im2col", {"layer/im2col", "layer/L", "layer/x"}},
             {"tab/ECR", {"layer/F_data", "layer/K_index", "layer/Ptr", "layer/x"}},
             {"tab/PECR", {"layer/Data", "layer/Index", "layer/Count", "layer/x"}},
             {"tab/Output", {"layer/y", "layer/x", "layer/w"}}}) {
        app.click(tab);
        for (const char* array : arrays) {
            app.click(array);
            ASSERT_TRUE(settled()) << array;
            EXPECT_EQ(std::string("layer/") + to_string(panel().scene()->spec().array), array);
        }
    }
}

TEST_F(WholeLayer, the_wheel_goes_down_to_one_element_with_its_value) {
    app.point_at(centre());
    for (int i = 0; i < 60; ++i) app.wheel("layer/cells", 1);
    ASSERT_TRUE(settled());
    EXPECT_TRUE(panel().result().values_shown);
    EXPECT_FALSE(panel().result().aggregated);
    ASSERT_TRUE(panel().result().pointed);
    EXPECT_TRUE(panel().result().pointed->one());
    EXPECT_NE(panel().result().words.find("im2col["), std::string::npos) << panel().result().words;
    EXPECT_NE(panel().result().words.find("image 1"), std::string::npos) << panel().result().words;
    app.press(Key::f);
    ASSERT_TRUE(settled());
    EXPECT_EQ(panel().state().camera, LayerCamera{});
    app.press(Key::f, false, true);
    ASSERT_TRUE(settled());
    EXPECT_DOUBLE_EQ(panel().state().camera.unit, 1);
}

TEST_F(WholeLayer, slots_that_are_not_in_use_have_a_ground) {
    app.click("tab/ECR");
    app.click("layer/F_data");
    ASSERT_TRUE(settled());
    // To the middle of a row: 4 of 10 inputs are not zero, and their slots are the first.
    app.point_at(centre());
    for (int i = 0; i < 60; ++i) app.wheel("layer/cells", 1);
    ASSERT_TRUE(settled());
    app.point_at("tab/ECR");
    const ItemRect cells = app.item("layer/cells");
    const gl::Image picture = app.picture();
    int grounds = 0;
    for (int y = static_cast<int>(cells.min.y); y < static_cast<int>(cells.max.y); ++y)
        for (int x = static_cast<int>(cells.min.x); x < static_cast<int>(cells.max.x); ++x) {
            const auto p = picture.at(x, y);
            const std::uint32_t colour = p.r | p.g << 8 | p.b << 16 | 0xff000000U;
            grounds += colour == dark_theme().raised.u32() || colour == light_theme().raised.u32();
        }
    EXPECT_GT(grounds, 1000);
}

TEST_F(WholeLayer, the_pointer_reads_an_aggregate_out) {
    app.point_at(centre());
    ASSERT_TRUE(panel().result().pointed);
    const LayerSpot spot = *panel().result().pointed;
    EXPECT_FALSE(spot.one());
    const std::string& words = panel().result().words;
    EXPECT_NE(words.find(": zeros "), std::string::npos) << words;
    // The same by hand, from the elements.
    const auto& bits = const_cast<LayerScene*>(panel().scene())
                           ->read(spot.row0, spot.row1 - spot.row0, spot.col0, spot.col1 - spot.col0);
    const TileStats stats =
        stats_of({0, 0, 1, 1, 1, Element::f32, false, false}, bits.data(), static_cast<std::int64_t>(bits.size()));
    EXPECT_EQ(stats.elements, (spot.row1 - spot.row0) * (spot.col1 - spot.col0));
    EXPECT_NE(
        words.find("zeros " + format_percent(static_cast<double>(stats.zeros) / static_cast<double>(stats.filled))),
        std::string::npos)
        << words;
}

TEST_F(WholeLayer, the_minimaps_rectangle_is_dragged) {
    app.point_at(centre());
    for (int i = 0; i < 30; ++i) app.wheel("layer/cells", 1);
    ASSERT_TRUE(settled());
    const ItemRect map = app.item("layer/minimap");
    const float x = map.centre().x;
    app.drag({x, map.min.y + 2}, {x, map.max.y - 2});
    ASSERT_TRUE(settled());
    const LayerCamera& camera = panel().state().camera;
    EXPECT_GT(camera.row, 0.9 * static_cast<double>(panel().scene()->rows()));
    app.click_at({x, map.min.y + 1});
    ASSERT_TRUE(settled());
    EXPECT_LT(panel().state().camera.row, 60);  // a pixel of the minimap is 27 rows
}

TEST_F(WholeLayer, dragging_pans) {
    app.point_at(centre());
    for (int i = 0; i < 30; ++i) app.wheel("layer/cells", 1);
    ASSERT_TRUE(settled());
    const LayerCamera before = panel().state().camera;
    const ImVec2 from = centre();
    app.drag(from, {from.x, from.y - 100});
    const double cell = 100 / (panel().state().camera.row - before.row);
    EXPECT_NEAR(cell, before.unit, 0.1 * before.unit);
}

TEST_F(WholeLayer, keys_and_fields_go_from_image_to_image_and_channel_to_channel) {
    app.press(Key::f, false, true);
    ASSERT_TRUE(settled());
    app.press(Key::page_down);
    ASSERT_TRUE(settled());
    EXPECT_EQ(app.session().choices.selection.image, 1);
    EXPECT_NEAR(panel().state().camera.row, 1600, 1e-6);
    app.type_into("map/image", "2");
    ASSERT_TRUE(settled());
    EXPECT_NEAR(panel().state().camera.row, 3200, 1e-6);
    for (int i = 0; i < 40; ++i) app.wheel("layer/cells", 1);
    ASSERT_TRUE(settled());
    app.press(Key::page_down, false, true);
    app.press(Key::page_down, false, true);
    ASSERT_TRUE(settled());
    EXPECT_EQ(app.session().choices.selection.channel, 2);
    EXPECT_NEAR(panel().state().camera.col, 2, 1e-6);
    for (int i = 0; i < 5; ++i) app.press(Key::page_up);
    EXPECT_EQ(app.session().choices.selection.image, 0);
}

TEST_F(WholeLayer, x_is_a_mosaic_of_its_maps) {
    app.click("layer/x");
    ASSERT_TRUE(settled());
    EXPECT_EQ(panel().scene()->rows(), 3 * 2 * 40) << "8 channels, 4 side by side";
    EXPECT_EQ(panel().scene()->cols(), 4 * 40);
    app.point_at(centre());
    for (int i = 0; i < 40; ++i) app.wheel("layer/cells", 1);
    ASSERT_TRUE(settled());
    app.type_into("map/channel", "5");
    ASSERT_TRUE(settled());
    EXPECT_NEAR(panel().state().camera.row, 40, 1e-6);
    EXPECT_NEAR(panel().state().camera.col, 40, 1e-6);
    app.point_at(ImVec2{app.item("layer/cells").min.x + 10, app.item("layer/cells").min.y + 10});
    EXPECT_NE(panel().result().words.find("image 0, channel 5, row 0, column 0"), std::string::npos)
        << panel().result().words;
    EXPECT_FALSE(app.has("layer/picture")) << "no network made these maps";
}

TEST_F(WholeLayer, a_networks_picture_stands_beside_the_maps_that_it_made) {
    const auto open = [&](const char* preset) {
        set_workload(app.session(), find_preset(preset).spec);
        app.session().layer.whole = true;
        return app.wait([&] {
            const auto latest = app.shell().builder().latest();
            return latest && latest->workload->spec.name == preset;
        }) && settled();
    };
    ASSERT_TRUE(open("shapes/conv3"));
    app.click("layer/x");
    ASSERT_TRUE(settled());
    EXPECT_TRUE(app.has("layer/picture"));
    ASSERT_TRUE(open("shapes/conv1"));
    EXPECT_FALSE(app.has("layer/picture")) << "its one map is the picture";
    ASSERT_TRUE(open("vgg19/conv3_2"));
    EXPECT_FALSE(app.has("layer/picture")) << "its values are drawn at random";
}

TEST_F(WholeLayer, another_figure_is_a_click_or_a_key_away) {
    EXPECT_EQ(app.session().layer.aggregate, Aggregate::share);
    app.click("layer/show mean");
    EXPECT_EQ(app.session().layer.aggregate, Aggregate::mean);
    app.press(Key::a);
    EXPECT_EQ(app.session().layer.aggregate, Aggregate::share);
}

/// So close that one element is under the pointer.
void zoom_in(Driver& app) {
    for (int i = 0; i < 60; ++i) app.wheel("layer/cells", 1);
}

TEST_F(WholeLayer, an_element_is_linked_with_its_copies) {
    app.point_at(centre());
    zoom_in(app);
    ASSERT_TRUE(settled());
    const LinkSet links = app.shell().layouts().result().links;
    EXPECT_NE(links.sentence.find("9 copies in im2col, 3 in L"), std::string::npos) << links.sentence;
    EXPECT_FALSE(app.session().layer.pinned);
    app.click_at(centre());
    ASSERT_TRUE(app.session().layer.pinned);
    const InputElement pinned = *app.session().layer.pinned;
    EXPECT_EQ(pinned.n, 1);  // of three images the one in the middle

    app.click("layer/L");  // the same element in another array, without pointing at anything
    ASSERT_TRUE(settled());
    EXPECT_EQ(app.session().layer.pinned, pinned);
    EXPECT_EQ(app.shell().layouts().result().links.sentence, links.sentence);

    const Workload& work = *app.shell().builder().latest()->workload;
    const std::vector<Cell> copies = copies_of(pinned, LayerArray::L, work);
    ASSERT_EQ(copies.size(), 3U);
    for (const Cell& copy : copies) {
        app.press(Key::n);
        ASSERT_TRUE(settled());
        EXPECT_TRUE(panel().result().values_shown);
        const LayerCamera& camera = panel().state().camera;
        EXPECT_GE(static_cast<double>(copy.row), camera.row - 1);
        EXPECT_LT(static_cast<double>(copy.row), camera.row + 40);
        EXPECT_GE(static_cast<double>(copy.col), camera.col - 1);
        EXPECT_LT(static_cast<double>(copy.col), camera.col + 40);
    }
    app.press(Key::escape);
    EXPECT_FALSE(app.session().layer.pinned);
}

TEST_F(WholeLayer, leads_with_the_share_of_slots_in_use_and_of_zeros) {
    const auto latest = app.shell().builder().latest();
    const Workload& workload = *latest->workload;
    const ConvShape& s = workload.spec.shape;
    double used = 0;
    for (std::int64_t map = 0; map < s.n * s.c; ++map)
        for (std::int64_t h = 0; h < s.h; ++h)
            for (std::int64_t w = 0; w < s.w; ++w) {
                const bool zero = workload.x.data[static_cast<std::size_t>((map * s.h + h) * s.w + w)] == 0;
                const auto windows = [](std::int64_t at, std::int64_t size) {
                    return at == 0 || at == size - 1 ? 2 : 3;  // of 3 with padding 1
                };
                used += zero ? 0 : windows(h, s.h) * windows(w, s.w);
            }
    const double share = used / static_cast<double>(s.n * s.h * s.w * s.c * 9);
    const auto begins_with = [this](const std::string& words) { return panel().lead().text().starts_with(words); };
    EXPECT_TRUE(begins_with("im2col is " + format_percent(1 - share) + " zeros: ")) << panel().lead().text();
    app.click("tab/ECR");
    ASSERT_TRUE(settled());
    EXPECT_TRUE(begins_with("F_data uses " + format_percent(share) + " of its slots: ")) << panel().lead().text();
}

TEST_F(WholeLayer, a_pinned_element_leads_to_its_map) {
    app.point_at(centre());
    zoom_in(app);
    ASSERT_TRUE(settled());
    app.click_at(centre());
    ASSERT_TRUE(app.session().layer.pinned);
    const InputElement element = *app.session().layer.pinned;
    app.frames(2);
    app.click("layer/its map");
    EXPECT_FALSE(app.session().layer.whole);
    EXPECT_EQ(app.session().choices.selection.image, element.n);
    EXPECT_EQ(app.session().choices.selection.channel, element.c);
    EXPECT_EQ(pinned(app.session()), (ElementRef{ArrayId::x, {element.h, element.w}}));
    app.session().layer.whole = true;
    ASSERT_TRUE(settled());
    app.click("layer/clear");
    EXPECT_FALSE(app.session().layer.pinned);
}

TEST_F(WholeLayer, a_pin_that_the_layer_no_longer_has_leads_nowhere) {
    app.session().layer.pinned = InputElement{2, 7, 39, 39};
    app.frames(2);
    EXPECT_TRUE(app.has("layer/its map"));
    app.session().layer.pinned = InputElement{3, 0, 0, 0};
    app.frames(2);
    EXPECT_FALSE(app.has("layer/its map"));
    app.press(Key::n);
    ASSERT_TRUE(settled());
    EXPECT_EQ(panel().state().camera, LayerCamera{});
}

TEST_F(WholeLayer, an_array_is_filled_again_after_one_that_was_not) {
    const std::int64_t rows = panel().scene()->rows();
    app.click("layer/L");
    app.click("layer/im2col");
    ASSERT_TRUE(settled());
    EXPECT_EQ(panel().scene()->rows_written(), rows);
    app.click("tab/ECR");
    app.click("tab/MEC & im2col");
    ASSERT_TRUE(settled());
    EXPECT_TRUE(panel().scene()->complete());
}

TEST_F(WholeLayer, what_is_no_input_is_not_pinned) {
    app.click("tab/Output");
    app.click("layer/w");
    ASSERT_TRUE(settled());
    zoom_in(app);
    ASSERT_TRUE(settled());
    // Four rows do not reach the middle of the page.
    app.click_at({centre().x, app.item("layer/cells").min.y + 100});
    EXPECT_FALSE(app.session().layer.pinned);
    EXPECT_NE(app.shell().layouts().result().links.sentence.find("w["), std::string::npos);
}

TEST_F(WholeLayer, the_bytes_that_pass_through_the_host_are_counted) {
    app.frames();
    EXPECT_NE(app.shell().layouts().traffic().find("1.4 MB up, 0 B/frame"), std::string::npos)
        << app.shell().layouts().traffic();
    app.click("layer/L");
    ASSERT_TRUE(settled());
    app.frames();
    EXPECT_NE(app.shell().layouts().traffic().find("484 kB up"), std::string::npos) << app.shell().layouts().traffic();
}

TEST_F(WholeLayer, of_more_than_the_budget_the_page_of_the_chosen_image_is_shown) {
    if (available_host_memory_bytes() < std::int64_t{4} << 30) GTEST_SKIP() << "needs 4 GB of free memory";
    // VGG-19 conv1_2 with a smaller batch: im2col of one image is 116 MB, so a page holds 4 of the 6.
    show(6, 64, 224);
    EXPECT_EQ(panel().scene()->part().images, 4);
    EXPECT_GE(panel().scene()->rows() * panel().scene()->cols(), 100'000'000);
    app.type_into("map/image", "5");
    ASSERT_TRUE(app.wait([&] { return panel().scene() && panel().scene()->part().first_image == 4; }));
    EXPECT_EQ(panel().scene()->part().images, 2);
    EXPECT_FALSE(panel().scene()->complete());  // and the window goes on meanwhile
    ASSERT_TRUE(app.wait([&] { return panel().scene()->complete(); }));
}

}  // namespace
}  // namespace convscope::app
