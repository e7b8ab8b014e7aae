// Files and clipboard texts that leave the window: by Export, by menus, by keys and by the palette.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <utility>

#include "app/session/pin.h"
#include "app/ui/dialogs/drawn_figures.h"
#include "kernels/files/text_file.h"
#include "tests/app/driver.h"
#include "tests/kernels/files/temp_folder.h"
#include "visualizers/plots/plot_text.h"

namespace convscope::app {
namespace {

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
    static ImVec2 middle_of(const char* figure) {
        const DrawnFigure* const drawn = find_figure(figure);
        if (!drawn) throw std::runtime_error(fmt::format("no figure '{}'; there are {}", figure, titles()));
        return {static_cast<float>(drawn->box.x + drawn->box.w / 2),
                static_cast<float>(drawn->box.y + drawn->box.h / 2)};
    }
    static std::string titles() {
        std::string all;
        for (const DrawnFigure& each : drawn_figures()) all += each.title + "; ";
        return all;
    }
    void save_of_figure(const char* figure, const char* item) {
        app_.right_click_at(middle_of(figure));
        app_.frames(2);
        app_.click(std::string("figure menu/") + item);
        app_.frames(3);
        ASSERT_TRUE(app_.shell().dialogs().builtin_open()) << figure;
        accept();
    }

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
    app_.click("view menu/Save as SVG");
    app_.frames(3);
    accept();
    const std::string svg = read("convscope.svg");
    for (const char* text : {">F_data of B1<", ">Input x<", ">T1<", ">examples/xu-fig4, 1x1x5x5"})
        EXPECT_NE(svg.find(text), std::string::npos) << text;
    EXPECT_EQ(svg.find(">Saved"), std::string::npos) << "what lies over the view is none of it";
    EXPECT_EQ(svg.find("<image"), std::string::npos) << "these cells are shapes";
    EXPECT_GT(std::ranges::count(svg, '\n'), 60);
}

TEST_F(Export, never_replaces_a_file_that_was_not_meant) {
    for (const auto& [button, name] : {std::pair("export/view", "convscope.png"),
                                       {"export/window", "convscope.png"},
                                       {"export/figure", "convscope.Input-x.png"}}) {
        std::ofstream(folder_ / name) << "mine";
        app_.point_at(middle_of("Input x"));
        press_export(button);
        ASSERT_TRUE(app_.shell().dialogs().builtin_open()) << button;
        EXPECT_NE(app_.text_of("##file dialog").find("exists: saving replaces it"), std::string::npos) << button;
        EXPECT_EQ(read(name), "mine");
        app_.click("dialog/cancel");
        app_.frames(3);
        EXPECT_EQ(read(name), "mine");
    }
}

TEST_F(Export, that_fails_keeps_the_dialog_with_the_path_and_says_why) {
    app_.press(Key::space);
    ASSERT_TRUE(app_.wait([&] { return !app_.shell().live().snapshot().records.empty(); }));
    app_.press(Key::space);
    for (const auto& [button, name] : {std::pair("export/csv", "x.csv"),
                                       {"export/figure", "x.png"},
                                       {"export/figure svg", "x.svg"},
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
    app_.click("export/figure svg");
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

TEST_F(Export, has_a_figure_alone_by_its_own_menu_light_for_paper_with_its_caption) {
    ASSERT_TRUE(app_.session().appearance.dark);
    save_of_figure("F_data of B1", "Save as SVG");
    const std::string svg = read("convscope.F_data-of-B1.svg");
    for (const char* text :
         {">F_data of B1<", ">T1<", ">22<", ">examples/xu-fig4, 1x1x5x5", "zeros ", ">ECR: ", ">zero<", ">unused<"})
        EXPECT_NE(svg.find(text), std::string::npos) << text;
    EXPECT_EQ(svg.find(">Input x<"), std::string::npos) << "the other figures are none of it";
    const std::string ground = fmt::format("height='100%' fill='{}'", hex(light_theme().panel));
    EXPECT_NE(svg.find(ground), std::string::npos);
    EXPECT_EQ(app_.shell().background().u32(), dark_theme().panel.u32()) << "the screen stays as it is";
    const double width = std::stod(svg.substr(svg.find("width='") + 7));
    for (const int scale : {2, 4}) {
        app_.session().notices.clear();  // which take their room from the view
        app_.frames(30);
        save_of_figure("F_data of B1", fmt::format("Save as PNG, {}x", scale).c_str());
        EXPECT_EQ(size_of_png(folder_ / "convscope.F_data-of-B1.png").first, std::lround(scale * width));
    }
}

TEST_F(Export, has_all_of_a_format_that_is_scrolled_out_of_sight_in_part) {
    app_.press(Key::seven, true);
    app_.frames(3);
    app_.click("formats/im2col");
    app_.frames(3);
    ASSERT_NE(find_figure("Dense"), nullptr);
    EXPECT_EQ(find_figure("Dense")->part, "");
    save_of_figure("Dense", "Save as SVG");
    EXPECT_EQ(read("convscope.Dense.svg").find("Shown are the"), std::string::npos);
    const auto cut = [] {
        return std::ranges::find_if(drawn_figures(), [](const DrawnFigure& each) { return !each.part.empty(); });
    };
    for (int notch = 0; notch < 30 && cut() == drawn_figures().end(); ++notch) {
        app_.point_at(ImVec2{640, 500});
        app_.wheel_here(-1);
        app_.frames(3);
    }
    ASSERT_NE(cut(), drawn_figures().end());
    const std::string title = cut()->title, part = cut()->part;
    EXPECT_TRUE(part.starts_with("Shown are the ") && part.ends_with("the rest is out of sight.")) << part;
    save_of_figure(title.c_str(), "Save as SVG");
    const std::string svg = read(("convscope." + title + ".svg").c_str());
    EXPECT_EQ(svg.find("Shown are the"), std::string::npos);
    EXPECT_NE(svg.find('>' + title + '<'), std::string::npos) << "its upper end";
    EXPECT_NE(svg.find(">values: "), std::string::npos) << "its lower end";
    ASSERT_NE(find_figure(title), nullptr);
    EXPECT_LT(find_figure(title)->box.x, 1280) << "the next frame is of the screen";
}

TEST_F(Export, has_formulas_and_what_the_palette_finds) {
    app_.press(Key::k, true);
    app_.frames(2);
    app_.type("Figure Xu 2019, Eq. 1");
    app_.press(Key::enter);
    app_.frames(2);
    ASSERT_EQ(app_.session().desktop_state.overlay, Overlay::export_dialog);
    app_.click("export/as shown");
    app_.click("export/figure svg");
    app_.frames(3);
    accept();
    const std::string svg = read("convscope.Xu-2019-Eq.-1-whose-quotients-are-q-and-p.svg");
    EXPECT_NE(svg.find(">Xu 2019, Eq. 1, whose"), std::string::npos) << "the caption";
    EXPECT_NE(svg.find("81"), std::string::npos) << "of 9 windows";
    const std::string ground = fmt::format("height='100%' fill='{}'", hex(dark_theme().panel));
    EXPECT_NE(svg.find(ground), std::string::npos) << "as it is shown";
    EXPECT_EQ(svg.find(">zero<"), std::string::npos) << "it has no cells";
    EXPECT_EQ(svg.find(">additions<"), std::string::npos) << "what stands above and below is none of it";
}

TEST_F(Export, begins_with_what_is_pointed_at) {
    app_.point_at(middle_of("Input x"));
    press_export("export/figure svg");
    accept();
    EXPECT_NE(read("convscope.Input-x.svg").find(">Input x<"), std::string::npos);
}

TEST_F(Export, shows_what_is_pinned_and_not_where_the_pointer_is) {
    app_.press(Key::escape);
    const std::string lit = hex(light_theme().accent);
    save_of_figure("Input x", "Save as SVG");
    EXPECT_EQ(read("convscope.Input-x.svg").find(lit), std::string::npos);
    std::filesystem::remove(folder_ / "convscope.Input-x.svg");
    app_.click_at(middle_of("Input x"));
    ASSERT_TRUE(pinned(app_.session()));
    save_of_figure("Input x", "Save as SVG");
    EXPECT_NE(read("convscope.Input-x.svg").find(lit), std::string::npos);
}

TEST_F(Export, copies_for_slides_what_is_pointed_at_or_the_view) {
    std::string taken;
    app_.shell().image_clipboard = [&taken](std::string png) {
        taken = std::move(png);
        return true;
    };
    app_.point_at(middle_of("K_data of B1"));
    app_.press(Key::c, true, true);
    app_.frames(2);
    EXPECT_EQ(app_.session().notices.back().text, "Copied K_data of B1 as PNG, 4x");
    EXPECT_EQ(taken.substr(1, 3), "PNG");
    const std::string figure = std::exchange(taken, std::string());
    app_.point_at(ImVec2{4, 4});
    app_.press(Key::c, true, true);
    app_.frames(2);
    EXPECT_EQ(app_.session().notices.back().text, "Copied the view as PNG, 2x");
    EXPECT_NE(taken, figure);
}

TEST_F(Export, has_every_kind_of_figure_of_each_view) {
    const auto has = [](const char* title) { return find_figure(title) != nullptr; };
    for (const char* title : {"Input x", "F_data of B1", "K_data of B1", "Ptr", "Filter w", "Output y"})
        EXPECT_TRUE(has(title)) << title << " of " << titles();
    const auto show = [this](TabId tab) {
        app_.session().tab = tab;
        app_.frames(3);
    };
    show(TabId("solutions"));
    for (const char* title : {"L", "K", "O, in order n-h-w-c"}) EXPECT_TRUE(has(title)) << title << " of " << titles();
    show(TabId("formats"));
    EXPECT_TRUE(has("CSR")) << titles();
    save_of_figure("CSR", "Save as SVG");
    EXPECT_NE(read("convscope.CSR.svg").find(">Formats: "), std::string::npos);
    show(TabId("balance"));
    EXPECT_TRUE(std::ranges::any_of(drawn_figures(), &DrawnFigure::is_plot)) << titles();
    show(TabId("ecr"));
    app_.session().layer.whole = true;
    app_.frames(3);
    EXPECT_TRUE(has("F_data")) << titles();
    app_.session().layer.whole = false;
    app_.press(Key::two);
    ASSERT_TRUE(app_.wait([&] { return has("Lanes and memory request of step 1"); })) << titles();
    save_of_figure("Lanes and memory request of step 1", "Save as SVG");
    const std::string step = read("convscope.Lanes-and-memory-request-of-step-1.svg");
    EXPECT_NE(step.find("after step 1 of"), std::string::npos);
    EXPECT_NE(step.find("ecr1, kernel"), std::string::npos);
}

TEST_F(Export, says_what_each_row_is_of_in_whole_words) {
    app_.press(Key::e, true);
    app_.frames(3);
    const std::string words = app_.words_on_screen();
    for (const char* meaning :
         {"nothing is measured yet", "without the side panels", "size and ground of a PNG", "as it is on the screen"})
        EXPECT_NE(words.find(fmt::format("|{}|", meaning)), std::string::npos) << meaning << ": " << words;
}

}  // namespace
}  // namespace convscope::app
