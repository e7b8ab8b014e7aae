// The results that the Compare view's pages derive from records.
#include "app/compare/compare_result.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "kernels/core/format_units.h"
#include "kernels/layers/preset.h"
#include "tests/app/compare/compare_rows.h"

namespace convscope::app {
namespace {

/// The chip of a column over a plot; one without words where there is none.
FixedColumn fixed(const CompareResult& result, std::size_t plot, const std::string& column) {
    const auto found = std::ranges::find(result.fixed.at(plot), column, &FixedColumn::column);
    return found == result.fixed[plot].end() ? FixedColumn{} : *found;
}

std::vector<Record> two_scopes() {
    return {row("ecr3", 200), row("cudnn", 100), row("ecr3", 1000, 0.85, "setup"), row("cudnn", 3000, 0.85, "setup")};
}

TEST(ShortNames, leave_out_the_folder_that_all_names_share) {
    using Names = std::vector<std::string>;
    EXPECT_EQ(short_names({}), Names());
    EXPECT_EQ(short_names({"vgg19/conv1_1", "vgg19/conv5_1"}), (Names{"conv1_1", "conv5_1"}));
    EXPECT_EQ(short_names({"vgg19/conv5_1", "resnet50/conv1"}), (Names{"vgg19/conv5_1", "resnet50/conv1"}));
    EXPECT_EQ(short_names({"xu2022/lenet-conv1", "xu2022/lenet-conv2"}), (Names{"conv1", "conv2"}))
        << "a network's name before a dash, too";
    EXPECT_EQ(short_names({"vgg19/conv1_1", "vgg19/conv1_2"}), (Names{"conv1_1", "conv1_2"})) << "never within a word";
    EXPECT_EQ(short_names({"xu2022/lenet-conv2"}), (Names{"lenet-conv2"})) << "alone, its network says most";
    EXPECT_EQ(short_names({"mec/cv1", "mec/cv1"}), (Names{"cv1", "cv1"}));
}

TEST(AxisName, is_words_for_every_column_and_no_two_share_one) {
    std::set<std::string> names;
    for (const TableColumnInfo& column : table_columns()) {
        const std::string name = axis_name(column.name);
        EXPECT_GT(name.size(), 2U) << column.name;
        EXPECT_EQ(name.find('_'), std::string::npos) << column.name;
        EXPECT_TRUE(names.insert(name).second) << name;
        for (const auto& [end, unit] : {std::pair{"_us", "us"}, {"_bytes", "B"}, {"_pct", "%"}, {"_mhz", "MHz"}})
            EXPECT_TRUE(!column.name.ends_with(end) || axis_unit(column.name) == unit) << column.name;
    }
}

TEST(TablePage, what_all_rows_share_is_in_words_with_units) {
    const auto result = page({row("ecr3", 100), row("cudnn", 100)}, ComparePage("table"));
    EXPECT_NE(result->same.find("time 100 us,"), std::string::npos) << result->same;
    EXPECT_NE(result->same.find("zeros 85 %,"), std::string::npos) << result->same;
    EXPECT_EQ(result->same.find('_'), std::string::npos) << result->same;
}

TEST(TablePage, has_padding_by_side_in_the_cell_of_padding) {
    Record equal = row("im2col", 100), below = equal;
    below.shape.pad_extra_h = 1;
    const auto has = [](const CompareResult& result, const char* column) {
        return std::ranges::count(result.columns, table_column(column)) == 1;
    };
    const auto apart = page({equal, below}, ComparePage("table"));
    EXPECT_TRUE(has(*apart, "pad_h")) << "it differs on one side";
    EXPECT_FALSE(has(*apart, "pad_w"));
    EXPECT_FALSE(has(*apart, "pad_extra_h"));
    const auto same = page({below, below}, ComparePage("table"));
    EXPECT_FALSE(has(*same, "pad_h"));
    EXPECT_NE(same->same.find("padding 1+2,"), std::string::npos) << same->same;
    EXPECT_EQ(same->same.find("more padding"), std::string::npos) << same->same;
}

TEST(TablePage, says_which_weights_are_zero_where_any_are) {
    Record dense = row("im2col", 100), pruned = row("im2col", 50);
    EXPECT_EQ(page({dense, dense}, ComparePage("table"))->same.find("zeros in w"), std::string::npos);
    dense.weight_pattern = pruned.weight_pattern = "magnitude";
    pruned.weight_sparsity_target = 0.9;
    const auto apart = page({dense, pruned}, ComparePage("table"));
    EXPECT_EQ(std::ranges::count(apart->columns, table_column("weight_sparsity_target")), 1);
    EXPECT_NE(apart->same.find("pattern of the zeros in w magnitude"), std::string::npos) << apart->same;
}

TEST(LinesPage, crosses_say_whose_they_are) {
    Record failed = row("ecr1", 100);
    failed.status = Status::not_supported;
    failed.status_reason = "one channel only";
    failed.time_median_us.reset();
    const auto result = page({row("im2col", 100), failed}, ComparePage("lines"));
    const Plot& plot = result->plots.at(0);
    ASSERT_EQ(plot.rejected.size(), 1U);
    EXPECT_EQ(plot.rejected[0].reason, "ecr1: one channel only");
    EXPECT_TRUE(plot.subtitle.ends_with("; a cross: no value of ecr1")) << plot.subtitle;
}

/// A row with the ratio that was recorded for it.
Record compared(const std::string& method, double time_us, const std::string& baseline, double baseline_us,
                const std::string& dtype = "fp32") {
    Record record = row(method, time_us);
    record.dtype = dtype;
    record.vendor_method = baseline;
    record.speedup_vs_vendor = baseline_us / time_us;
    return record;
}

TEST(Baselines, a_method_that_is_its_own_is_no_speed_up_and_the_strongest_stands_beside_each_ratio) {
    const std::vector<Record> records = {compared("csr1", 50, "cudnn", 100), compared("cudnn", 100, "cudnn", 100),
                                         compared("cudnn-tf32", 40, "cudnn-tf32", 40, "tf32"),
                                         compared("cudnn-fp16", 20, "cudnn-fp16", 20, "fp16"), row("ecr3", 60)};
    const auto data = make_compare_data(records, "test");
    EXPECT_EQ(ratio_words(*data, 0), "2.00x cudnn, 0.40x cudnn-fp16");
    EXPECT_EQ(ratio_words(*data, 1), "the baseline, 0.20x cudnn-fp16");
    EXPECT_EQ(ratio_words(*data, 2), "the baseline, 0.50x cudnn-fp16");
    EXPECT_EQ(ratio_words(*data, 3), "the baseline");
    EXPECT_EQ(ratio_words(*data, 4), "") << "nothing was recorded";
    const auto result = page(records, ComparePage("scopes"));
    EXPECT_EQ(series(result->plots[0], "csr1").y, std::vector<double>{2});
    for (const PlotSeries& each : result->plots[0].series) EXPECT_FALSE(each.name.starts_with("cudnn")) << each.name;
}

TEST(Baselines, a_plot_of_ratios_names_their_precision) {
    std::vector<Record> records = {compared("csr1", 50, "cudnn", 100),
                                   compared("cudnn-tf32", 40, "cudnn-tf32", 40, "tf32")};
    EXPECT_EQ(page(records, ComparePage("scopes"))->plots[0].y.name, "speed-up over the vendor, FP32");
    records.push_back(compared("other", 50, "cudnn-tf32", 40, "tf32"));
    EXPECT_EQ(page(records, ComparePage("scopes"))->plots[0].y.name, "speed-up over the vendor, same precision");
}

TEST(Baselines, the_strongest_is_of_the_same_device_layer_data_and_scope) {
    std::vector<Record> records = {compared("csr1", 50, "cudnn", 100)};
    for (int other = 0; other < 5; ++other) {
        Record fast = compared("cudnn-fp16", 10, "cudnn-fp16", 10, "fp16");
        if (other == 0) fast.device_name = "another";
        if (other == 1) fast.shape.h = 28;
        if (other == 2) fast.sparsity_target = 0.5;
        if (other == 3) fast.timing_scope = "setup";
        if (other == 4) fast.status = Status::incorrect;
        records.push_back(fast);
    }
    EXPECT_EQ(ratio_words(*make_compare_data(records, "test"), 0), "2.00x cudnn");
}

TEST(CompareResult, theta_stands_beside_the_speed_up) {
    std::vector<Record> records;
    for (const double sparsity : {0.5, 0.7, 0.9}) {
        records.push_back(row("cudnn", 100, sparsity));
        records.push_back(row("ecr3", 100 - 80 * sparsity, sparsity));
    }
    const auto result = page(records, ComparePage("theta"));
    ASSERT_EQ(result->plots.size(), 2U);
    const PlotSeries& ecr = series(result->plots[1], "ecr3");
    EXPECT_DOUBLE_EQ(ecr.x[0], 100 * 0.5 / 14);  // percent over the width of the map
    EXPECT_NEAR(ecr.y[2], 100.0 / 28, 1e-9);
    EXPECT_NE(result->findings[0].text().find("ecr3 1.00"), std::string::npos) << result->findings[0].text();
    const Plot& by_layer = result->plots[0];
    EXPECT_EQ(by_layer.x.names, std::vector<std::string>{"conv5_1 Theta\u00a05.00"}) << "of the 70 % shown";
    EXPECT_NEAR(series(by_layer, "ecr3").y.at(0), 100.0 / 44, 1e-9);
    EXPECT_TRUE(std::ranges::none_of(by_layer.series, &PlotSeries::right)) << "one axis";
}

TEST(CompareResult, theta_is_not_guessed_without_a_vendor) {
    const auto result = page({row("ecr3", 10), row("ecr3", 20, 0.5)}, ComparePage("theta"));
    EXPECT_TRUE(result->plots[0].series.empty());
    EXPECT_TRUE(result->plots[1].series.empty());
    EXPECT_FALSE(result->plots[0].empty_hint.empty());
}

TEST(CompareResult, rank_correlation_is_spearmans) {
    EXPECT_DOUBLE_EQ(rank_correlation({1, 2, 3, 4}, {10, 20, 300, 4000}), 1);
    EXPECT_DOUBLE_EQ(rank_correlation({1, 2, 3}, {3, 2, 1}), -1);
    EXPECT_NEAR(rank_correlation({1, 2, 2, 3}, {1, 2, 3, 4}), 0.9486832980505138, 1e-12);
    EXPECT_TRUE(std::isnan(rank_correlation({1, 2}, {1, 2})));
    EXPECT_TRUE(std::isnan(rank_correlation({1, 1, 1}, {1, 2, 3})));
}

TEST(CompareResult, names_layers_by_the_presets_that_have_most_of_them) {
    const auto data = make_compare_data(two_scopes(), "test");
    ASSERT_EQ(data->layer_names.size(), 1U);
    EXPECT_NE(data->layer_names[0].find("/"), std::string::npos);
    EXPECT_EQ(data->provenance, "Measured on NVIDIA H100 80GB HBM3, 21 Nov 2026");
}

TEST(CompareResult, presets_of_one_shape_are_told_apart_by_their_zeros) {
    std::vector<Record> records;
    for (const char* name : {"vgg19/conv5_1", "vgg19/conv5_2", "vgg19/conv5_3", "vgg19/conv2_1"}) {
        Record one = row("ecr3", 10);
        one.shape = find_preset(name).spec.shape;
        one.sparsity_target = find_preset(name).spec.sparsity;
        records.push_back(one);
    }
    EXPECT_EQ(make_compare_data(records, "a network")->layer_names,
              (std::vector<std::string>{"vgg19/conv5_1", "vgg19/conv5_2", "vgg19/conv5_3", "vgg19/conv2_1"}));
    records[1].sparsity_target = 0.123;  // a sweep over zeros: they are one layer
    EXPECT_EQ(make_compare_data(records, "a sweep")->layer_names,
              (std::vector<std::string>{"vgg19/conv5_1", "vgg19/conv2_1"}));
}

TEST(CompareResult, one_control_changes_the_speed_up) {
    CompareChoice choice;
    for (const auto& [scope, speedup] : {std::pair{"kernel", 0.5}, {"setup", 3.0}}) {
        choice.scope = scope;
        const auto result = page(two_scopes(), ComparePage("scopes"), choice);
        ASSERT_EQ(result->plots.size(), 4U);
        const PlotSeries& ecr = series(result->plots[0], "ecr3");
        ASSERT_EQ(ecr.y.size(), 1U);
        EXPECT_DOUBLE_EQ(ecr.y[0], speedup);
        EXPECT_LT(ecr.low[0], speedup);
        EXPECT_GT(ecr.high[0], speedup);
        EXPECT_EQ(series(result->plots[1], "ecr3").y, (std::vector<double>{0.5, 3}));
        EXPECT_NE(result->findings.at(0).text().find("0.50x as fast as the vendor in 'kernel', 3.00x in 'setup'"),
                  std::string::npos)
            << result->findings[0].text();
    }
}

TEST(CompareResult, stage_bars_add_up_to_the_time) {
    CompareChoice choice;
    choice.scope = "setup";
    const Plot plot = page(two_scopes(), ComparePage("scopes"), choice)->plots[2];
    const auto ecr = static_cast<double>(std::ranges::find(plot.x.names, "ecr3") - plot.x.names.begin());
    double top = 0;
    for (const PlotSeries& part : plot.series)
        for (std::size_t i = 0; i < part.x.size(); ++i)
            if (part.x[i] == ecr) {
                EXPECT_DOUBLE_EQ(part.base[i], top) << part.name;
                top = part.y[i];
            }
    EXPECT_DOUBLE_EQ(top, 1000);
    EXPECT_DOUBLE_EQ(series(plot, "convert").y[0], 50);
    EXPECT_DOUBLE_EQ(series(page(two_scopes(), ComparePage("scopes"))->plots[3], "ecr3").y[0], 100.0 / 3);
}

TEST(CompareResult, a_librarys_workspace_has_a_plot_of_its_own) {
    const auto result = page({row("im2col", 100), row("mec2", 100)}, ComparePage("memory"));
    ASSERT_EQ(result->plots.size(), 2U);
    EXPECT_EQ(series(result->plots[0], "im2col").y[0], 1000000);
    EXPECT_EQ(series(result->plots[1], "im2col").y[0], 32 << 20);
    EXPECT_EQ(result->plots[1].series.size(), 1U);
    EXPECT_NE(result->findings.at(0).text().find("im2col needs 1.0 times the memory of mec2"), std::string::npos)
        << "without what the library works in";
}

TEST(CompareResult, says_of_a_method_that_wins_here_and_there_where_that_is) {
    std::vector<Record> records;
    for (const auto& [zeros, time] : {std::pair(0.0, 200.0), {0.2, 50.0}, {0.4, 200.0}, {0.6, 200.0}}) {
        records.push_back(row("ecr3", time, zeros));
        records.push_back(row("cudnn", 100, zeros));
    }
    const auto result = page(records, ComparePage("winners"));
    ASSERT_EQ(result->findings.size(), 2U);
    const std::string said = result->findings[1].text();
    EXPECT_EQ(said.find("overtakes"), std::string::npos) << said;
    EXPECT_NE(said.find("beyond doubt at 20 % zeros, and not throughout: 1 of 4 points."), std::string::npos) << said;
}

TEST(CompareResult, says_where_a_method_overtakes_the_vendor) {
    std::vector<Record> records;
    for (const double zeros : {0.5, 0.6, 0.7, 0.8, 0.9}) {
        records.push_back(row("ecr3", 400 * (1 - zeros), zeros));
        records.push_back(row("cudnn", 100, zeros));
    }
    const auto result = page(records, ComparePage("winners"));
    ASSERT_GE(result->findings.size(), 2U);
    EXPECT_NE(result->findings[1].text().find("ecr3 overtakes the vendor on"), std::string::npos)
        << result->findings[1].text();
    EXPECT_NE(result->findings[1].text().find("at 75 % zeros: slower beyond doubt up to 70 %, faster from 80 % on"),
              std::string::npos)
        << result->findings[1].text();

    CompareChoice map;
    map.map_x = "sparsity_target";
    map.map_y = "layer";
    const auto mapped = page(records, ComparePage("winners"), map);
    EXPECT_EQ(mapped->findings[0].text(),
              "cudnn is the fastest beyond doubt in 3 of 5 cells at 50 to 70 % zeros; ecr3 in 2.");
    EXPECT_EQ(mapped->findings[0].number, "3 of 5 cells");
    EXPECT_NE(mapped->findings[1].text().find("overtakes the vendor"), std::string::npos);
    const Plot plot = mapped->plots[0];
    ASSERT_EQ(plot.cells->cells.size(), 5U);
    EXPECT_EQ(plot.x.names[0], "50");
    EXPECT_EQ(plot.cells->cells[0].series, "cudnn");
    EXPECT_EQ(plot.cells->cells[4].text, "ecr3 2.5x");
    EXPECT_EQ(plot.cells->cells[3].text, "ecr3 1.3x");
}

TEST(CompareResult, says_which_method_wins_at_which_pattern_of_zeros) {
    std::vector<Record> records;
    for (const WeightPattern pattern : {WeightPattern::uniform, WeightPattern::rows, WeightPattern::blocks})
        for (const char* method : {"csr2", "bsr1"}) {
            const bool faster = (pattern == WeightPattern::blocks) == (std::string(method) == "bsr1");
            records.push_back(row(method, faster ? 50 : 100));
            records.back().weight_pattern = to_string(pattern);
            records.back().weight_sparsity_target = 0.5;
        }
    CompareChoice map;
    map.map_x = "weight_pattern";
    map.map_y = "layer";
    const auto result = page(records, ComparePage("winners"), map);
    ASSERT_FALSE(result->findings.empty());
    EXPECT_EQ(result->findings[0].number, "2 of 3 cells") << result->findings[0].text();
    EXPECT_TRUE(result->findings[0].text().ends_with("zeros in w; bsr1 in 1.")) << result->findings[0].text();
    EXPECT_NE(result->findings[0].text().find("rows"), std::string::npos) << result->findings[0].text();
}

TEST(CompareResult, a_cell_says_which_winner_was_not_measured_there) {
    CompareChoice map;
    map.map_x = "sparsity_target";
    map.map_y = "layer";
    std::vector<Record> records{row("ecr3", 50, 0.5), row("ecr3", 50, 0.7)};
    for (const double zeros : {0.5, 0.6, 0.7}) records.push_back(row("cudnn", 100, zeros));
    records[1].status = Status::not_supported;
    records.push_back(row("cudnn", 100, 0.5));
    records.back().shape.c = 64;
    const auto result = page(records, ComparePage("winners"), map);
    EXPECT_EQ(result->findings[0].text(),
              "ecr3 is the fastest beyond doubt in 1 of 1 cell with two methods or more at 50 % zeros.");
    const Plot plot = result->plots[0];
    std::map<std::string, std::string> notes;
    for (const PlotCell& cell : plot.cells->cells) notes[cell.text] += cell.note + ";";
    EXPECT_EQ(notes,
              (std::map<std::string, std::string>{{"ecr3 2.0x", ";"},
                                                  {"cudnn *", "not measured here: ecr3;not measured here: ecr3;"},
                                                  {"cudnn", ";"},
                                                  {"not measured", ";;"}}))
        << "a method that cannot be measured is not unmeasured";
    EXPECT_TRUE(plot.subtitle.ends_with("*: another winner was not measured there")) << plot.subtitle;
}

TEST(CompareResult, a_race_without_another_winner_is_not_beyond_doubt) {
    CompareChoice map;
    map.map_x = "weight_pattern";
    map.map_y = "layer";
    std::vector<Record> records;
    const auto add = [&](const char* method, double time, const char* pattern) {
        records.push_back(row(method, time));
        records.back().weight_pattern = pattern;
    };
    add("ecr3", 50, "uniform"), add("cudnn", 100, "uniform");
    add("im2col", 80, "rows"), add("cudnn", 100, "rows");
    add("cudnn", 50, "blocks"), add("ecr3", 100, "blocks"), add("im2col", 100, "blocks");
    const auto lead = [&] {
        const auto result = page(records, ComparePage("winners"), map);
        return result->findings.empty() ? "" : result->findings[0].text();
    };
    EXPECT_EQ(lead(), "cudnn is the fastest beyond doubt in 1 of 3 cells with blocks zeros in w.");
    add("im2col", 90, "uniform"), add("ecr3", 90, "rows");
    EXPECT_EQ(lead(),
              "cudnn is the fastest beyond doubt in 1 of 3 cells with blocks zeros in w; ecr3 in 1, im2col in 1.");
}

TEST(CompareResult, methods_that_cannot_be_told_apart_share_a_cell) {
    CompareChoice map;
    map.map_x = "sparsity_target";
    map.map_y = "layer";
    std::vector<Record> records;
    for (const double zeros : {0.5, 0.6, 0.7}) {
        records.push_back(row("ecr3", 100.5, zeros));
        records.push_back(row("cudnn", 100, zeros));
    }
    EXPECT_EQ(page(records, ComparePage("winners"), map)->plots[0].cells->cells[0].text, "cudnn or ecr3");
    EXPECT_EQ(page(records, ComparePage("winners"), map)->findings[0].text(),
              "No method is the fastest beyond doubt in any of 3 cells.");
}

TEST(CompareResult, of_a_point_that_was_measured_again_the_later_row_counts) {
    Record again = row("ecr3", 200);
    again.timestamp_utc = "2026-11-21T03:20:00Z";
    const std::vector<Record> records{again, row("ecr3", 100), row("cudnn", 100)};
    const auto result = page(records, ComparePage("scopes"));
    EXPECT_EQ(series(result->plots[0], "ecr3").y, std::vector<double>{0.5});
    EXPECT_EQ(page(records, ComparePage("table"))->order.size(), 3U);
}

TEST(CompareResult, a_row_without_an_interval_has_no_certain_speed_up) {
    Record busy = row("ecr3", 50);
    busy.noise_pct.reset();
    const auto result = page({busy, row("cudnn", 100)}, ComparePage("scopes"));
    EXPECT_EQ(series(result->plots[0], "ecr3").y, std::vector<double>{2});
    EXPECT_TRUE(std::isnan(series(result->plots[0], "ecr3").low[0]));
    CompareChoice map;
    map.map_x = "sparsity_target";
    map.map_y = "layer";
    std::vector<Record> records;
    for (const double zeros : {0.5, 0.6, 0.7}) {
        records.push_back(busy);
        records.back().sparsity_target = zeros;
        records.push_back(row("cudnn", 100, zeros));
    }
    EXPECT_EQ(page(records, ComparePage("winners"), map)->plots[0].cells->cells[0].text, "ecr3 or cudnn");
}

TEST(CompareResult, a_row_that_no_table_can_hold_costs_itself_alone) {
    Record odd = row("ecr3", 10);
    odd.time_median_us = 0;
    const auto data = make_compare_data({odd, row("cudnn", 20)}, "other.json");
    EXPECT_EQ(data->table.rows(), 1U);
    EXPECT_EQ(data->problems.left_out, 1U);
    ASSERT_EQ(data->problems.lines.size(), 1U);
    EXPECT_NE(data->problems.lines[0].find("a row of ecr3 is left out"), std::string::npos) << data->problems.lines[0];
    EXPECT_EQ(data->text(0, compare_columns().method), "cudnn");
}

TEST(CompareResult, a_command_line_quotes_what_a_file_says) {
    std::vector<Record> records;
    for (const double zeros : {0.5, 0.7}) {
        records.push_back(row("ecr3", 100 * (1 - zeros), zeros));
        records.back().device = "cpu;reboot";
    }
    CompareChoice choice;
    choice.x = "sparsity_target";
    const Plot plot = page(records, ComparePage("lines"), choice)->plots[0];
    EXPECT_NE(plot.command.find("--device 'cpu;reboot'"), std::string::npos) << plot.command;
}

TEST(CompareResult, lines_keep_what_is_not_their_axis_at_one_value) {
    std::vector<Record> records;
    for (const double zeros : {0.5, 0.7, 0.9}) records.push_back(row("ecr3", 100 * (1 - zeros), zeros));
    for (const std::int64_t n : {2, 4}) {
        records.push_back(row("ecr3", 100, 0.9));
        records.back().shape.n = n;
    }
    CompareChoice choice;
    choice.x = "sparsity_target";
    const auto result = page(records, ComparePage("lines"), choice);
    const Plot plot = result->plots[0];
    EXPECT_EQ(fixed(*result, 0, "n").words, "batch 1");
    EXPECT_EQ(fixed(*result, 0, "n").values, (std::vector<std::string>{"1", "2", "4"}));
    EXPECT_EQ(fixed(*result, 0, "sparsity_target").words, "") << "the axis is not fixed";
    EXPECT_EQ(plot.x.unit, "%") << "as the Sweep view has zeros";
    EXPECT_EQ(series(plot, "ecr3").x, (std::vector<double>{50, 70, 90}));
    EXPECT_EQ(series(plot, "ecr3").marks, PlotSeries::Marks::line_and_dots);
    EXPECT_NE(plot.command.find("--sparsity 0.5,0.7,0.9"), std::string::npos) << plot.command;
    EXPECT_NE(plot.command.find("--methods ecr3"), std::string::npos) << plot.command;
}

TEST(CompareResult, the_zeros_in_the_weights_are_an_axis_and_are_held_on_others) {
    std::vector<Record> records;
    for (const double weights : {0.0, 0.5, 0.9})
        for (const double zeros : {0.5, 0.9}) {
            records.push_back(row("ecr3", 100 * (1 - zeros) * (1 - weights / 2), zeros));
            records.back().weight_sparsity_target = weights;
            records.back().weight_pattern = weights > 0 ? "magnitude" : "uniform";
        }
    CompareChoice choice;
    choice.x = "weight_sparsity_target";
    choice.fixed["weight_pattern"] = "magnitude";
    const auto over_weights = page(records, ComparePage("lines"), choice);
    EXPECT_EQ(over_weights->plots[0].x.name, "zeros in w");
    EXPECT_EQ(over_weights->plots[0].x.unit, "%");
    EXPECT_EQ(series(over_weights->plots[0], "ecr3").x, (std::vector<double>{50, 90}));
    EXPECT_NE(over_weights->plots[0].command.find("--weight-sparsity 0.5,0.9 --weight-pattern magnitude"),
              std::string::npos)
        << over_weights->plots[0].command;
    EXPECT_EQ(fixed(*over_weights, 0, "sparsity_target").words, "zeros 90 %");
    choice.x = "sparsity_target";
    choice.fixed["weight_sparsity_target"] = "0.9";
    const auto over_zeros = page(records, ComparePage("lines"), choice);
    EXPECT_EQ(fixed(*over_zeros, 0, "weight_sparsity_target").words, "weight zeros 90 %");
    EXPECT_EQ(series(over_zeros->plots[0], "ecr3").x, (std::vector<double>{50, 90}));
    EXPECT_DOUBLE_EQ(series(over_zeros->plots[0], "ecr3").y[0], 27.5) << "50 us less 45 %";
}

TEST(LinesPage, says_what_a_method_that_skips_zeros_keeps_to_and_when_it_pays) {
    std::vector<Record> records;
    for (const double zeros : {0.2, 0.4, 0.6, 0.8}) {
        records.push_back(row("ecr3", 10 + *row("ecr3", 1, zeros).flops_executed / 2 / 6e6, zeros));
        records.push_back(row("im2col", 40, zeros));
        records.push_back(row("mec2", 100 * (1 - zeros) * (1 - zeros) + 5, zeros));
        records.back().flops_executed = records.back().flops_effective;
    }
    CompareChoice choice;
    choice.x = "sparsity_target";
    choice.y = "time_median_us";
    const double pays = 1 - 30 * 6e6 / (row("ecr3", 1, 0).flops_dense / 2);
    const std::vector<Lead> findings = page(records, ComparePage("lines"), choice)->findings;
    ASSERT_EQ(findings.size(), 2U) << "mec2's times keep to no line";
    EXPECT_EQ(
        findings[0].text(),
        "Skipping zeros pays from 60 % zeros on against FP32 (im2col, 40.0 us): at 80 % zeros mec2 takes 9.00 us.");
    EXPECT_EQ(findings[0].number, "pays from 60 % zeros on");
    EXPECT_EQ(findings[1].before,
              "ecr3 takes 10.0 us + multiply-adds / 6.00 TMAC/s; faster than im2col (FP32, 40.0 us) above ");
    EXPECT_EQ(findings[1].number, format_percent(pays) + " zeros");
    EXPECT_EQ(findings[1].after, ".");
    const Plot plot = page(records, ComparePage("lines"), choice)->plots[0];
    const PlotSeries line = series(plot, "ecr3, fitted"), crossing = series(plot, "ecr3, as fast as im2col");
    EXPECT_TRUE(line.note.starts_with("ecr3: 10.0 us + multiply-adds / 6.00 TMAC/s, ")) << line.note;
    EXPECT_EQ(line.x.front(), 0);
    EXPECT_EQ(line.x.back(), 100);
    EXPECT_NEAR(line.y.front(), 10 + row("ecr3", 1, 0).flops_dense / 2 / 6e6, 1e-6);
    EXPECT_NEAR(line.y.back(), 10, 1e-6) << "t0: there is nothing left to multiply";
    EXPECT_NEAR(crossing.x.at(0), 100 * pays, 1e-6);
    EXPECT_NEAR(crossing.y.at(0), 40, 1e-6);
    EXPECT_TRUE(std::ranges::none_of(plot.series, [](const PlotSeries& one) { return one.name == "mec2, fitted"; }));
    choice.y = "workspace_bytes";
    const auto of_memory = page(records, ComparePage("lines"), choice);
    EXPECT_TRUE(of_memory->findings.empty());
    EXPECT_TRUE(std::ranges::all_of(of_memory->plots[0].series, &std::string::empty, &PlotSeries::note));
}

TEST(LinesPage, draws_the_ceiling_of_the_rate_on_a_device_whose_model_is_known) {
    std::vector<Record> records;
    for (const double zeros : {0.2, 0.4, 0.6, 0.8}) {
        records.push_back(row("ecr3", 10 + *row("ecr3", 1, zeros).flops_executed / 2 / 6e6, zeros));
        records.back().device_name = "NVIDIA H200";
    }
    CompareChoice choice;
    choice.x = "sparsity_target";
    choice.y = "time_median_us";
    const Plot plot = page(records, ComparePage("lines"), choice)->plots[0];
    const PlotSeries ceiling = series(plot, "ecr3, ceiling"), line = series(plot, "ecr3, fitted");
    ASSERT_FALSE(ceiling.x.empty());
    EXPECT_LT(ceiling.y.front(), line.y.front());
    EXPECT_NEAR(ceiling.y.back(), line.y.back(), 1e-6);
    EXPECT_TRUE(ceiling.note.starts_with("ceiling of ecr3: ")) << ceiling.note;
    const int own = series(plot, "ecr3").color;
    EXPECT_TRUE(line.color == own && line.dashed && !line.dotted && !line.neutral);
    EXPECT_TRUE(ceiling.color == own && ceiling.dotted && !ceiling.dashed && !ceiling.neutral);
}

/// A layer at four ratios of zeros, and another at one.
std::vector<Record> two_layers() {
    std::vector<Record> records;
    for (const double zeros : {0.5, 0.8, 0.9, 0.95})
        for (const char* method : {"ecr3", "cudnn"}) {
            records.push_back(row(method, method == std::string("cudnn") ? 60 : 100 * (1 - zeros), zeros));
            if (zeros != 0.9) continue;
            records.push_back(records.back());
            records.back().shape = find_preset("vgg19/conv3_2").spec.shape;
        }
    return records;
}

TEST(CompareResult, every_plot_says_what_it_holds_and_holds_it) {
    for (std::size_t i = 0; i < ComparePage::count; ++i) {
        const auto result = page(two_layers(), ComparePage::at(i));
        ASSERT_EQ(result->fixed.size(), result->plots.size()) << i;
        for (std::size_t plot = 0; plot < result->plots.size(); ++plot)
            EXPECT_EQ(fixed(*result, plot, "device_name").words, "H100 80GB HBM3") << i;
    }
    // Not the fastest of all zeros: those at 90 %, which both layers have, and of which there are most rows.
    const auto result = page(two_layers(), ComparePage("scopes"));
    EXPECT_EQ(fixed(*result, 0, "sparsity_target").words, "zeros 90 %");
    EXPECT_EQ(fixed(*result, 0, "timing_scope").words, "scope kernel");
    EXPECT_EQ(fixed(*result, 0, "cache_mode").words, "cache hot");
    EXPECT_EQ(fixed(*result, 0, "n").words, "batch 1");
    for (const double speedup : series(result->plots[0], "ecr3").y) EXPECT_NEAR(speedup, 6, 1e-9);
}

TEST(CompareResult, a_chosen_value_is_held_on_every_page) {
    CompareChoice choice;
    fix_at(choice, "sparsity_target", "0.5");
    const auto scopes = page(two_layers(), ComparePage("scopes"), choice);
    EXPECT_EQ(fixed(*scopes, 0, "sparsity_target").words, "zeros 50 %");
    EXPECT_NEAR(series(scopes->plots[0], "ecr3").y.at(0), 1.2, 1e-9);
    const auto roofline = page(two_layers(), ComparePage("roofline"), choice);
    EXPECT_EQ(series(roofline->plots[0], "ecr3").x.size(), 1U);
    fix_at(choice, "sparsity_target", "");
    const auto all = page(two_layers(), ComparePage("roofline"), choice);
    EXPECT_EQ(fixed(*all, 0, "sparsity_target").words, "zeros: all 4");
    EXPECT_EQ(series(all->plots[0], "ecr3").x.size(), 5U);
}

TEST(CompareResult, layers_with_zeros_of_their_own_keep_them) {
    std::vector<Record> records{row("ecr3", 10), row("cudnn", 20), row("ecr3", 30, 0.5), row("cudnn", 20, 0.5)};
    for (std::size_t i : {2U, 3U}) records[i].shape = find_preset("vgg19/conv3_2").spec.shape;
    const auto result = page(records, ComparePage("scopes"));
    EXPECT_EQ(fixed(*result, 0, "sparsity_target").words, "zeros by layer");
    EXPECT_EQ(series(result->plots[0], "ecr3").y.size(), 2U);
}

TEST(CompareResult, a_bad_query_is_named_and_shows_all_rows) {
    CompareChoice choice;
    choice.query = "speed=3";
    const auto result = page(two_scopes(), ComparePage("table"), choice);
    EXPECT_EQ(result->problem, "'speed' is not a column; the table's head has their names");
    EXPECT_EQ(result->order.size(), 4U);
}

}  // namespace
}  // namespace convscope::app
