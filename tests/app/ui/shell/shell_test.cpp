// The app as a user uses it: events go in, the session and the files are looked at.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <span>
#include <string>
#include <vector>

#include "app/session/file_kinds.h"
#include "kernels/files/npy.h"
#include "kernels/files/text_file.h"
#include "kernels/formats/format_file.h"
#include "kernels/records/csv_file.h"
#include "tests/app/driver.h"
#include "tests/kernels/files/temp_folder.h"

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
    ASSERT_EQ(app.session().desktop_state.overlay, Overlay::export_dialog);
    app.frames(2);
    app.click("export/csv");
    EXPECT_NE(app.session().desktop_state.overlay, Overlay::export_dialog);
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

TEST(Gui, a_file_of_another_kind_that_is_dropped_is_told_which_kinds_there_are) {
    Driver app;
    app.shell().drop({"notes.txt"});
    EXPECT_EQ(app.session().notices.back().text,
              "notes.txt cannot be opened: a session ends in .convscope.toml, a preset in .toml, x in .npy, .npz or "
              ".safetensors, a model in .onnx, its input in .png, .ppm or .pgm, records in .csv or .json, a lesson in "
              ".md, a kernel in .cu");
    // And each of them is opened: where it is not there, that is what is said.
    for (const std::string& ending : opened_endings()) {
        const std::size_t before = app.session().notices_so_far;
        app.shell().drop({"no-such-file" + ending});
        if (app.session().notices_so_far == before) continue;
        EXPECT_EQ(app.session().notices.back().text.find("a session ends in"), std::string::npos) << ending;
    }
}

TEST(Gui, an_array_that_is_dropped_is_the_layers_x) {
    Driver app;
    const TempFolder folder;
    const auto drop = [&](const std::string& name, const NpyShape& shape, const std::vector<float>& values) {
        write_npy(folder / name, std::span<const float>(values), shape);
        app.shell().drop({folder / name});
        app.frames(3);
    };
    drop("maps.npy", {2, 3, 4}, std::vector<float>(24, 1.5F));
    const WorkloadSpec& spec = app.session().good;
    EXPECT_EQ(to_string(spec.shape), "1x2x3x4 * 1x2x3x3, stride 1, pad 0") << "the filters stay as large as they were";
    EXPECT_EQ(spec.source, Source::file);
    EXPECT_EQ(spec.name, "maps");
    ASSERT_TRUE(app.wait([&] { return app.shell().builder().latest()->workload->spec.name == "maps"; }));
    EXPECT_EQ(app.shell().builder().latest()->workload->x.data, std::vector<float>(24, 1.5F));
    drop("small.npy", {2, 2}, {1, 2, 3, 4});
    EXPECT_NE(app.session().notices.back().text.find("3x3 filter"), std::string::npos)
        << app.session().notices.back().text;
    EXPECT_EQ(app.session().good.name, "maps") << "the layer stays";
}

TEST(Gui, a_sparse_matrix_that_is_dropped_is_the_layers_x) {
    Driver app;
    const TempFolder folder;
    const FormatMatrix dense{4, 5, {0, 1, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 4, 0, 5, 0, 6}};
    const FormatArrays csr = build_from_entries(find_sparse_format("csr"), make_sparse(dense), false);
    app.shell().drop({folder.write("graph.npz", matrix_npz_bytes(csr))});
    ASSERT_TRUE(app.wait([&] { return app.shell().builder().latest()->workload->spec.name == "graph"; }))
        << app.session().notices.back().text;
    const Workload& shown = *app.shell().builder().latest()->workload;
    EXPECT_EQ(shown.spec.shape.h, 4);
    EXPECT_EQ(shown.spec.shape.w, 5);
    EXPECT_EQ(shown.x.data, dense.values);
    EXPECT_EQ(app.session().notices.back().text, "Opened graph.npz as x, 4x5");
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

}  // namespace
}  // namespace convscope::app
