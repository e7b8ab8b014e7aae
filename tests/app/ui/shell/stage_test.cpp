// The figure in the middle of the window: its arrays move, zoom and are pointed at.
#include <gtest/gtest.h>
#include <imgui_internal.h>

#include <algorithm>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "app/ui/commands/key_sheet.h"
#include "app/ui/input/reader_report.h"
#include "kernels/layers/preset.h"
#include "tests/app/driver.h"

namespace convscope::app {
namespace {

/// Points all over the view, and returns the elements that it hits.
std::vector<std::optional<ElementRef>> elements_on_screen(Driver& app) {
    std::vector<std::optional<ElementRef>> found;
    for (float y = 130; y < 900; y += 32)
        for (float x = 300; x < 1300; x += 48) {
            app.point_at(ImVec2{x, y});
            const auto& result = app.shell().layouts().result();
            found.push_back(result.pointed == app.session().pinned[0] ? std::nullopt : result.pointed);
        }
    return found;
}

TEST(Stage, dragging_the_sparsity_of_an_example_changes_its_values_and_moves_nothing) {
    Driver app;
    app.press(Key::escape);
    const std::vector<float> weights = app.session().good.example_w;
    const auto before = elements_on_screen(app);
    EXPECT_GT(std::ranges::count_if(before, [](const auto& each) { return each.has_value(); }), 60);
    const ItemRect slider = app.item("workload/sparsity");
    for (const float share : {0.95F, 0.02F, 0.4F}) {
        const float x = slider.min.x + share * (slider.max.x - slider.min.x);
        app.drag(slider.centre(), {x, slider.centre().y});
        ASSERT_TRUE(app.wait([&] { return !app.shell().builder().busy(); }));
        EXPECT_EQ(app.session().good.source, Source::example);
        EXPECT_EQ(app.session().good.example_w, weights);
        EXPECT_NEAR(app.shell().builder().latest()->workload->sparsity_measured, share, 0.06);
        EXPECT_EQ(elements_on_screen(app), before) << share;
    }
    app.press(Key::z, true);
    app.press(Key::z, true);
    app.press(Key::z, true);
    EXPECT_EQ(app.session().good.name, "examples/xu-fig4");
}

TEST(Stage, the_live_timing_is_one_line_until_it_has_results) {
    Driver app;
    EXPECT_FALSE(app.has("row/onednn"));
    EXPECT_TRUE(app.has("live/scope")) << "what will be timed can be chosen before";
    const float line = app.item("live/scope").min.y;
    app.press(Key::space);
    EXPECT_TRUE(app.has("row/onednn"));
    EXPECT_LT(app.item("live/scope").min.y, line - 100);
    ASSERT_TRUE(app.wait([&] { return app.shell().live().latest("onednn") != nullptr; }));
    app.press(Key::space);
    EXPECT_TRUE(app.has("row/onednn")) << "stopped, it keeps what it has";
}

TEST(Stage, the_panels_of_the_layer_fold_in_a_view_that_does_not_use_them) {
    Driver app;
    EXPECT_TRUE(app.has("workload/h"));
    app.press(Key::three);
    EXPECT_FALSE(app.has("workload/h"));
    EXPECT_TRUE(app.shell().left_open_by_choice()) << "which is not what the user chose";
    app.click("fold left");
    app.frames(2);
    EXPECT_TRUE(app.has("workload/h")) << "but can have";
    app.press(Key::one);
    EXPECT_TRUE(app.has("workload/h"));
    app.press(Key::f9);
    app.press(Key::five);
    app.press(Key::one);
    EXPECT_FALSE(app.has("workload/h")) << "folded by hand, it stays so";
}

TEST(Stage, presenting_leaves_the_figure_and_a_sentence_and_escape_comes_back) {
    Driver app;
    const auto pinned_before = pinned(app.session());
    app.press(Key::f5);
    app.frames(2);
    EXPECT_FALSE(app.has("toolbar/run"));
    EXPECT_FALSE(app.has("workload/h"));
    EXPECT_FALSE(app.has("tab/ECR"));
    EXPECT_EQ(app.scale(), 2) << "1600 pixels for 800 units";
    EXPECT_EQ(app.session().appearance.scale, 1) << "the user's own size stays as it is";
    EXPECT_TRUE(app.shell().layouts().result().pointed);
    app.press(Key::escape);
    app.frames(2);
    EXPECT_TRUE(app.has("toolbar/run"));
    EXPECT_EQ(app.scale(), 1);
    EXPECT_EQ(pinned(app.session()), pinned_before) << "the next Esc unpins";
}

TEST(Stage, an_audience_sees_as_much_on_every_screen) {
    for (const auto& [width, height, scale] : {std::tuple{1280, 720, 1.5F}, {1920, 1080, 2.375F}, {800, 600, 1.0F}}) {
        Driver app(width, height);
        app.session().appearance.scale = 2;
        app.press(Key::f5);
        app.frames(3);
        EXPECT_EQ(app.scale(), scale) << width;
        app.press(Key::equals, true);
        EXPECT_EQ(app.scale(), 1.125F * scale);
        app.press(Key::zero, true);
        EXPECT_EQ(app.scale(), scale);
        EXPECT_EQ(app.session().appearance.scale, 2) << "the user's own size stays as it is";
        for (const ViewId view : {ViewId("step"), ViewId("compare"), ViewId("sweep"), ViewId("network")}) {
            app.session().view = view;
            app.frames(4);
            for (const char* chooser : {"step/method", "compare/query", "network/choose"})
                EXPECT_FALSE(app.has(chooser)) << view->name;
        }
    }
}

TEST(Stage, an_audience_reads_digits_in_type_of_twice_the_size_too) {
    Driver app;
    app.press(Key::f5);
    app.session().desktop_state.audience_zoom = 2;
    app.frames(30);
    ReaderReport report;
    ReaderReport::active = &report;
    report.begin_frame();
    app.frames();
    const std::vector<ReaderNode>& nodes = report.finish();
    ReaderReport::active = nullptr;
    const auto input = std::ranges::find(nodes, "Input x", &ReaderNode::name);
    ASSERT_NE(input, nodes.end());
    EXPECT_NE(input->value.find("23"), std::string::npos) << input->value;
}

TEST(Stage, arrays_glide_to_their_places_but_not_where_motion_is_reduced) {
    for (const bool reduced : {false, true}) {
        Driver app;
        app.session().desktop_state.preferences.motion = reduced ? Motion::reduced : Motion::full;
        app.frames(2);
        app.press(Key::f11);
        EXPECT_EQ(app.shell().layouts().moves(), !reduced);
        app.frames(12);
        EXPECT_FALSE(app.shell().layouts().moves()) << "after 120 ms";
    }
}

const ImGuiWindow* tooltip_window() {
    const ImGuiWindow* window = ImGui::FindWindowByName("##Tooltip_00");
    return window && window->Active && !window->Hidden ? window : nullptr;
}

/// The window whose name has this in it. Throws std::runtime_error where there is none.
const ImGuiWindow& window_like(const char* part) {
    for (const ImGuiWindow* window : ImGui::GetCurrentContext()->Windows)
        if (window->Active && std::string(window->Name).find(part) != std::string::npos) return *window;
    throw std::runtime_error(std::string("no window is called ") + part);
}

TEST(Tooltips, come_when_the_pointer_rests_and_cover_no_neighbour) {
    Driver app;
    app.point_at("workload/h");
    app.frames(10);
    EXPECT_EQ(tooltip_window(), nullptr) << "a sixth of a second is no rest";
    app.frames(30);
    ASSERT_NE(tooltip_window(), nullptr);
    const ImRect words = tooltip_window()->Rect();
    for (const char* name : {"workload/h", "workload/w", "workload/r", "workload/c", "workload/sparsity"}) {
        const ItemRect item = app.item(name);
        EXPECT_FALSE(words.Overlaps({item.min, item.max})) << name;
    }
    app.point_at("workload/w");
    app.frames(2);
    EXPECT_EQ(tooltip_window(), nullptr) << "another control, another rest";
    app.point_at("workload/sparsity");
    app.frames(40);
    ASSERT_NE(tooltip_window(), nullptr);
    app.hold(true);
    app.frames(40);
    EXPECT_EQ(tooltip_window(), nullptr) << "what is dragged is not covered";
    app.hold(false);
}

TEST(Tooltips, cover_neither_the_row_of_a_table_nor_the_next) {
    Driver app;
    app.press(Key::space);
    ASSERT_TRUE(app.wait([&] { return app.shell().live().latest("onednn") != nullptr; }));
    app.press(Key::space);
    app.frames(3);
    app.point_at("row/im2col");
    app.frames(40);
    ASSERT_NE(tooltip_window(), nullptr);
    for (const ImGuiWindow* window : ImGui::GetCurrentContext()->Windows) {
        if (!window->Active || std::string(window->Name).find("/figures_") == std::string::npos) continue;
        EXPECT_FALSE(tooltip_window()->Rect().Overlaps(window->Rect())) << window->Name;
    }
}

TEST(Tooltips, are_gone_after_a_click_until_the_pointer_has_left) {
    Driver app;
    app.press(Key::three);
    ASSERT_TRUE(app.wait([&] { return app.shell().compare().result() && !app.shell().compare().loading(); }));
    app.click("compare/What is timed");
    app.frames(90);
    EXPECT_EQ(tooltip_window(), nullptr) << "a second and a half after the click";
    app.point_at("compare/Lines");
    app.frames(60);
    EXPECT_NE(tooltip_window(), nullptr);
    app.point_at("compare/What is timed");
    app.frames(60);
    EXPECT_NE(tooltip_window(), nullptr) << "it has left, and come back";
}

TEST(Tooltips, cover_no_control_no_array_and_no_plot) {
    Driver app;
    const auto expect_clear = [&](const std::string& pointed) {
        app.point_at(pointed);
        app.frames(60);
        ASSERT_NE(tooltip_window(), nullptr) << pointed;
        const ImRect words = tooltip_window()->Rect();
        for (const auto& [name, box] : app.items()) {
            if (name.starts_with("status/")) continue;  // the edge of the screen
            ImRect seen{box.min, box.max};
            // A list that scrolls shows of its last row what is above its edge.
            if (name.starts_with("sweep/recorded ")) seen.ClipWith(window_like("/recorded sweeps_").Rect());
            EXPECT_FALSE(words.Overlaps(seen)) << pointed << " covers " << name;
        }
    };
    for (const char* name : {"workload/sparsity", "workload/h", "tab/MEC & im2col"}) expect_clear(name);
    app.press(Key::three);
    ASSERT_TRUE(app.wait([&] { return app.shell().compare().result() && !app.shell().compare().loading(); }));
    for (const char* name : {"compare/What is timed", "compare/query", "compare/x", "compare/chip 0 n"})
        expect_clear(name);
    app.press(Key::four);
    app.frames(3);
    for (const char* name : {"sweep/axis zeros", "sweep/metric"}) expect_clear(name);
    app.type_into("sweep/axis zeros", "0,2");
    app.frames(3);
    ASSERT_NE(app.shell().sweep().rejection(), "");
    for (const char* name : {"sweep/state", "sweep/axis zeros"}) expect_clear(name);
    app.press(Key::two);
    ASSERT_TRUE(app.wait([&] { return app.has("step/scrub") && !app.shell().step().tracing(); }));
    app.frames(3);
    const auto gutter =
        std::ranges::find_if(app.items(), [](const auto& item) { return item.first.starts_with("step/gutter "); });
    ASSERT_NE(gutter, app.items().end());
    const std::string first_gutter = gutter->first;  // the map is another one after the next frame
    expect_clear(first_gutter);
}

TEST(Tooltips, of_the_bar_at_the_bottom_stand_right_above_it) {
    Driver app;
    notify(app.session(), "Saved somewhere");
    app.frames(2);
    for (Notice& each : app.session().notices) each.age_s = 60;  // the bar has it from now on
    app.frames(2);
    for (const char* name : {"status/device", "status/path", "status/notices"}) {
        app.point_at(name);
        app.frames(60);
        ASSERT_NE(tooltip_window(), nullptr) << name;
        const ImRect words = tooltip_window()->Rect();
        EXPECT_LT(words.Max.y, app.item(name).min.y) << name;
        EXPECT_GT(words.Max.y, app.item(name).min.y - 40) << name;
    }
}

TEST(Tooltips, of_the_bar_at_the_top_stand_right_below_it) {
    Driver app;
    for (const Key view : {Key::one, Key::two, Key::three, Key::four, Key::five, Key::six, Key::seven}) {
        app.press(view);
        app.frames(3);
        for (const char* name : {"toolbar/run", "toolbar/export", "view/Step", "toolbar/menu"}) {
            app.point_at(name);
            app.frames(60);
            ASSERT_NE(tooltip_window(), nullptr) << name;
            const ItemRect control = app.item(name);
            EXPECT_GT(tooltip_window()->Pos.y, control.max.y) << name;
            EXPECT_LT(tooltip_window()->Pos.y, control.max.y + 40) << name << " in " << app.session().view->name;
        }
    }
}

TEST(Stage, the_colours_are_explained_in_a_small_window_too) {
    for (const auto& [width, height] : {std::pair{800, 600}, {1600, 1000}}) {
        Driver app(width, height);
        app.press(Key::escape);
        app.frames(2);
        EXPECT_NE(app.words_on_screen().find("|zero|"), std::string::npos) << width << ": " << app.words_on_screen();
    }
}

TEST(Stage, slots_of_pecr_that_no_thread_fills_are_left_out_and_counted) {
    Driver app;
    set_workload(app.session(), find_preset("examples/xu-fig7").spec);
    ASSERT_TRUE(app.wait([&] { return !app.shell().builder().busy(); }));
    app.click("tab/PECR");
    app.press(Key::escape);
    app.frames(3);
    EXPECT_NE(app.words_on_screen().find(" of 36 slots"), std::string::npos) << app.words_on_screen();
}

TEST(Gui, the_sheet_of_keys_has_every_entry_whole) {
    Driver app;
    app.press(Key::f1);
    app.frames(3);
    const auto without_blanks = [](std::string text) {
        std::erase_if(text, [](char c) { return c == ' ' || c == '\n'; });
        return text;
    };
    const std::string sheet = without_blanks(app.text_of("##help"));
    for (const SheetGroup& group : key_sheet(app.session().view))
        for (const SheetRow& row : group.rows)
            EXPECT_NE(sheet.find(without_blanks(row.what)), std::string::npos) << row.what << " in " << sheet;
}

/// The columns of x that are in sight in the middle of its height.
std::set<std::int64_t> columns_in_sight(Driver& app) {
    std::set<std::int64_t> columns;
    for (float x = 300; x < 1300; x += 8) {
        app.point_at(ImVec2{x, 350});
        const auto& pointed = app.shell().layouts().result().pointed;
        if (pointed && pointed->array == ArrayId::x && pointed != app.session().pinned[0])
            columns.insert(pointed->cell.col);
    }
    return columns;
}

TEST(Stage, another_layer_is_seen_whole_and_other_data_from_where_the_user_is) {
    Driver app;
    app.type_into("workload/h", "20");
    app.type_into("workload/w", "20");
    app.press(Key::escape);
    app.frames(20);
    EXPECT_EQ(columns_in_sight(app).size(), 20U);
    for (float x = 300; x < 1300; x += 8) {
        app.point_at(ImVec2{x, 350});
        const auto& pointed = app.shell().layouts().result().pointed;
        if (pointed && pointed->array == ArrayId::x && pointed->cell.col == 15) break;
    }
    app.wheel_here(4);
    const auto zoomed = columns_in_sight(app);
    EXPECT_LT(zoomed.size(), 15U);
    app.type_into("workload/seed", "5");
    ASSERT_TRUE(app.wait([&] { return !app.shell().builder().busy(); }));
    EXPECT_EQ(columns_in_sight(app), zoomed) << "other data";
    app.type_into("workload/w", "19");
    ASSERT_TRUE(app.wait([&] { return !app.shell().builder().busy(); }));
    app.frames(20);
    EXPECT_EQ(columns_in_sight(app).size(), 19U) << "another layer";
}

/// The first place on the screen, from the left edge of the view, at which the element is pointed at.
std::optional<ImVec2> place_of(Driver& app, const ElementRef& element) {
    for (float y = 130; y < 900; y += 30)
        for (float x = 290; x < 1320; x += 30) {
            app.point_at(ImVec2{x, y});
            if (app.shell().layouts().result().pointed == element) return ImVec2{x, y};
        }
    return std::nullopt;
}

TEST(Gui, a_click_on_a_block_rows_badge_keeps_what_it_lights) {
    Driver app;
    app.press(Key::escape);
    std::optional<ImVec2> badge = place_of(app, {ArrayId::y, {1, 0}});
    ASSERT_TRUE(badge);
    while (badge->x > 290 && !app.shell().layouts().result().group) app.point_at(ImVec2{badge->x -= 4, badge->y});
    ASSERT_TRUE(app.shell().layouts().result().group) << "B2 stands left of its row";
    EXPECT_EQ(app.shell().layouts().result().group->kind, LinkGroup::Kind::block_row);
    app.click_at(*badge);
    app.point_at(ImVec2{20, 60});
    const auto& kept = app.shell().layouts().result().group;
    ASSERT_TRUE(kept);
    EXPECT_EQ(kept->index, 1);
    EXPECT_FALSE(app.shell().layouts().result().links.sentence.empty());
}

}  // namespace
}  // namespace convscope::app
