// The verdict on the ratios of a live measurement: one sentence before the table.
#include <gtest/gtest.h>

#include <optional>
#include <utility>

#include "app/ui/widgets/live_words.h"
#include "kernels/measure/sample_counts.h"
#include "tests/app/driver.h"
#include "tests/kernels/measure/fakes.h"

namespace convscope::app {
namespace {

using Range = std::optional<std::pair<double, double>>;

/// A row of the table: its time, and its ratio to onednn where it has one.
LiveSeries timed(const std::string& method, double us, std::optional<double> ratio = {}, const Range& interval = {}) {
    LiveSeries series;
    series.method = method;
    series.timing.samples = 100;
    series.timing.median_us = us;
    series.latest.emplace();
    Record& row = *series.latest;
    row.method = method;
    row.status = Status::passed;
    row.time_median_us = us;
    row.vendor_method = ratio ? "onednn" : "";
    row.dtype = "fp32";
    row.speedup_vs_vendor = ratio;
    row.speedup_interval = interval;
    return series;
}

LiveSeries busy(const std::string& method, std::int64_t waited) {
    LiveSeries series;
    series.method = method;
    series.latest.emplace();
    set_too_busy(*series.latest, {0, waited});
    return series;
}

std::string verdict(std::vector<LiveSeries> series) {
    static const auto registry = make_registry();
    LiveSnapshot live;
    live.series = std::move(series);
    return live_verdict(live, *registry, DeviceKind::cpu).text();
}

TEST(LiveVerdict, is_the_tables_ratio_of_the_fastest_with_its_interval) {
    const LiveSeries vendor = timed("onednn", 134);
    EXPECT_EQ(verdict({timed("im2col", 200, 0.67, Range{{0.66, 0.68}}), timed("ecr3", 100, 1.34, Range{{1.30, 1.39}}),
                       vendor}),
              "ecr3 is 1.34x as fast as onednn FP32, ±3.7 %")
        << "the farther end of the interval";
    EXPECT_EQ(verdict({timed("ecr3", 200, 0.67, Range{{0.5, 0.7}}), vendor}),
              "ecr3 is 0.67x as fast as onednn FP32, ±25.4 %")
        << "slower is said as it is";
    EXPECT_EQ(verdict({timed("mec2", 76, 1.75, Range{{1.02, 6.6}}), vendor}),
              "mec2 is 1.02x to 6.60x as fast as onednn FP32")
        << "no number in the middle that nobody can rely on";
}

TEST(LiveVerdict, says_what_cannot_be_told) {
    const LiveSeries vendor = timed("onednn", 100);
    EXPECT_EQ(verdict({timed("ecr3", 99, 1.01, Range{{0.98, 1.03}}), vendor}),
              "Too close to tell: ecr3 is 0.98x to 1.03x as fast as onednn FP32");
    EXPECT_EQ(verdict({timed("ecr3", 50, 2, {}), vendor}),
              "ecr3 is 2.00x as fast as onednn FP32; too few samples for an interval");
    EXPECT_EQ(verdict({timed("ecr3", 50), busy("onednn", 7)}),
              "ecr3 takes 50.0 us. No ratio to onednn: Too busy: 7 of 7 samples waited for a core");
    EXPECT_EQ(verdict({busy("ecr3", 5), busy("im2col", 4)}),
              "ecr3: Too busy: 5 of 5 samples waited for a core;  im2col: Too busy: 4 of 4 samples waited for a core");
    EXPECT_EQ(verdict({timed("ecr3", 50)}), "ecr3 takes 50.0 us. No ratio: no vendor's method in fp32 is measured");
    EXPECT_EQ(verdict({}), "");
    LiveSeries wrong = timed("ecr3", 10, 10, Range{{9, 11}});
    wrong.latest->status = Status::incorrect;
    EXPECT_EQ(verdict({wrong, timed("im2col", 50, 2, Range{{1.9, 2.1}}), vendor}),
              "im2col is 2.00x as fast as onednn FP32, ±5.0 %")
        << "a wrong result is no time";
}

TEST(LiveVerdict, stands_before_the_table_and_says_the_ratio_that_is_in_it) {
    testing::FakeLab lab(
        {{.id = "ecr1", .times_us = {50, 51}}, {.id = "ours", .times_us = {100, 102}, .vendor = true}});
    Driver app(1600, 1000, std::move(lab.registry));
    app.session().choices.live_methods = {"ecr1", "ours"};
    app.click("toolbar/run");
    ASSERT_TRUE(app.wait([&] {
        const Record* const own = app.shell().live().latest("ecr1");
        return own && own->speedup_interval;
    }));
    app.click("toolbar/run");
    ASSERT_TRUE(app.wait([&] { return !app.shell().live().running(); }));
    app.frames(2);
    const Lead said = live_verdict(app.shell().live().snapshot(), app.registry(), DeviceKind::cpu);
    const Record& row = *app.shell().live().latest("ecr1");
    EXPECT_NE(said.text().find(times_as_fast(*row.speedup_vs_vendor)), std::string::npos) << said.text();
    EXPECT_NE(app.words_on_screen().find(said.number), std::string::npos) << app.words_on_screen();
    EXPECT_LT(app.item("live/verdict").max.y, app.item("row/ecr1").min.y);
    EXPECT_NE(app.words_on_screen().find("|median us|"), std::string::npos) << app.words_on_screen();
}

TEST(LiveVerdict, pushes_no_row_out_of_a_low_window) {
    const std::vector<std::string> own{"im2col", "mec1", "ecr1", "csr"}, all{"im2col", "mec1", "ecr1", "csr", "ours"};
    std::vector<testing::Script> methods{{.id = "ours", .times_us = {100, 102}, .vendor = true}};
    for (const std::string& id : own) methods.push_back({.id = id, .times_us = {50, 51}});
    testing::FakeLab lab(methods);
    Driver app(1280, 720, std::move(lab.registry));
    app.session().choices.live_methods = all;
    app.click("toolbar/run");
    ASSERT_TRUE(app.wait([&] { return app.has("live/verdict") && app.shell().live().latest("csr"); }));
    app.click("toolbar/run");
    ASSERT_TRUE(app.wait([&] { return !app.shell().live().running(); }));
    app.frames(2);
    const float top = app.item("live/verdict").max.y, bottom = 720 - 28;  // above the status line
    for (const std::string& id : all) {
        EXPECT_GE(app.item("row/" + id).min.y, top) << id;
        EXPECT_LE(app.item("row/" + id).max.y, bottom) << id;
    }
    const float right = app.item("live/verdict").max.x;
    EXPECT_LE(right, app.item("live/scope").min.x) << "it stands before the lists";
}

}  // namespace
}  // namespace convscope::app
