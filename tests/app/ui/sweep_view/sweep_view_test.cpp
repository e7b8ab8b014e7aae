// The Sweep view as a user uses it.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "app/session/sweep_axes.h"
#include "app/ui/dialogs/save_plot.h"
#include "kernels/layers/preset.h"
#include "tests/app/driver.h"
#include "tests/kernels/files/temp_folder.h"

namespace convscope::app {
namespace {

/// The view, with a small sweep on the CPU.
void open(Driver& app) {
    app.press(Key::four);
    ASSERT_EQ(app.session().view, ViewId("sweep"));
    Session& session = app.session();
    choose_device(session, app.registry(), "cpu");
    session.sweep.timeout_s = 0.01;
    session.sweep.methods = {"ecr", "im2col"};
    std::vector<std::string> ours;
    for (const Method* method : app.registry().methods(DeviceKind::cpu))
        if (!method->info().vendor && method->supports(session.good.shape)) ours.push_back(method->info().id);
    ASSERT_GE(ours.size(), 2U);
    session.sweep.methods = std::vector<std::string>{ours[0], ours[1]};
    session.sweep.axes =
        std::vector<SweepAxis>{{SweepKind::sparsity, "", "0,0.5,0.9"}, {SweepKind::channels, "", "1,4"}};
    app.frames(2);
    ASSERT_EQ(app.shell().sweep().rejection(), "");
}

void run(Driver& app) {
    app.press(Key::space);
    // On a quick machine so small a sweep is over within the frames of the key.
    ASSERT_TRUE(
        app.wait([&] { return !app.shell().sweep().measures() && !app.shell().sweep().results().rows().empty(); }));
    app.frames(3);
}

const PlotResult& shown(Driver& app, std::size_t i) {
    return app.shell().sweep().shown_plots().at(i);
}

TEST(SweepView, has_a_sweep_ready_to_run) {
    Driver app;
    app.press(Key::four);
    choose_device(app.session(), app.registry(), "cpu");
    app.frames(2);
    EXPECT_EQ(app.shell().sweep().rejection(), "");
    EXPECT_FALSE(axes_in_use(app.session(), app.registry()).empty());
    EXPECT_FALSE(sweep_methods(app.session(), app.registry()).empty());
    EXPECT_TRUE(app.has("sweep/suggestions"));
    EXPECT_NE(app.words_on_screen().find("|Ready to time 5 methods at|28 points|over zeros, channels|"),
              std::string::npos)
        << app.words_on_screen();
    app.session().sweep.axes = std::vector<SweepAxis>{{SweepKind::sparsity, "", "0,0.5,0.9"}};
    app.session().sweep.methods = std::vector<std::string>{"ecr3"};
    app.frames(3);
    EXPECT_NE(app.words_on_screen().find("|Ready to time 1 method at|3 points|over zeros|"), std::string::npos)
        << app.words_on_screen();
    app.keep_image("sweep-ready");
}

TEST(SweepView, measures_every_point_and_shows_them_in_linked_plots) {
    Driver app(1280, 800);
    open(app);
    run(app);
    EXPECT_EQ(app.shell().sweep().results().rows().size(), 12U);
    ASSERT_EQ(app.shell().sweep().plots().size(), 3U) << "lines, map, parallel; no occupancy on a CPU";
    ASSERT_EQ(app.shell().sweep().shown_plots().size(), 3U);
    EXPECT_EQ(app.session().sweep_state, SweepState::idle);
    app.keep_image("sweep-run");

    // Shift and a drag over the map's left half.
    const CanvasBox map = shown(app, 1).area;
    app.shift(true);
    app.drag({static_cast<float>(map.x + 2), static_cast<float>(map.y + 2)},
             {static_cast<float>(map.x + map.w * 0.45), static_cast<float>(map.bottom() - 2)});
    app.shift(false);
    app.frames(2);
    const RowSelection& selection = app.shell().sweep().selection();
    EXPECT_EQ(selection.count(), 2U) << "one sparsity at both channels";
    EXPECT_TRUE(app.has("sweep/clear"));
    app.keep_image("sweep-brushed");
    app.press(Key::escape);
    app.frames(2);
    EXPECT_FALSE(selection.brushed());
}

TEST(SweepView, varies_the_zeros_in_the_weights) {
    Driver app;
    open(app);
    app.session().choices.workload.weight_pattern = WeightPattern::magnitude;
    app.session().choices.workload.weight_sparsity = 0.1;
    edit_workload(app.session());
    app.session().sweep.axes =
        std::vector<SweepAxis>{{SweepKind::weight_sparsity, "", "0,0.5,1"}, {SweepKind::channels, "", "1,4"}};
    run(app);
    const std::vector<Record>& rows = app.shell().sweep().results().rows();
    ASSERT_EQ(rows.size(), 12U);
    for (const Record& row : rows) {
        EXPECT_EQ(row.weight_pattern, "magnitude");
        const bool ran = row.status == Status::passed || row.status == Status::timeout;  // on a busy machine
        EXPECT_EQ(row.weight_sparsity_measured.has_value(), ran) << row.status_reason;
    }
    const Plot& lines = app.shell().sweep().plots()[0].plot;
    EXPECT_EQ(lines.x.name, "weight zeros");
    EXPECT_EQ(lines.x.unit, "%");
    app.session().sweep.axes = std::vector<SweepAxis>{{SweepKind::weight_sparsity, "", "0,2"}};
    app.frames(2);
    EXPECT_EQ(app.shell().sweep().rejection(), "weight zeros: '2' is not accepted; give a number from 0 to 1");
}

TEST(SweepView, the_simulated_gpu_is_swept_by_what_it_counts) {
    Driver app(1280, 800);
    app.press(Key::four);
    Session& session = app.session();
    choose_device(session, app.registry(), "sim");
    session.sweep.methods = std::vector<std::string>{"ecr3", "im2col"};
    session.sweep.axes =
        std::vector<SweepAxis>{{SweepKind::sparsity, "", "0,0.5,0.9"}, {SweepKind::channels, "", "1,4"}};
    app.frames(2);
    EXPECT_FALSE(app.has("sweep/scope")) << "it has no clock";
    EXPECT_FALSE(app.has("sweep/seconds"));
    run(app);
    const std::vector<SweepPlot>& plots = app.shell().sweep().plots();
    ASSERT_EQ(plots.size(), 4U) << "lines, map, occupancy, parallel";
    EXPECT_EQ(plots[0].plot.y.name, "sectors");
    ASSERT_FALSE(plots[0].plot.series.empty());
    ASSERT_FALSE(plots[0].plot.rejected.empty());
    EXPECT_NE(plots[0].plot.rejected[0].reason.find("a library's"), std::string::npos) << "im2col";
    app.click("sweep/metric");
    app.frames(2);
    EXPECT_FALSE(app.has("sweep/metric/time"));
    app.click("sweep/metric/multiplications");
    app.frames(2);
    const PlotSeries& line = app.shell().sweep().plots()[0].plot.series[0];
    ASSERT_EQ(line.y.size(), 3U);
    EXPECT_GT(line.y[0], line.y[1]);
    EXPECT_GT(line.y[1], line.y[2]) << "ecr3 multiplies by fewer inputs";
    app.keep_image("sweep-simulated");
}

TEST(SweepView, a_click_loads_the_point) {
    Driver app;
    open(app);
    run(app);
    const CanvasBox map = shown(app, 1).area;
    app.click_at({static_cast<float>(map.right() - map.w / 6), static_cast<float>(map.y + map.h / 4)});
    app.frames(2);
    EXPECT_DOUBLE_EQ(app.session().good.sparsity, 0.9);
    EXPECT_EQ(app.session().good.shape.c, 4);
    EXPECT_NE(app.shell().sweep().selection().pinned, no_row);
    EXPECT_EQ(app.shell().sweep().results().rows().size(), 12U) << "the results stay";
}

TEST(SweepView, points_that_cannot_be_stay_with_their_reasons) {
    Driver app;
    open(app);
    app.session().sweep.axes = std::vector<SweepAxis>{{SweepKind::size, "", "2,8,16"}, {SweepKind::stride, "", "1,2"}};
    run(app);
    const std::vector<Record>& rows = app.shell().sweep().results().rows();
    ASSERT_EQ(rows.size(), 12U);
    EXPECT_EQ(std::ranges::count_if(rows, [](const Record& row) { return row.status == Status::invalid_config; }), 4)
        << "a filter of 3 does not fit into 2";
    const std::vector<SweepPlot>& plots = app.shell().sweep().plots();
    EXPECT_FALSE(plots[0].plot.rejected.empty());
    ASSERT_TRUE(plots[1].plot.cells);
    const PlotCell& cell = plots[1].plot.cells->cells[0];
    EXPECT_TRUE(std::isnan(cell.value));
    EXPECT_FALSE(cell.reason.empty());
    const CanvasBox map = shown(app, 1).area;
    app.point_at(ImVec2{static_cast<float>(map.x + map.w / 6), static_cast<float>(map.bottom() - map.h / 4)});
    app.frames(2);
    EXPECT_EQ(shown(app, 1).hovered, cell.row);
    app.keep_image("sweep-rejected");
}

TEST(SweepView, describe_values_that_do_not_read_are_rejected) {
    Driver app;
    open(app);
    app.type_into("sweep/axis zeros", "0:0.9");
    app.frames(2);
    EXPECT_NE(app.shell().sweep().rejection().find("0:0.9"), std::string::npos) << app.shell().sweep().rejection();
    app.press(Key::space);
    app.frames(2);
    EXPECT_FALSE(app.shell().sweep().measures());
    app.keep_image("sweep-wrong");
    app.type_into("sweep/axis zeros", "0:0.9:0.3");
    app.frames(2);
    EXPECT_EQ(app.shell().sweep().rejection(), "");
    app.click("sweep/remove channels");
    EXPECT_EQ(app.session().sweep.axes->size(), 1U);
}

TEST(SweepView, what_is_wrong_is_said_of_the_field_and_of_no_flag) {
    Driver app;
    open(app);
    const auto rejection = [&](std::vector<SweepAxis> axes) {
        app.session().sweep.axes = std::move(axes);
        app.frames(2);
        return app.shell().sweep().rejection();
    };
    EXPECT_EQ(rejection({{SweepKind::channels, "", "0,4"}}),
              "channels: '0' is not accepted; give a whole number from 1 to 2147483647");
    EXPECT_EQ(rejection({{SweepKind::sparsity, "", "0,2"}}), "zeros: '2' is not accepted; give a number from 0 to 1");
    EXPECT_EQ(rejection({{SweepKind::batch, "", "1:90000:1"}, {SweepKind::channels, "", "1,2"}}),
              "the sweep has more than 100000 points; narrow channels");
    choose_device(app.session(), app.registry(), "sim");
    app.session().sweep.methods = {"ecr3", "ecr5"};
    EXPECT_EQ(rejection({{SweepKind::block_x, "", "32,big"}}),
              "block x: 'big' is not accepted; give a whole number from 1 to 2147483647");
    set_workload(app.session(), find_preset("xu2022/lenet-conv2").spec);
    app.session().sweep.methods = {"ecr1", "ecr2"};  // they have no kernel for so many channels
    EXPECT_EQ(rejection({{SweepKind::block_x, "", "32,64"}}), "block: none of the chosen methods lets it be set");
    EXPECT_EQ(rejection({{SweepKind::tunable, "TW", "4,8"}}), "tunable TW: none of the chosen methods lets it be set");
}

TEST(SweepPlots, crosses_are_of_the_methods_that_the_plot_is_of) {
    SweepRows rows;
    rows.begin({{SweepKind::sparsity, "", ""}, {SweepKind::channels, "", ""}});
    for (const char* method : {"im2col", "mec2", "csr1", "ecr1"})
        for (const std::int64_t channels : {1, 2, 4})
            for (const double sparsity : {0.0, 0.5}) {
                Record row;
                row.method = method;
                row.shape.c = channels;
                row.sparsity_target = sparsity;
                row.status = row.method == "ecr1" ? Status::not_supported : Status::passed;
                if (row.status == Status::passed) row.time_median_us = 10 + 2 * sparsity;
                rows.add(row);
            }
    const Plot of_one = sweep_plots(rows, {SweepMetric::time, "im2col", ""})[0].plot;
    EXPECT_EQ(of_one.title, "time over zeros of im2col, by channels");
    EXPECT_TRUE(of_one.rejected.empty()) << of_one.rejected[0].reason;
    const Plot of_all = sweep_plots(rows.only(rows.where("c=1")), {SweepMetric::time, "im2col", ""})[0].plot;
    EXPECT_EQ(of_all.title, "time over zeros; a cross: no value of ecr1");
}

TEST(SweepView, pauses_goes_on_stops_and_takes_up_where_it_was) {
    Driver app;
    open(app);
    app.session().sweep.axes = std::vector<SweepAxis>{{SweepKind::sparsity, "", "0:0.998:0.002"}};
    app.frames(2);
    app.click("toolbar/run");
    SweepView& sweep = app.shell().sweep();
    ASSERT_TRUE(app.wait([&] { return sweep.results().rows().size() >= 2; }));
    app.click("sweep/pause");
    ASSERT_TRUE(app.wait([&] { return app.session().sweep_state == SweepState::paused; }));
    app.click("sweep/pause");
    ASSERT_TRUE(app.wait([&] { return app.session().sweep_state == SweepState::running; }));
    app.click("sweep/cancel");
    ASSERT_TRUE(app.wait([&] { return app.session().sweep_state == SweepState::stopped; }));
    const std::string first = sweep.results().rows().front().timestamp_utc;
    const std::string run_id = sweep.results().rows().front().run_id;
    app.press(Key::space);
    ASSERT_TRUE(app.wait([&] { return app.session().sweep_state == SweepState::idle && !sweep.measures(); }));
    EXPECT_EQ(sweep.results().rows().size(), 1000U);
    EXPECT_EQ(sweep.results().rows().front().run_id, run_id) << "what was measured is not measured again";
    EXPECT_TRUE(std::ranges::none_of(sweep.results().rows(),
                                     [](const Record& row) { return row.status == Status::cancelled; }));
}

TEST(SweepView, gives_way_to_the_live_measurement) {
    Driver app;
    open(app);
    app.session().sweep.axes = std::vector<SweepAxis>{{SweepKind::sparsity, "", "0:0.998:0.002"}};
    app.frames(2);
    app.press(Key::space);
    ASSERT_TRUE(app.wait([&] { return !app.shell().sweep().results().rows().empty(); }));
    app.press(Key::one);
    app.press(Key::space);
    EXPECT_TRUE(app.shell().live().wanted());
    ASSERT_TRUE(app.wait([&] { return app.session().sweep_state == SweepState::paused; }));
    app.press(Key::space);
    app.press(Key::four);
    app.press(Key::space);
    EXPECT_TRUE(app.wait([&] { return !app.shell().sweep().measures(); }));
}

TEST(SweepView, shows_a_launch_space_that_was_recorded_on_a_gpu) {
    for (const bool large : {false, true}) {
        Driver app(large ? 1600 : 1280, large ? 1000 : 800);
        app.session().appearance.dark = !large;
        app.shell().open(RECORDED_SPACES "/ecr3-conv3.csv");
        ASSERT_TRUE(app.wait([&] { return app.shell().compare().data() && !app.shell().compare().loading(); }));
        app.press(Key::four);
        app.frames(2);
        app.click("sweep/suggestions");
        app.click("sweep/suggestions/Rows of ecr3-conv3");
        app.frames(3);
        const SweepView& sweep = app.shell().sweep();
        ASSERT_EQ(sweep.results().rows().size(), 192U);
        ASSERT_EQ(sweep.plots().size(), 4U) << "lines, map, occupancy, parallel";
        EXPECT_EQ(sweep.plots()[2].pane, SweepPane::occupancy);
        const Plot& lines = sweep.plots()[0].plot;
        ASSERT_NE(lines.best, no_row);
        double least = 1e9;
        for (const Record& row : sweep.results().rows()) least = std::min(least, row.time_median_us.value_or(1e9));
        EXPECT_EQ(sweep.results().rows()[lines.best].time_median_us, least);
        // A point of the lines goes into the launch panel.
        const CanvasBox map = shown(app, 1).area;
        app.click_at({static_cast<float>(map.x + 4), static_cast<float>(map.bottom() - 4)});
        app.frames(2);
        const PlotRow pinned = sweep.selection().pinned;
        ASSERT_NE(pinned, no_row);
        app.session().notices.clear();
        app.frames(3);
        app.keep_image(large ? "sweep-space-large" : "sweep-space");
        EXPECT_EQ(app.session().choices.method, "ecr3");
        EXPECT_EQ(app.session().choices.launch["ecr3"].block, sweep.results().rows()[pinned].block);
    }
}

TEST(SweepView, has_sweeps_of_a_gpu_to_look_at_where_there_is_none) {
    for (const char* name : {"blocks-ecr3", "tunables-tiled", "blocks-fused"}) {
        Driver app;
        app.press(Key::four);
        app.frames(2);
        const std::string card = std::string("sweep/recorded ") + name;
        ASSERT_TRUE(app.wait([&] { return app.has(card); })) << name;
        app.click(card);
        app.frames(3);
        EXPECT_GT(app.shell().sweep().results().rows().size(), 50U);
        EXPECT_GE(app.shell().sweep().plots().size(), 2U) << name;
        app.keep_image(std::string("sweep-") + name);
    }
}

TEST(SweepView, has_recorded_sweeps_in_its_list_while_another_is_shown) {
    Driver app;
    app.press(Key::four);
    app.shell().sweep().show_recorded(app.session(), "blocks-ecr3");
    app.frames(3);
    app.click("sweep/suggestions");
    ASSERT_TRUE(app.wait([&] { return app.has("sweep/suggestions/recorded blocks-ecr3"); }));
    std::string picked;
    for (const auto& [name, box] : app.items())
        if (name.starts_with("sweep/suggestions/recorded ") && !name.ends_with("blocks-ecr3") && picked.empty() &&
            box.max.y < 600)
            picked = name;
    ASSERT_FALSE(picked.empty());
    app.click(picked);
    app.frames(3);
    EXPECT_EQ("sweep/suggestions/recorded " + app.shell().sweep().recorded(), picked);
}

TEST(SweepView, has_controls_for_rows_of_a_file_that_say_what_they_are) {
    for (const auto& [width, height] : {std::pair{800, 600}, {1280, 720}}) {
        Driver app(width, height);
        app.press(Key::four);
        app.shell().sweep().show_recorded(app.session(), "blocks-ecr3");
        app.frames(3);
        EXPECT_FALSE(app.has("sweep/axis zeros")) << "which is not what is shown";
        EXPECT_FALSE(app.has("sweep/methods"));
        EXPECT_FALSE(app.has("sweep/csv"));
        std::string words = app.shell().sweep().describe_rows();
        EXPECT_EQ(words.rfind("92 rows: ecr3 on 512x14x14 * 512x3x3 over block x, block y", 0), 0U) << words;
        for (const PlotResult& plot : app.shell().sweep().shown_plots())
            EXPECT_GE(plot.area.h, 0.45 * plot.height) << width;
        EXPECT_EQ(app.shell().sweep().shown_plots().size(), width == 800 ? 1U : 4U);
        app.click("sweep/pane Map");
        app.frames(2);
        ASSERT_EQ(app.shell().sweep().shown_plots().size(), 1U);
        app.click("sweep/new");
        app.frames(2);
        EXPECT_TRUE(app.has("sweep/axis zeros"));
        EXPECT_TRUE(app.shell().sweep().results().rows().empty());
    }
}

TEST(SweepView, rows_that_were_recorded_come_back_with_the_session) {
    Driver app;
    app.press(Key::four);
    app.shell().sweep().show_recorded(app.session(), "blocks-ecr3");
    app.session().sweep.query = "block_x>=32";
    app.frames(3);
    const SessionState shown = state_of(app.session());
    app.click("sweep/new");
    app.frames(2);
    EXPECT_TRUE(app.session().sweep.recorded.empty());
    put_state(app.session(), shown);
    app.frames(3);
    EXPECT_EQ(app.shell().sweep().results().rows().size(), 92U);
    EXPECT_EQ(app.session().sweep.query, "block_x>=32");
    app.session().sweep.recorded = "nobody-has-this";
    app.frames(2);
    EXPECT_EQ(app.session().sweep.recorded, "blocks-ecr3");
    EXPECT_EQ(app.session().notices.back().text, "There is no recorded session 'nobody-has-this' here");
}

TEST(SweepView, a_lines_colour_is_that_of_its_value_and_of_no_method) {
    Driver app;
    app.press(Key::four);
    app.shell().sweep().show_recorded(app.session(), "blocks-ecr3");
    app.frames(3);
    const std::vector<PlotSeries>& lines = app.shell().sweep().plots().front().plot.series;
    ASSERT_EQ(lines.size(), 6U) << "block y of 1 to 32";
    for (std::size_t i = 0; i < lines.size(); ++i) {
        EXPECT_EQ(lines[i].name, std::to_string(1 << i));
        ASSERT_TRUE(lines[i].place);
        EXPECT_NEAR(*lines[i].place, static_cast<double>(i) / 5, 1e-9);
    }
}

TEST(SweepView, saves_a_plot_with_its_data_and_the_command) {
    const TempFolder folder;
    Driver app;
    open(app);
    run(app);
    app.session().png_path = (folder / "picture.png").string();
    app.session().csv_path = (folder / "rows.csv").string();
    const Plot& plot = app.shell().sweep().plots()[0].plot;
    EXPECT_TRUE(plot.command.starts_with("convscope sweep")) << plot.command;
    EXPECT_NE(plot.command.find("--sparsity 0,0.5,0.9"), std::string::npos);
    const auto choose = [&app](const char* item) {
        app.right_click(fmt::format("sweep/plot {}", to_string(SweepPane::lines)));
        app.frames(2);
        app.click(std::string("plot menu/") + item);
        app.frames(3);
    };
    for (const char* item : {"Save as PNG, 2x", "Save as SVG", "Save data as CSV"}) choose(item);
    for (const char* ending : {".png", ".svg"})
        EXPECT_GT(std::filesystem::file_size(folder / (std::string("picture.sweep-1") + ending)), 100U) << ending;
    EXPECT_GT(std::filesystem::file_size(folder / "rows.sweep-1.csv"), 100U);
    app.session().png_path = "/no/such/folder/picture.png";
    choose("Save as PNG, 4x");
    EXPECT_TRUE(app.session().notices.back().problem);
}

}  // namespace
}  // namespace convscope::app
