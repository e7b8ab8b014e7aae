// The app as a user uses it: events go in, the session and the files are looked at.
#include <gtest/gtest.h>
#include <imgui_internal.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "app/session/method_choice.h"
#include "kernels/core/preset.h"
#include "kernels/records/csv_file.h"
#include "tests/app/driver.h"

namespace convscope::app {
namespace {

std::filesystem::path temporary(const std::string& name) {
    return std::filesystem::path(::testing::TempDir()) / ("convscope_gui_" + std::to_string(::getpid()) + "_" + name);
}

TEST(Gui, opens_on_the_worked_example_with_an_element_lit) {
    Driver app;
    EXPECT_EQ(app.session().choices.workload.name, "examples/xu-fig4");
    EXPECT_EQ(app.session().tab, TabId("ecr"));
    ASSERT_TRUE(app.shell().layouts().result().pointed);
    EXPECT_EQ(app.shell().layouts().result().pointed->array, ArrayId::F_data);
    EXPECT_FALSE(app.shell().layouts().result().links.sentence.empty());
}

TEST(Gui, a_launch_configuration_is_typed_and_given_back_to_the_method) {
    Driver app;
    ASSERT_TRUE(app.has("launch/block_x"));
    app.type_into("launch/block_x", "4096");
    EXPECT_EQ(launch_of(app.session(), "ecr1").block->x, 4096);
    EXPECT_TRUE(app.has("launch/reset"));
    const Method& method = *app.registry().find("ecr1", DeviceKind::sim);
    const auto rejected = [&] {
        return rejected_dims(app.session(), app.registry(), method, &LaunchConfig::block,
                             launch_model(app.session(), app.registry()));
    };
    EXPECT_EQ(rejected(), (std::array<bool, 3>{true, false, false})) << "the other numbers could be";
    app.type_into("launch/block_x", "512");
    EXPECT_EQ(rejected(), (std::array<bool, 3>{}));
    app.type_into("launch/block_y", "4");
    EXPECT_EQ(rejected(), (std::array<bool, 3>{false, true, false})) << "ecr1's blocks are a row of threads";
    app.click("launch/reset");
    EXPECT_EQ(launch_of(app.session(), "ecr1"), LaunchConfig{});
}

TEST(Gui, figures_of_another_layer_are_not_shown_as_this_ones) {
    Driver app;
    app.press(Key::space);
    ASSERT_TRUE(app.wait([&] { return !app.shell().live().figures().records.empty(); }, 60));
    app.press(Key::space);
    EXPECT_TRUE(app.shell().live().current(app.session()));
    app.type_into("workload/h", "8");
    EXPECT_FALSE(app.shell().live().current(app.session()));
}

TEST(Gui, hovering_an_element_links_it_and_escape_lets_go) {
    Driver app;
    app.press(Key::escape);
    EXPECT_FALSE(pinned(app.session()));
    // The map stands at the left of the view: some point of its area is an element.
    const ItemRect tab = app.item("tab/ECR");
    bool found = false;
    for (float y = tab.max.y + 20; y < tab.max.y + 400 && !found; y += 12)
        for (float x = tab.min.x + 8; x < tab.min.x + 320 && !found; x += 24) {
            app.point_at(ImVec2{x, y});
            found = app.session().hovered.has_value();
        }
    ASSERT_TRUE(found);
    const ElementRef element = *app.session().hovered;
    EXPECT_EQ(app.shell().layouts().result().links.focus, element);
    EXPECT_FALSE(app.shell().layouts().result().links.sentence.empty());
}

TEST(Gui, arrows_move_what_is_pinned_within_its_array) {
    Driver app;
    app.press(Key::right);
    EXPECT_EQ(pinned(app.session()), (ElementRef{ArrayId::F_data, {1, 3}}));
    for (int i = 0; i < 9; ++i) app.press(Key::down);
    EXPECT_EQ(pinned(app.session())->cell.row, 8);  // three block rows of three windows
    app.press(Key::escape);
    app.press(Key::left);
    EXPECT_EQ(pinned(app.session()), (ElementRef{ArrayId::x, {0, 0}}));
}

TEST(Gui, control_and_a_number_change_the_tab_and_pecr_asks_for_pooling) {
    Driver app;
    app.press(Key::three, true);
    EXPECT_EQ(app.session().tab, TabId("lowering"));
    app.press(Key::two, true);
    ASSERT_TRUE(app.has("pecr/pool"));
    app.click("pecr/pool");
    EXPECT_TRUE(app.session().good.shape.pooled());
    EXPECT_TRUE(app.wait([&] { return !app.has("pecr/pool"); }));
}

TEST(Gui, the_view_is_changed_by_a_click_and_by_its_number) {
    Driver app;
    EXPECT_TRUE(app.has("live/methods"));
    app.click("view/Step");
    EXPECT_EQ(app.session().view, ViewId("step"));
    EXPECT_FALSE(app.has("live/methods"));  // the view fills the centre
    EXPECT_FALSE(app.has("tab/ECR"));
    EXPECT_TRUE(app.has("launch/method"));
    app.press(Key::one);
    EXPECT_EQ(app.session().view, ViewId("layout"));
    app.press(Key::two);
    EXPECT_EQ(app.session().view, ViewId("step"));
    app.press(Key::four, true);  // a tab belongs to the layouts
    EXPECT_EQ(app.session().view, ViewId("layout"));
    EXPECT_EQ(app.session().tab, TabId("output"));
}

TEST(Gui, measures_from_run_to_stop_and_exports_the_rows) {
    Driver app;
    app.press(Key::space);
    EXPECT_TRUE(app.shell().live().wanted());
    ASSERT_TRUE(app.wait([&] { return !app.shell().live().figures().records.empty(); }, 60));
    app.click("toolbar/run");
    EXPECT_FALSE(app.shell().live().wanted());
    ASSERT_TRUE(app.wait([&] { return !app.shell().live().running(); }, 30));

    const std::filesystem::path file = temporary("rows.csv");
    app.press(Key::e, true);
    ASSERT_TRUE(app.session().export_open);
    app.type_into("export/csv path", file.string());
    const std::vector<Record> rows = read_csv(file).records;
    EXPECT_EQ(rows.size(), app.shell().live().figures().records.size());
    ASSERT_FALSE(rows.empty());
    EXPECT_EQ(rows.front().shape, app.session().good.shape);
    std::filesystem::remove(file);
}

TEST(Gui, an_export_that_cannot_be_written_says_so) {
    Driver app;
    app.press(Key::space);
    ASSERT_TRUE(app.wait([&] { return !app.shell().live().figures().records.empty(); }, 60));
    app.press(Key::space);
    app.session().csv_path = "/nonexistent/rows.csv";
    app.press(Key::e, true);
    app.frames(2);
    app.click("export/csv");
    ASSERT_FALSE(app.session().notices.empty());
    EXPECT_TRUE(app.session().notices.back().problem);
    EXPECT_NE(app.session().notices.back().text.find("/nonexistent/rows.csv"), std::string::npos);
}

TEST(Gui, undo_brings_back_what_was_there) {
    Driver app;
    app.type_into("workload/w", "7");
    app.type_into("workload/k", "3");
    app.press(Key::z, true);
    EXPECT_EQ(app.session().good.shape.k, 1);
    app.press(Key::z, true);
    EXPECT_EQ(app.session().good.shape.w, 5);
    EXPECT_EQ(app.session().good.name, "examples/xu-fig4");
    app.press(Key::z, true, true);
    EXPECT_EQ(app.session().good.shape.w, 7);
}

TEST(Gui, escape_closes_an_open_list_and_keeps_what_is_pinned) {
    Driver app;
    app.click("launch/method");
    app.frames(2);
    ASSERT_TRUE(app.has("launch/method/ecr2"));
    app.press(Key::escape);
    EXPECT_FALSE(app.has("launch/method/ecr2"));
    EXPECT_TRUE(pinned(app.session()));
}

TEST(Gui, files_that_cannot_be_opened_become_notices) {
    Driver app;
    const std::filesystem::path file = temporary("broken.toml");
    std::ofstream(file) << "this is not toml\n";
    app.shell().open(file);
    ASSERT_FALSE(app.session().notices.empty());
    EXPECT_NE(app.session().notices.back().text.find(file.string() + ":1:"), std::string::npos)
        << app.session().notices.back().text;
    app.shell().open("/nonexistent/file.csv");
    EXPECT_NE(app.session().notices.back().text.find("/nonexistent/file.csv"), std::string::npos);
    app.shell().open("picture.jpg");
    EXPECT_NE(app.session().notices.back().text.find("picture.jpg"), std::string::npos);
    EXPECT_EQ(app.session().choices.workload.name, "examples/xu-fig4");
    std::filesystem::remove(file);
}

TEST(Gui, the_theme_and_the_panels_follow_the_keyboard_and_the_mouse) {
    Driver app;
    app.press(Key::t, true);
    EXPECT_FALSE(app.session().appearance.dark);
    const float before = app.session().appearance.left_width;
    const ImVec2 edge = app.item("left splitter").centre();
    app.drag(edge, {edge.x + 60, edge.y});
    EXPECT_NEAR(app.session().appearance.left_width, before + 60, 8);
    app.click("fold right");
    EXPECT_FALSE(app.session().appearance.right_open);
}

TEST(Gui, nothing_needs_scrolling_at_1280_by_800) {
    Driver app(1280, 800);
    app.type_into("workload/c", "512");
    app.click("workload/pooling");
    app.press(Key::two, true);
    app.press(Key::space);
    for (const char* item : {"workload/sparsity", "launch/method", "launch/model", "live/methods", "row/onednn"}) {
        ASSERT_TRUE(app.has(item)) << item;
        EXPECT_LT(app.item(item).max.y, 800 - 28) << item;
    }
}

TEST(Gui, the_launch_panel_follows_the_view_and_rejects_what_cannot_run) {
    Driver app;
    app.press(Key::three, true);
    EXPECT_EQ(shown_method(app.session(), app.registry()), "mec2");
    app.press(Key::one, true);
    app.click("launch/method");
    app.frames(2);
    app.click("launch/method/pecr1");  // there is no pooling here
    EXPECT_EQ(shown_method(app.session(), app.registry()), "ecr1");
    ASSERT_FALSE(app.session().notices.empty());
    EXPECT_NE(app.session().notices.back().text.find("pooling"), std::string::npos);
}

TEST(Gui, every_quantity_of_a_plan_is_in_sight_at_1280_by_800) {
    Driver app(1280, 800);
    choose_device(app.session(), app.registry(), "sim");
    for (const char* id : {"tiled-single", "tiled-multi"}) {
        set_workload(app.session(), find_preset("chang/single-28-k3").spec);
        choose_method(app.session(), id);
        app.frames(3);
        const Method& method = app.registry().get(id, DeviceKind::sim);
        const auto plan = method.resolve(app.session().good.shape, {}, default_device_model()).quantities;
        ASSERT_GT(plan.size(), 10U);
        for (const Quantity& quantity : plan)
            EXPECT_LT(app.item("launch/plan/" + quantity.symbol).max.y, 800 - 28) << quantity.symbol;
    }
}

TEST(Gui, a_narrow_window_folds_the_inspector_which_can_be_unfolded) {
    Driver app(900, 600);
    EXPECT_FALSE(app.session().appearance.right_open);
    app.click("fold right");
    app.frames(2);
    EXPECT_TRUE(app.session().appearance.right_open);
}

TEST(Gui, figures_of_another_layer_are_not_shown_beside_an_impossible_value) {
    Driver app;
    app.press(Key::space);
    ASSERT_TRUE(app.wait([&] { return !app.shell().live().figures().records.empty(); }, 60));
    app.press(Key::space);
    app.type_into("workload/r", "9");
    EXPECT_TRUE(app.shell().live().current(app.session()));  // the layer on screen is still the one measured
    app.type_into("workload/r", "2");
    app.type_into("workload/r", "9");
    EXPECT_FALSE(app.shell().live().current(app.session()));
}

/// What is pointed at all over the view.
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
    ASSERT_TRUE(app.wait([&] { return app.shell().live().latest("onednn") != nullptr; }, 30));
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
    EXPECT_GT(ui_scale(app.session()), 1.5F);
    EXPECT_EQ(app.session().appearance.scale, 1) << "the user's own size stays as it is";
    EXPECT_TRUE(app.shell().layouts().result().pointed);
    app.press(Key::escape);
    app.frames(2);
    EXPECT_TRUE(app.has("toolbar/run"));
    EXPECT_EQ(ui_scale(app.session()), 1);
    EXPECT_EQ(pinned(app.session()), pinned_before) << "what is pinned is let go of by the next Esc only";
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

TEST(Export, asks_which_plot_and_says_what_it_is_of) {
    Driver app;
    app.press(Key::three);
    ASSERT_TRUE(app.wait([&] { return app.shell().compare().result() && !app.shell().compare().loading(); }, 30));
    app.frames(3);
    app.press(Key::e, true);
    app.frames(2);
    ASSERT_TRUE(app.has("export/which")) << "two plots are on the screen";
    const std::filesystem::path file = temporary("plot.png");
    app.type_into("export/png path", file.string());
    app.click("export/plot");
    EXPECT_GT(std::filesystem::file_size(file), 10000U);
    EXPECT_FALSE(app.session().export_open);
    std::filesystem::remove(file);
}

TEST(Gui, survives_a_window_of_200_by_200) {
    Driver app(200, 200);
    app.frames(3);
    app.press(Key::f1);
    app.press(Key::escape);
    EXPECT_FALSE(app.session().help_open);
}

TEST(Toolbar, keeps_run_in_sight_in_a_narrow_window) {
    for (const int width : {200, 320, 480, 640, 1024}) {
        Driver app(width, 480);
        app.frames(2);
        ASSERT_TRUE(app.has("toolbar/run")) << width;
        EXPECT_LE(app.item("toolbar/run").max.x, static_cast<float>(width)) << width;
        EXPECT_EQ(app.has("toolbar/preset"), width >= 480) << width;
    }
}

TEST(Toolbar, has_every_view_and_the_help_in_sight_at_800_by_600) {
    Driver app(800, 600);
    app.frames(2);
    for (const char* item : {"view/Layout", "view/Lessons", "toolbar/menu", "toolbar/help", "toolbar/preset"})
        EXPECT_LE(app.item(item).max.x, 800) << item;
    EXPECT_LE(app.item("view/Lessons").max.x, app.item("toolbar/menu").min.x);
    EXPECT_FALSE(app.has("toolbar/export")) << "it is under More";
    app.click("toolbar/menu");
    app.frames(2);
    app.click("menu/export");
    EXPECT_TRUE(app.session().export_open);
}

TEST(Toolbar, lists_the_views_where_they_do_not_fit_side_by_side) {
    Driver app(520, 480);
    app.frames(2);
    EXPECT_FALSE(app.has("view/Network"));
    EXPECT_LE(app.item("toolbar/help").max.x, 520);
    app.click("toolbar/views");
    app.frames(2);
    app.click("toolbar/views/Network");
    EXPECT_EQ(app.session().view, ViewId("network"));
}

TEST(Gui, steps_have_their_source_beside_the_arrays_at_800_by_600) {
    Driver app(800, 600);
    app.frames(2);
    EXPECT_TRUE(app.session().appearance.left_open);
    app.press(Key::two);
    ASSERT_TRUE(app.wait([&] { return app.has("step/splitter"); }));
    app.frames(2);
    EXPECT_FALSE(app.session().appearance.left_open) << "the panels on the left make room";
    const ItemRect edge = app.item("step/splitter");
    EXPECT_GT(edge.max.y - edge.min.y, edge.max.x - edge.min.x);
    compare_steps_with(app.session(), "ecr2");
    ASSERT_TRUE(app.wait([&] { return app.has("beside/splitter"); }));
    app.frames(2);
    for (const char* side : {"step", "beside"}) {
        const ItemRect below = app.item(std::string(side) + "/splitter");
        EXPECT_GT(below.min.y - app.item("step/method").max.y, 150) << "lines of source are in sight";
    }
    EXPECT_LT(app.item("step/scrub").max.x, app.item("step/speed").min.x);
    app.press(Key::one);
    app.frames(2);
    EXPECT_TRUE(app.session().appearance.left_open);
}

TEST(Gui, a_lesson_is_read_in_a_window_of_800_by_600) {
    Driver app(800, 600);
    app.session().lesson.requested_lesson = "01-why-zeros-cost";
    app.frames(4);
    ASSERT_TRUE(app.has("lesson/next"));
    EXPECT_LE(app.item("lesson/next").max.x, 800);
    EXPECT_FALSE(app.session().appearance.left_open) << "the panels on the left make room";
    app.click("lesson/leave");
    app.frames(3);
    EXPECT_TRUE(app.session().appearance.left_open);
}

}  // namespace
}  // namespace convscope::app
