// A processor on which every sample waits for a core: there is no time anywhere, and everywhere the same words. And
// where the baseline alone has no time: there is no ratio, and its cell says why.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "app/session/sweep_choice.h"
#include "app/ui/live_timing/timing_plot.h"
#include "app/ui/shell/status_line.h"
#include "app/ui/widgets/live_words.h"
#include "app/ui/widgets/table_menu.h"
#include "kernels/measure/sample_counts.h"
#include "tests/app/driver.h"
#include "tests/kernels/measure/fakes.h"

namespace convscope::app {
namespace {

class TooBusy : public ::testing::Test {
protected:
    TooBusy() { setenv("CONVSCOPE_WAITS", "all", 1); }
    ~TooBusy() override { setenv("CONVSCOPE_WAITS", "none", 1); }
};

TEST_F(TooBusy, has_no_median_in_table_plot_and_status_line_and_stop_changes_nothing) {
    Driver app;
    const std::vector<std::string> methods{"im2col", "ecr1"};
    choose_device(app.session(), app.registry(), "cpu");
    app.session().choices.live_methods = methods;
    app.frames(2);
    app.click("toolbar/run");
    const auto busy = [&](const std::string& id) {
        const Record* record = app.shell().live().latest(id);
        return record && is_too_busy(*record);
    };
    ASSERT_TRUE(app.wait([&] { return std::ranges::all_of(methods, busy); }));
    app.click("toolbar/run");
    ASSERT_TRUE(app.wait([&] { return !app.shell().live().running(); }));
    app.frames(2);

    const LiveSnapshot stopped = app.shell().live().snapshot();
    const std::string status = live_status(stopped, true);
    const TextTable table = live_table(stopped);
    const Plot plot = timing_plot(stopped.series, app.registry(), DeviceKind::cpu);
    EXPECT_TRUE(plot.series.empty());
    ASSERT_EQ(stopped.series.size(), methods.size());
    for (std::size_t i = 0; i < methods.size(); ++i) {
        const LiveSeries& series = stopped.series[i];
        const SampleCounts counts = series.history.counts();
        EXPECT_EQ(counts.counted, 0);
        const std::string words = "Too busy: " + counts.describe();
        EXPECT_EQ(series.latest->status_reason, words);
        EXPECT_FALSE(series.latest->time_median_us || series.latest->speedup_vs_vendor);
        EXPECT_EQ(table.rows.at(i).at(1), "") << "the median";
        EXPECT_EQ(table.rows[i].back(), "timeout: " + words);
        EXPECT_NE(status.find(series.method + ": " + words), std::string::npos) << status;
        EXPECT_NE(plot.empty_hint.find(series.method + ": " + words), std::string::npos) << plot.empty_hint;
        EXPECT_EQ(stopped.records[i].status_reason, words) << "what is exported";
        EXPECT_TRUE(app.has("row/" + series.method));
    }
    EXPECT_EQ(describe_standing(stopped), status);
    app.keep_image("too-busy");
}

TEST(NoRatio, says_in_its_cell_what_the_baseline_lacks) {
    struct Case {
        testing::Script baseline;
        const char *brief, *sentence;
    };
    const Case cases[] = {
        {{.id = "ours", .vendor = true, .is_lengthened = [] { return true; }}, "busy", "No ratio to ours: Too busy: "},
        {{.id = "ours", .vendor = true, .fail_at = 0}, "failed", "No ratio to ours: "},
        {{.id = "ours"}, "-", "No ratio: no vendor's method in fp32 is measured"}};
    for (const Case& each : cases) {
        testing::FakeLab lab({{.id = "ecr1"}, each.baseline});
        Driver app(1600, 1000, std::move(lab.registry));
        app.session().choices.live_methods = {"ecr1", "ours"};
        app.click("toolbar/run");
        const auto both = [&] {
            const Record *own = app.shell().live().latest("ecr1"), *other = app.shell().live().latest("ours");
            return own && own->time_median_us && other && (other->time_median_us || other->status != Status::cancelled);
        };
        ASSERT_TRUE(app.wait(both));
        app.click("toolbar/run");
        ASSERT_TRUE(app.wait([&] { return !app.shell().live().running(); }));
        app.frames(2);
        const LiveSnapshot& live = app.shell().live().snapshot();
        const MissingRatio missing = why_no_ratio(live.series.at(0), live, app.registry(), DeviceKind::cpu);
        EXPECT_EQ(missing.brief, each.brief);
        EXPECT_TRUE(missing.sentence.starts_with(each.sentence)) << missing.sentence;
        EXPECT_NE(app.words_on_screen().find(std::string("|") + each.brief + "|"), std::string::npos)
            << app.words_on_screen();
    }
}

TEST_F(TooBusy, a_network_has_no_times_and_says_why) {
    Driver app;
    app.press(Key::five);
    app.click("network/choose");
    app.click("network/choose/lenet");
    app.press(Key::space);
    ASSERT_TRUE(app.wait([&] { return !app.shell().live().network_wanted(); }));
    app.frames(2);
    const NetworkData& data = app.shell().network().data();
    ASSERT_EQ(data.layers.size(), 2U);
    for (const NetworkLayer& layer : data.layers)
        for (std::size_t i = 0; i < data.methods.size(); ++i) {
            const NetworkBar& bar = layer.bars.at(i);
            EXPECT_FALSE(bar.time_us || bar.speedup) << data.methods[i].id;
            EXPECT_TRUE(bar.reason.starts_with("Too busy: ") && bar.reason.ends_with(" samples waited for a core"))
                << bar.reason;
        }
    const std::string words = app.words_on_screen();
    EXPECT_NE(words.find(data.layers.front().name + ", " + data.methods.front().id + ": Too busy: "), std::string::npos)
        << words;
    EXPECT_EQ(words.find("Press Space to time"), std::string::npos) << words;
    app.keep_image("network-too-busy");
}

TEST_F(TooBusy, a_sweep_has_no_times_and_says_why) {
    Driver app;
    app.press(Key::four);
    app.session().sweep.axes = std::vector<SweepAxis>{{SweepKind::sparsity, "", "0,0.5"}};
    app.session().sweep.methods = std::vector<std::string>{"im2col"};
    app.frames(2);
    app.press(Key::space);
    ASSERT_TRUE(app.wait([&] { return app.shell().sweep().results().rows().size() == 2; }));
    ASSERT_TRUE(app.wait([&] { return app.session().sweep_state != SweepState::running; }));
    app.frames(3);
    EXPECT_NE(app.words_on_screen().find(". im2col: Too busy: "), std::string::npos) << app.words_on_screen();
}

}  // namespace
}  // namespace convscope::app
