// The composed views, drawn: nothing is blank, the linked set is outlined, the sentences are the papers' numbers.
#include "visualizers/layouts/layout_views.h"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <tuple>

#include "tests/support/paper_examples.h"
#include "tests/support/random_shapes.h"
#include "tests/visualizers/offscreen_ui.h"
#include "visualizers/grid/cell_text.h"
#include "visualizers/style/control_hook.h"

namespace convscope {
namespace {

using testing::example_workload;

struct Scenes {
    std::map<Format, std::unique_ptr<LayoutScene>> by_format;
    std::unique_ptr<LayoutBuilder> host = make_host_layout_builder();

    void build(Format format, const Workload& workload) {
        auto scene = std::make_unique<LayoutScene>(CudaGl::none("no CUDA device in use"));
        scene->rebuild(format, workload.spec.shape, workload.x.data.data(), workload.w.data.data(), *host, *host);
        by_format[format] = std::move(scene);
    }
    const LayoutScene& operator[](Format format) const { return *by_format.at(format); }
};

int count_pixels(const gl::Image& image, const Rgba& color) {
    const std::uint32_t wanted = color.u32();
    int count = 0;
    for (int y = 0; y < image.height; ++y)
        for (int x = 0; x < image.width; ++x) {
            const auto p = image.at(x, y);
            count += (p.r | p.g << 8 | p.b << 16 | 0xff000000u) == wanted;
        }
    return count;
}

std::size_t distinct_colors(const gl::Image& image) {
    std::set<std::tuple<int, int, int>> colors;
    for (int y = 0; y < image.height; ++y)
        for (int x = 0; x < image.width; ++x) {
            const auto p = image.at(x, y);
            colors.insert({p.r, p.g, p.b});
        }
    return colors.size();
}

Workload single_map(std::int64_t size, std::int64_t filter, double sparsity, std::int64_t pool = 0) {
    ConvShape shape;
    shape.h = shape.w = size;
    shape.r = shape.s = filter;
    shape.pad_h = shape.pad_w = filter / 2;
    shape.pool_h = shape.pool_w = shape.pool_stride = pool;
    return testing::random_workload(shape, sparsity, 7);
}

struct Screen {
    int width, height;
    float scale;
    bool dark;
};

class EveryScreen : public ::testing::TestWithParam<Screen> {
protected:
    OffscreenUi ui{GetParam().width, GetParam().height, GetParam().scale,
                   GetParam().dark ? dark_theme() : light_theme()};
    LayoutViews views;
    LayoutViewState state;

    gl::Image draw(const std::string& name, const std::function<LayoutViewResult()>& view, LayoutViewResult& result) {
        const gl::Image image = ui.frame([&] {
            views.begin_frame();
            result = view();
        });
        keep_image((name + "_" + std::to_string(image.width) + (GetParam().dark ? "_dark" : "_light")).c_str(), image);
        return image;
    }
};

TEST_P(EveryScreen, shows_the_example_of_ecr_with_its_links) {
    Scenes scenes;
    scenes.build(Format::ecr, example_workload("ecr_figure_4"));
    LayoutViewResult result;
    auto view = [&] { return views.ecr(scenes[Format::ecr], state, {}, ui.style()); };
    const gl::Image plain = draw("ecr_plain", view, result);
    EXPECT_EQ(result.lead.text(), "B1 skips 63 % of its multiplications: 10 of 27 are needed");
    EXPECT_FALSE(result.pointed);
    state.pinned = ElementRef{ArrayId::F_data, {1, 2}};
    const gl::Image linked = draw("ecr_linked", view, result);
    EXPECT_EQ(result.links.sentence,
              "F_data[5] = 23: from x[1,3], times w[1,2] = 1, by thread T2 of block B1, into y[0,1]");
    EXPECT_EQ(count_pixels(plain, ui.style().theme->accent), 0);
    EXPECT_GT(count_pixels(linked, ui.style().theme->accent), 200);
    EXPECT_GT(distinct_colors(plain), 30u);
}

TEST_P(EveryScreen, takes_the_block_row_apart_that_is_pointed_at_or_picked) {
    Scenes scenes;
    scenes.build(Format::ecr, example_workload("ecr_figure_4"));
    LayoutViewResult result;
    auto view = [&] { return views.ecr(scenes[Format::ecr], state, {}, ui.style()); };
    state.pinned = ElementRef{ArrayId::y, {2, 0}};
    draw("ecr_block3", view, result);
    EXPECT_EQ(result.lead.text(), "B3 skips 67 % of its multiplications: 9 of 27 are needed");
    state.pinned.reset();
    state.block = 1;
    draw("ecr_block2", view, result);
    EXPECT_EQ(result.lead.text(), "B2 skips 70 % of its multiplications: 8 of 27 are needed");
    state.block = 99;
    draw("ecr_block_last", view, result);
    EXPECT_EQ(state.block, 2);
}

/// Moves over the picture until something is pointed at, and clicks.
TEST_P(EveryScreen, points_and_pins_with_the_mouse) {
    Scenes scenes;
    scenes.build(Format::ecr, example_workload("ecr_figure_4"));
    LayoutViewResult result;
    auto view = [&] { return views.ecr(scenes[Format::ecr], state, {}, ui.style()); };
    std::set<ArrayId> seen;
    for (float y = 20; y < static_cast<float>(GetParam().height); y += 9 * GetParam().scale)
        for (float x = 10; x < static_cast<float>(GetParam().width); x += 9 * GetParam().scale) {
            ui.mouse_at(x, y);
            ui.layout_only([&] {
                views.begin_frame();
                result = view();
            });
            if (result.pointed) seen.insert(result.pointed->array);
            if (!state.pinned && result.pointed && result.pointed->array == ArrayId::Ptr) {
                for (const bool down : {true, false}) {
                    ui.mouse_down(down);
                    draw("ecr_click", view, result);
                }
                ASSERT_TRUE(state.pinned);
                EXPECT_EQ(state.pinned->array, ArrayId::Ptr);
            }
        }
    EXPECT_EQ(seen,
              (std::set<ArrayId>{ArrayId::x, ArrayId::w, ArrayId::F_data, ArrayId::K_data, ArrayId::Ptr, ArrayId::y}));
    ui.mouse_at(-10, -10);
    draw("ecr_pinned", view, result);
    ASSERT_TRUE(result.pointed);
    EXPECT_EQ(result.pointed->array, ArrayId::Ptr);
}

TEST_P(EveryScreen, shows_the_example_of_pecr) {
    Scenes scenes;
    scenes.build(Format::pecr, example_workload("pecr_figures_7_8"));
    LayoutViewResult result;
    state.pinned = ElementRef{ArrayId::Data, {0, 4}};
    const gl::Image image = draw(
        "pecr", [&] { return views.pecr(scenes[Format::pecr], state, {}, ui.style()); }, result);
    EXPECT_EQ(result.lead.text(), "B1 skips 65 % of its multiplications: 25 of 72 are needed");
    EXPECT_GT(count_pixels(image, ui.style().theme->accent), 200);
}

TEST_P(EveryScreen, shows_the_example_of_mec_beside_im2col) {
    Scenes scenes;
    scenes.build(Format::mec, example_workload("mec_figures_1_2"));
    scenes.build(Format::im2col, example_workload("mec_figures_1_2"));
    LayoutViewResult result;
    state.pinned = ElementRef{ArrayId::L, {1, 7}};
    const gl::Image image = draw(
        "mec", [&] { return views.mec(scenes[Format::mec], scenes[Format::im2col], state, ui.style()); }, result);
    EXPECT_EQ(result.lead.text(), "MEC saves 53 %: L has 105 elements, im2col 225");
    EXPECT_EQ(result.lead.number, "53 %");
    EXPECT_NEAR(result.lead.share.value(), 1 - 105.0 / 225, 1e-12);
    EXPECT_GT(count_pixels(image, ui.style().theme->accent), 200);
}

std::string without_numbers;  ///< titles of arrays

/// As in a window of 1280 x 720 that is presented: so much is left for the view on every screen.
TEST(Presented, the_numbers_of_every_worked_example_can_be_read) {
    OffscreenUi ui(1208, 684, 1.5f);
    ViewStyle style = ui.style();
    style.presented = true;
    Scenes scenes;
    array_hook = [](const std::string& title, const std::string& values) {
        if (values.find(" x ") != std::string::npos) without_numbers += title + ", ";
    };
    const auto shown = [&](const std::function<void(LayoutViews&, LayoutViewState&)>& view) {
        LayoutViews views;
        LayoutViewState state;
        without_numbers.clear();
        ui.layout_only([&] {
            views.begin_frame();
            view(views, state);
        });
        return without_numbers;
    };
    scenes.build(Format::pecr, example_workload("pecr_figures_7_8"));
    EXPECT_EQ(shown([&](auto& views, auto& state) { views.pecr(scenes[Format::pecr], state, {}, style); }), "");
    for (const char* example : {"mec_figures_1_2", "ecr_figure_4"}) {
        for (const Format format : {Format::ecr, Format::mec, Format::im2col})
            scenes.build(format, example_workload(example));
        EXPECT_EQ(shown([&](auto& views, auto& state) {
                      views.mec(scenes[Format::mec], scenes[Format::im2col], state, style);
                  }),
                  "")
            << example;
        EXPECT_EQ(shown([&](auto& views, auto& state) { views.ecr(scenes[Format::ecr], state, {}, style); }), "")
            << example;
    }
    array_hook = nullptr;
}

TEST(CellText, has_the_digits_that_fit_into_every_array) {
    OffscreenUi ui(400, 300);
    ui.layout_only([&] {
        const ValueRange range{0, 0.95f};
        const CellDigitsSet narrow = CellText::fitting(ui.style(), 27, 27, range);
        const CellDigitsSet wide = CellText::fitting(ui.style(), 90, 60, range);
        ASSERT_NE(narrow, 0U);
        ASSERT_NE(narrow, wide);
        EXPECT_EQ(narrow & wide, narrow) << "what fits into small cells fits into large ones";
        const CellDigits digits = first_of(narrow & wide);
        const CellText in_x(ui.style(), 27, 27, range, false, digits), in_F(ui.style(), 90, 60, range, false, digits);
        const CellText alone(ui.style(), 90, 60, range, false);
        EXPECT_EQ(in_x.text_of(0.837), in_F.text_of(0.837));
        EXPECT_EQ(alone.text_of(0.837), "0.84");
        EXPECT_EQ(alone.text_of(0.0004), "<.01");
        EXPECT_EQ(alone.text_of(-0.0004), ">-.01");
        EXPECT_EQ(alone.text_of(0), "0");
    });
}

TEST(CellText, keeps_off_the_edges_of_its_cell) {
    OffscreenUi ui(400, 300);
    int printed = 0;
    ui.layout_only([&] {
        for (float width = 16; width < 64; width += 0.5F) {
            const CellText text(ui.style(), width, 40, {-0.88F, 1.3F}, false);
            if (!text.fits()) continue;
            ++printed;
            for (const float value : {-0.09F, -0.3F, 1.3F}) {
                ImDrawList list(ImGui::GetDrawListSharedData());
                list._ResetForNewFrame();
                list.PushClipRectFullScreen();
                list.PushTextureID(ImGui::GetIO().Fonts->TexID);
                text.draw(&list, {100, 100}, value, Rgba::hex(0xffffff));
                ASSERT_FALSE(list.VtxBuffer.empty());
                for (const ImDrawVert& corner : list.VtxBuffer) {
                    EXPECT_GE(corner.pos.x, 102) << text.text_of(value) << " in " << width;
                    EXPECT_LE(corner.pos.x, 100 + width - 2) << text.text_of(value) << " in " << width;
                }
            }
        }
    });
    EXPECT_GT(printed, 40);
}

/// As much as the view has in a window of 1280 x 800.
TEST(Pecr, the_numbers_of_the_papers_example_can_be_read) {
    OffscreenUi ui(710, 560);
    Scenes scenes;
    scenes.build(Format::pecr, example_workload("pecr_figures_7_8"));
    LayoutViews views;
    LayoutViewState state;
    without_numbers.clear();
    array_hook = [](const std::string& title, const std::string& values) {
        if (values.find(" x ") != std::string::npos) without_numbers += title + ", ";
    };
    ui.layout_only([&] {
        views.begin_frame();
        views.pecr(scenes[Format::pecr], state, {}, ui.style());
    });
    array_hook = nullptr;
    EXPECT_EQ(without_numbers, "");
}

TEST_P(EveryScreen, shows_large_maps) {
    for (const std::int64_t size : {14, 56, 224}) {
        Scenes scenes;
        const Workload workload = single_map(size, 3, 0.8, 2);
        for (const Format format : {Format::ecr, Format::pecr, Format::mec, Format::im2col})
            scenes.build(format, workload);
        state = {};
        state.pinned = ElementRef{ArrayId::y, {2, 3}};
        LayoutViewResult result;
        const std::string name = std::to_string(size);
        auto check = [&](const std::string& view_name, const std::function<LayoutViewResult()>& view) {
            const gl::Image image = draw(view_name + name, view, result);
            EXPECT_GT(distinct_colors(image), 30u) << view_name << name;
            EXPECT_FALSE(result.links.sentence.empty()) << view_name << name;
        };
        check("ecr", [&] { return views.ecr(scenes[Format::ecr], state, {}, ui.style()); });
        check("pecr", [&] { return views.pecr(scenes[Format::pecr], state, {}, ui.style()); });
        check("mec", [&] { return views.mec(scenes[Format::mec], scenes[Format::im2col], state, ui.style()); });
        check("map", [&] { return views.map(scenes[Format::ecr], ArrayId::x, state, {}, ui.style()); });
    }
}

INSTANTIATE_TEST_SUITE_P(Screens, EveryScreen,
                         ::testing::Values(Screen{760, 430, 1, true}, Screen{1100, 700, 1, false},
                                           Screen{1520, 860, 2, true}));

}  // namespace
}  // namespace convscope
