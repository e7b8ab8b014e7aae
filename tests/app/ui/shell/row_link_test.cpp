// Records that are chosen in one view are chosen in the other.
#include "app/ui/shell/row_link.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "tests/app/driver.h"

namespace convscope::app {
namespace {

/// A recorded launch space, open in both views; the Compare view is shown.
void open_in_both(Driver& app) {
    app.shell().open(RECORDED_SPACES "/ecr3-conv3.csv");
    ASSERT_TRUE(app.wait([&] { return app.shell().compare().data() && !app.shell().compare().loading(); }));
    app.press(Key::four);
    app.frames(2);
    app.click("sweep/suggestions");
    app.click("sweep/suggestions/Rows of ecr3-conv3");
    app.frames(3);
    ASSERT_EQ(app.shell().sweep().results().rows().size(), 192U);
    app.press(Key::three);
    ASSERT_TRUE(app.wait([&] { return app.shell().compare().result() && !app.shell().compare().loading(); }));
}

/// Shift and a drag over the left third of the sweep's map.
void brush_the_map(Driver& app) {
    const CanvasBox map = app.shell().sweep().shown_plots().at(1).area;
    app.shift(true);
    app.drag({static_cast<float>(map.x + 2), static_cast<float>(map.y + 2)},
             {static_cast<float>(map.x + map.w / 3), static_cast<float>(map.bottom() - 2)});
    app.shift(false);
    app.frames(2);
}

TEST(RowLink, a_brush_in_the_sweep_view_lights_the_same_records_in_the_compare_view) {
    Driver app;
    open_in_both(app);
    app.press(Key::four);
    app.frames(2);
    brush_the_map(app);
    const std::size_t brushed = app.shell().sweep().selection().count();
    ASSERT_GT(brushed, 5U);
    ASSERT_LT(brushed, 190U);
    app.press(Key::three);
    EXPECT_TRUE(app.wait([&] { return app.shell().compare().selected() == brushed; }));
    app.keep_image("linked-compare");
    const CompareView& compare = app.shell().compare();
    const std::vector<PlotRow> rows = same_records(*compare.data(), app.shell().sweep().results().rows());
    for (std::size_t i = 0; i < rows.size(); ++i) {
        ASSERT_NE(rows[i], no_row);
        EXPECT_EQ(app.shell().compare().selection().holds(rows[i]),
                  app.shell().sweep().selection().holds(static_cast<PlotRow>(i)));
    }
    // Unpinned there, it is unpinned here as well.
    app.press(Key::escape);
    app.frames(2);
    app.press(Key::four);
    app.frames(2);
    EXPECT_FALSE(app.shell().sweep().selection().brushed());
}

TEST(RowLink, a_row_that_is_pinned_in_the_compare_view_is_pinned_in_the_sweep_view) {
    Driver app;
    open_in_both(app);
    app.session().compare.page = "table";
    ASSERT_TRUE(app.wait([&] { return app.has("compare/row/3"); }));
    app.click("compare/row/3");
    app.frames(2);
    const PlotRow there = app.shell().compare().selection().pinned;
    ASSERT_NE(there, no_row);
    app.press(Key::four);
    app.frames(2);
    app.keep_image("linked-sweep");
    const PlotRow here = app.shell().sweep().selection().pinned;
    ASSERT_NE(here, no_row);
    EXPECT_EQ(app.shell().sweep().results().rows()[here].timestamp_utc,
              app.shell().compare().data()->table.cell(there, table_column("timestamp_utc")));
}

TEST(RowLink, a_filter_goes_along_and_leaves_what_it_should) {
    Driver app;
    open_in_both(app);
    app.type_into("compare/query", "block_size_x=32:64");
    ASSERT_TRUE(app.wait([&] { return !app.shell().compare().loading(); }));
    app.frames(2);
    const std::size_t left = app.shell().compare().result()->shown.count();
    ASSERT_LT(left, 192U);
    ASSERT_GT(left, 0U);
    app.press(Key::four);
    app.frames(2);
    EXPECT_EQ(app.session().sweep.query, "block_size_x=32:64");
    app.keep_image("linked-filter");
    for (const SweepPlot& one : app.shell().sweep().plots())
        for (const PlotSeries& series : one.plot.series)
            for (const PlotRow row : series.row) {
                const Record* record = app.shell().sweep().results().find(row);
                ASSERT_TRUE(record && record->block);
                EXPECT_GE(record->block->x, 32) << "marks keep the numbers of their rows";
                EXPECT_LE(record->block->x, 64);
            }
    app.type_into("sweep/filter", "no such thing");
    app.frames(2);
    EXPECT_TRUE(app.shell().sweep().plots().empty());
    app.type_into("sweep/filter", "bloc=3");
    app.frames(2);
    EXPECT_FALSE(app.shell().sweep().plots().empty()) << "a filter that does not read filters nothing";
    app.type_into("sweep/filter", "block_size_x>64");
    app.press(Key::three);
    EXPECT_TRUE(app.wait([&] { return app.session().compare.query == "block_size_x>64"; }));
}

TEST(RowLink, rows_of_something_else_are_left_alone) {
    Driver app;
    open_in_both(app);
    app.press(Key::four);
    app.frames(2);
    brush_the_map(app);
    app.shell().compare().open_recorded("xu2022-layers");
    app.session().compare.query = "ecr3";
    app.press(Key::three);
    ASSERT_TRUE(app.wait([&] { return app.shell().compare().result() && !app.shell().compare().loading(); }));
    app.frames(2);
    EXPECT_EQ(app.shell().compare().selected(), 0U);
    app.press(Key::four);
    app.frames(2);
    EXPECT_TRUE(app.shell().sweep().selection().brushed());
    EXPECT_EQ(app.session().sweep.query, "");
}

TEST(SameRecords, are_found_whatever_their_order) {
    Record first;
    first.timestamp_utc = "2026-11-21T03:17:43Z";
    first.method = "ecr3";
    first.block = Dim3{32, 1, 1};
    Record other_block = first, later = first;
    other_block.block = Dim3{64, 1, 1};
    later.timestamp_utc = "2026-11-21T03:17:44Z";
    const auto data = make_compare_data({later, other_block, first}, "rows");
    EXPECT_EQ(same_records(*data, {first, later, other_block}), (std::vector<PlotRow>{2, 0, 1}));
    Record unknown = first;
    unknown.method = "mec2";
    EXPECT_EQ(same_records(*data, {unknown}), std::vector<PlotRow>{no_row});
}

}  // namespace
}  // namespace convscope::app
