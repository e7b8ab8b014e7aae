// The rows of a sweep that the app takes: on disk as they come, found again by the next one, open in the Compare view.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "app/session/file/session_file.h"
#include "kernels/measure/run_counts.h"
#include "kernels/records/csv_file.h"
#include "tests/app/driver.h"
#include "tests/kernels/files/temp_folder.h"

namespace convscope::app {
namespace {

void open_with_csv(Driver& app, const std::filesystem::path& csv) {
    app.press(Key::four);
    Session& session = app.session();
    choose_device(session, app.registry(), "cpu");
    session.sweep.timeout_s = 0.01;
    session.sweep.methods = {"ecr3", "im2col"};
    session.sweep.axes = std::vector<SweepAxis>{{SweepKind::sparsity, "", "0,0.5,0.9"}};
    session.sweep.csv_path = csv.string();
    app.frames(2);
    ASSERT_EQ(app.shell().sweep().rejection(), "");
}

void run_to_file(Driver& app) {
    app.press(Key::space);
    ASSERT_TRUE(app.wait([&] { return !app.shell().sweep().measures(); }));
    app.frames(3);
}

bool said(Driver& app, const std::string& part) {
    return std::ranges::any_of(app.session().notices,
                               [&](const Notice& one) { return one.text.find(part) != std::string::npos; });
}

std::size_t rows_shown(Driver& app) {
    return app.shell().sweep().results().rows().size();
}

TEST(SweepCsv, has_every_row_and_the_next_start_shows_what_it_has) {
    const TempFolder folder;
    const auto csv = folder / "rows.csv";
    {
        Driver app;
        open_with_csv(app, csv);
        run_to_file(app);
        EXPECT_EQ(app.shell().sweep().results().rows().size(), 6U);
        EXPECT_EQ(read_csv(csv).records.size(), 6U);
        run_to_file(app);
        EXPECT_EQ(read_csv(csv).records.size(), 12U) << "a completed sweep that is run again is measured again";
    }
    Driver app;
    open_with_csv(app, csv);
    EXPECT_TRUE(app.wait([&] { return rows_shown(app) == 6; })) << "before anything is run";
    EXPECT_EQ(app.session().sweep_state, SweepState::idle) << "it is complete";
    app.type_into("sweep/axis zeros", "0,0.5,0.7,0.9");
    ASSERT_TRUE(app.wait([&] { return app.session().sweep_state == SweepState::stopped; })) << "a point is missing";
    EXPECT_EQ(rows_shown(app), 6U);
    run_to_file(app);
    EXPECT_EQ(read_csv(csv).records.size(), 14U) << "only the new point";
    EXPECT_EQ(rows_shown(app), 8U);
}

TEST(SweepCsv, a_sweep_that_is_measured_again_takes_no_row_of_the_time_before) {
    const TempFolder folder;
    Driver app;
    open_with_csv(app, folder / "rows.csv");
    app.session().sweep.axes = std::vector<SweepAxis>{{SweepKind::sparsity, "", "0:0.99:0.01"}};
    run_to_file(app);
    const SweepRows& rows = app.shell().sweep().results();
    const std::string first = rows.rows().at(0).run_id;
    app.click("toolbar/run");
    ASSERT_TRUE(app.wait([&] { return rows.rows().size() >= 2 && rows.rows()[0].run_id != first; }));
    app.click("sweep/cancel");
    ASSERT_TRUE(app.wait([&] { return app.session().sweep_state == SweepState::stopped; }));
    run_to_file(app);
    EXPECT_EQ(rows.rows().size(), 200U);
    EXPECT_TRUE(std::ranges::none_of(rows.rows(), [&](const Record& row) { return row.run_id == first; }));
}

TEST(SweepCsv, its_session_brings_the_rows_back) {
    const TempFolder folder;
    const auto csv = folder / "rows.csv", session = folder / "mine.convscope.toml";
    {
        Driver app;
        open_with_csv(app, csv);
        run_to_file(app);
        write_session(session, {state_of(app.session()), "", ""});
    }
    Driver app;
    app.shell().open(session);
    ASSERT_TRUE(app.wait([&] { return rows_shown(app) == 6; }));
    EXPECT_FALSE(app.shell().sweep().plots().empty());
    EXPECT_FALSE(app.shell().sweep().measures());
    app.keep_image("sweep-from-csv");
}

TEST(SweepCsv, a_file_with_rows_can_be_left_as_it_is) {
    const TempFolder folder;
    const auto csv = folder / "rows.csv";
    Driver app;
    open_with_csv(app, csv);
    EXPECT_FALSE(app.has("sweep/new file")) << "there is no file yet";
    run_to_file(app);
    ASSERT_TRUE(app.wait([&] { return app.has("sweep/new file"); }));
    app.click("sweep/new file");
    EXPECT_EQ(app.session().sweep.csv_path, (folder / "rows-2.csv").string());
    app.frames(2);
    EXPECT_EQ(rows_shown(app), 6U) << "what is shown stays until another run";
    run_to_file(app);
    EXPECT_EQ(read_csv(csv).records.size(), 6U);
    EXPECT_EQ(read_csv(folder / "rows-2.csv").records.size(), 6U) << "all of the sweep";
}

void open_simulated(Driver& app, const std::filesystem::path& csv) {
    app.press(Key::four);
    Session& session = app.session();
    choose_device(session, app.registry(), "sim");
    session.sweep.methods = {"ecr3"};
    std::string zeros = "0";
    for (int i = 1; i < 60; ++i) zeros += "," + std::to_string(i / 60.0);
    session.sweep.axes = std::vector<SweepAxis>{{SweepKind::sparsity, "", zeros}};
    session.sweep.csv_path = csv.string();
    app.frames(2);
    ASSERT_EQ(app.shell().sweep().rejection(), "");
}

TEST(SweepCsv, counts_outlast_a_stop_and_rows_of_a_csv_say_that_they_have_none) {
    const TempFolder folder;
    const auto csv = folder / "rows.csv";
    {
        Driver app;
        open_simulated(app, csv);
        app.press(Key::space);
        ASSERT_TRUE(app.wait([&] { return !app.shell().sweep().results().rows().empty(); }));
        app.press(Key::space);
        ASSERT_TRUE(app.wait([&] { return !app.shell().sweep().measures(); }));
        app.frames(2);
        ASSERT_EQ(app.session().sweep_state, SweepState::stopped) << "the sweep was over too soon to be stopped";
        run_to_file(app);
        ASSERT_EQ(app.shell().sweep().results().rows().size(), 60U);
        EXPECT_TRUE(std::ranges::all_of(app.shell().sweep().results().rows(), has_counts));
    }
    Driver app;
    open_simulated(app, csv);
    ASSERT_TRUE(app.wait([&] { return rows_shown(app) == 60; }));
    const std::vector<Record>& rows = app.shell().sweep().results().rows();
    EXPECT_TRUE(std::ranges::none_of(rows, has_counts));
    const std::vector<SweepPlot>& plots = app.shell().sweep().plots();
    ASSERT_FALSE(plots.empty());
    ASSERT_FALSE(plots[0].plot.rejected.empty());
    EXPECT_EQ(plots[0].plot.rejected[0].reason.find("ecr3: read from a CSV, which holds no counts"), 0U)
        << plots[0].plot.rejected[0].reason;
    run_to_file(app);
    EXPECT_TRUE(std::ranges::all_of(app.shell().sweep().results().rows(), has_counts)) << "Run counts them again";
}

TEST(SweepCsv, a_torn_row_is_cut_off_and_measured_again) {
    const TempFolder folder;
    const auto csv = folder / "rows.csv";
    {
        Driver app;
        open_with_csv(app, csv);
        run_to_file(app);
    }
    std::filesystem::resize_file(csv, std::filesystem::file_size(csv) - 40);
    Driver app;
    open_with_csv(app, csv);
    run_to_file(app);
    EXPECT_TRUE(said(app, "ended in the middle of a row"));
    EXPECT_TRUE(read_csv(csv).errors.empty());
    EXPECT_EQ(app.shell().sweep().results().rows().size(), 6U);
}

TEST(SweepCsv, opens_in_the_compare_view_with_what_is_brushed) {
    const TempFolder folder;
    Driver app;
    open_with_csv(app, folder / "rows.csv");
    run_to_file(app);
    app.shell().sweep().selection().brush({1, 4});
    app.click("sweep/compare");
    EXPECT_TRUE(app.wait([&] { return app.shell().compare().selected() == 2; }));
    EXPECT_EQ(app.session().view, ViewId("compare"));
    ASSERT_EQ(app.shell().compare().data()->table.rows(), 6U);
    EXPECT_TRUE(app.shell().compare().selection().holds(4));
}

TEST(SweepCsv, without_a_file_the_rows_are_this_run_s) {
    Driver app;
    open_with_csv(app, "");
    run_to_file(app);
    app.click("sweep/compare");
    ASSERT_TRUE(app.wait([&] { return app.shell().compare().result() && !app.shell().compare().loading(); }));
    app.frames(2);
    EXPECT_EQ(app.shell().compare().data()->title, CompareView::this_run);
    EXPECT_EQ(app.shell().compare().data()->table.rows(), 6U);
}

TEST(SweepCsv, a_file_that_cannot_be_written_is_said_before_anything_is_measured) {
    const TempFolder folder;
    Driver app;
    open_with_csv(app, folder / "no such folder" / "rows.csv");
    run_to_file(app);
    EXPECT_TRUE(said(app, "cannot be written"));
    EXPECT_TRUE(app.shell().sweep().results().rows().empty());
    const auto foreign = folder.write("notes.csv", "a,b\n1,2\n");
    app.session().sweep.csv_path = foreign.string();
    run_to_file(app);
    EXPECT_TRUE(app.shell().sweep().results().rows().empty());
    std::ifstream there(foreign);
    EXPECT_EQ(std::string(std::istreambuf_iterator<char>(there), {}), "a,b\n1,2\n") << "it is left as it was";
}

}  // namespace
}  // namespace convscope::app
