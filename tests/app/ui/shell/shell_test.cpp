// The app as a user uses it: events go in, the session and the files are looked at.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "kernels/core/text_file.h"
#include "kernels/records/csv_file.h"
#include "tests/app/driver.h"
#include "tests/kernels/core/temp_folder.h"

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

TEST(Gui, figures_of_another_layer_are_not_shown_as_this_ones) {
    Driver app;
    app.press(Key::space);
    ASSERT_TRUE(app.wait([&] { return !app.shell().live().snapshot().records.empty(); }));
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

TEST(Gui, an_element_of_the_input_stays_pinned_on_every_page) {
    Driver app;
    const ItemRect tab = app.item("tab/ECR");
    const auto is_input = [&] {
        const auto& hovered = app.session().hovered;
        return hovered && hovered->array == ArrayId::x && hovered->cell.row > 0;
    };
    ImVec2 at;
    for (at.y = tab.max.y + 20; at.y < tab.max.y + 400 && !is_input(); at.y += 12)
        for (at.x = tab.min.x + 8; at.x < tab.min.x + 320 && !is_input(); at.x += 24) app.point_at(at);
    ASSERT_TRUE(is_input());
    const ElementRef element = *app.session().hovered;
    app.hold(true);
    app.frames(2);
    app.hold(false);
    app.frames(2);
    ASSERT_EQ(pinned(app.session()), element);
    app.point_at(ImVec2{4, 4});
    app.press(Key::three, true);
    ASSERT_EQ(app.session().tab, TabId("lowering"));
    app.frames(3);
    EXPECT_EQ(pinned(app.session()), element);
    EXPECT_EQ(app.shell().layouts().result().links.focus, element) << "the page shows where it goes";
    app.press(Key::escape);
    app.press(Key::one, true);
    EXPECT_EQ(app.session().tab, TabId("ecr"));
    EXPECT_FALSE(pinned(app.session())) << "let go on one page, it is on all";
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
    ASSERT_TRUE(app.wait([&] { return !app.shell().live().snapshot().records.empty(); }));
    app.click("toolbar/run");
    EXPECT_FALSE(app.shell().live().wanted());
    ASSERT_TRUE(app.wait([&] { return !app.shell().live().running(); }));

    const std::filesystem::path file = temporary("rows.csv");
    app.session().csv_path = file.string();
    app.press(Key::e, true);
    ASSERT_TRUE(app.session().export_open);
    app.frames(2);
    app.click("export/csv");
    EXPECT_FALSE(app.session().export_open);
    const std::vector<Record> rows = read_csv(file).records;
    EXPECT_EQ(rows.size(), app.shell().live().snapshot().records.size());
    ASSERT_FALSE(rows.empty());
    EXPECT_EQ(rows.front().shape, app.session().good.shape);
    std::filesystem::remove(file);
}

TEST(Gui, an_export_that_cannot_be_written_says_so) {
    Driver app;
    app.press(Key::space);
    ASSERT_TRUE(app.wait([&] { return !app.shell().live().snapshot().records.empty(); }));
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

TEST(Gui, figures_of_another_layer_are_not_shown_beside_an_impossible_value) {
    Driver app;
    app.press(Key::space);
    ASSERT_TRUE(app.wait([&] { return !app.shell().live().snapshot().records.empty(); }));
    app.press(Key::space);
    app.type_into("workload/r", "9");
    EXPECT_TRUE(app.shell().live().current(app.session()));  // the layer on screen is still the one measured
    app.type_into("workload/r", "2");
    app.type_into("workload/r", "9");
    EXPECT_FALSE(app.shell().live().current(app.session()));
}

/// Width and height, which stand in a PNG's first chunk.
std::pair<unsigned, unsigned> size_of_png(const std::filesystem::path& file) {
    std::ifstream in(file, std::ios::binary);
    unsigned char head[24] = {};
    in.read(reinterpret_cast<char*>(head), sizeof head);
    const auto number = [&](int at) {
        return unsigned{head[at]} << 24 | head[at + 1] << 16 | head[at + 2] << 8 | head[at + 3];
    };
    return {number(16), number(20)};
}

/// A file dialog of our own, and a folder of the test's.
class Export : public ::testing::Test {
protected:
    Export() {
        app_.shell().dialogs().set_asking(Asking::builtin);
        for (std::string* path : {&app_.session().csv_path, &app_.session().png_path})
            *path = (folder_ / std::filesystem::path(*path).filename()).string();
        app_.frames(3);
    }
    void press_export(const char* button) {
        app_.press(Key::e, true);
        app_.frames(2);
        app_.click(button);
        app_.frames(3);
    }
    /// Takes the name that the dialog suggests.
    void accept() {
        app_.click("dialog/accept");
        app_.frames(3);
    }
    std::string read(const char* name) { return read_text_file(folder_ / name); }

    const TempFolder folder_;
    Driver app_;
};

TEST_F(Export, saves_the_view_twice_as_large_without_its_panels_or_the_whole_window) {
    press_export("export/window");
    accept();
    EXPECT_EQ(size_of_png(folder_ / "convscope.png"), std::pair(1600U, 1000U));
    std::filesystem::remove(folder_ / "convscope.png");
    press_export("export/view");
    accept();
    const auto [width, height] = size_of_png(folder_ / "convscope.png");
    const float left = app_.item("left splitter").max.x, right = app_.item("right splitter").min.x;
    EXPECT_NEAR(width, 2 * (right - left), 16);
    EXPECT_GT(height, 1000U);
    EXPECT_EQ(app_.session().notices.back().text, "Saved " + (folder_ / "convscope.png").string());
}

TEST_F(Export, has_the_arrays_as_an_svg_with_their_text) {
    press_export("export/window");
    accept();
    ASSERT_FALSE(app_.session().notices.empty()) << "which lies over the view";
    app_.right_click_at({600, 400});
    app_.frames(2);
    app_.click("layout/svg");
    app_.frames(3);
    accept();
    const std::string svg = read("convscope.svg");
    for (const char* text : {">F_data of B1<", ">Input x<", ">T1<", ">examples/xu-fig4, batch 1"})
        EXPECT_NE(svg.find(text), std::string::npos) << text;
    EXPECT_EQ(svg.find(">Saved"), std::string::npos) << "what lies over the view is none of it";
    EXPECT_EQ(svg.find("<image"), std::string::npos) << "these cells are shapes";
    EXPECT_GT(std::ranges::count(svg, '\n'), 60);
}

TEST_F(Export, never_replaces_a_file_that_was_not_meant) {
    std::ofstream(folder_ / "convscope.png") << "mine";
    for (const char* button : {"export/view", "export/window"}) {
        press_export(button);
        ASSERT_TRUE(app_.shell().dialogs().builtin_open()) << button;
        EXPECT_EQ(read("convscope.png"), "mine");
        app_.click("dialog/cancel");
        app_.frames(3);
        EXPECT_EQ(read("convscope.png"), "mine");
    }
}

TEST_F(Export, that_fails_keeps_the_dialog_with_the_path_and_says_why) {
    app_.press(Key::space);
    ASSERT_TRUE(app_.wait([&] { return !app_.shell().live().snapshot().records.empty(); }));
    app_.press(Key::space);
    for (const auto& [button, name] : {std::pair("export/csv", "x.csv"),
                                       {"export/view", "x.png"},
                                       {"export/view svg", "x.svg"},
                                       {"export/window", "x.png"}}) {
        press_export(button);
        ASSERT_TRUE(app_.has("dialog/path")) << button;
        const std::string there = std::string("/proc/") + name;  // where nobody can make a file
        app_.type_into("dialog/path", there);
        app_.frames(4);
        ASSERT_TRUE(app_.has("dialog/path")) << button;
        const std::string shown = app_.text_of("##file dialog");
        EXPECT_NE(shown.find(there), std::string::npos) << button << ": " << shown;
        EXPECT_NE(shown.find("cannot"), std::string::npos) << button << ": " << shown;
        app_.type_into("dialog/path", folder_ / name);
        app_.frames(4);
        EXPECT_FALSE(app_.has("dialog/path")) << button;
        EXPECT_TRUE(std::filesystem::exists(folder_ / name)) << button;
        std::filesystem::remove(folder_ / name);
    }
}

TEST_F(Export, saves_the_same_plot_as_its_own_menu) {
    app_.session().compare.page = "scopes";
    app_.press(Key::three);
    ASSERT_TRUE(app_.wait([&] { return app_.shell().compare().result() && !app_.shell().compare().loading(); }));
    app_.frames(3);
    app_.press(Key::e, true);
    app_.frames(2);
    ASSERT_TRUE(app_.has("export/which")) << "two plots are on the screen";
    app_.click("export/plot svg");
    app_.frames(3);
    ASSERT_TRUE(app_.shell().dialogs().builtin_open());
    accept();
    const auto svg_in_folder = [&] {
        for (const auto& each : std::filesystem::directory_iterator(folder_ / ""))
            if (each.path().extension() == ".svg") return each.path();
        return std::filesystem::path();
    };
    const std::string by_export = read_text_file(svg_in_folder());
    std::filesystem::remove(svg_in_folder());
    app_.right_click("compare/plot 0");
    app_.frames(2);
    app_.click("plot menu/Save as SVG");
    app_.frames(3);
    accept();
    EXPECT_EQ(read_text_file(svg_in_folder()), by_export);
    for (const char* said : {"zeros ", "batch ", ">Recorded on"})
        EXPECT_NE(by_export.find(said), std::string::npos) << said;
}

}  // namespace
}  // namespace convscope::app
