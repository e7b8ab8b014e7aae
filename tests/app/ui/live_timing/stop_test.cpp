// After Stop a live measurement keeps the result of all its samples, and nothing changes any more.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "app/ui/widgets/table_menu.h"
#include "tests/app/driver.h"

namespace convscope::app {
namespace {

std::string table_of(Driver& app) {
    return table_text(live_table(app.shell().live().snapshot()), TableFormat::tsv);
}

TEST(LiveStop, keeps_what_all_samples_say) {
    Driver app;
    const std::vector<std::string> methods{"im2col", "ecr1"};
    choose_device(app.session(), app.registry(), "cpu");
    app.session().choices.live_methods = methods;
    app.frames(2);
    app.click("toolbar/run");
    constexpr std::size_t enough = 6;
    const auto timed = [](const LiveSeries& series) {
        return series.latest && series.latest->time_median_us && series.history.kept().size() >= enough;
    };
    ASSERT_TRUE(app.wait([&] {
        const LiveSnapshot now = app.shell().live().snapshot();
        return now.series.size() == methods.size() && std::ranges::all_of(now.series, timed);
    }));
    app.click("toolbar/run");
    EXPECT_FALSE(app.shell().live().wanted());
    ASSERT_TRUE(app.wait([&] { return !app.shell().live().running(); }));
    app.frames(2);

    const LiveSnapshot stopped = app.shell().live().snapshot();
    ASSERT_EQ(stopped.series.size(), methods.size());
    for (const LiveSeries& series : stopped.series) {
        const std::vector<double>& samples = series.history.kept();
        ASSERT_GE(samples.size(), enough) << series.method;
        const TimingSummary all = summarize(samples, stopped.requested_noise_pct);
        EXPECT_EQ(series.timing.samples, samples.size()) << "a sample was left out of " << series.method;
        EXPECT_EQ(series.timing.median_us, all.median_us);
        EXPECT_EQ(series.timing.interval_us, all.interval_us);
        ASSERT_TRUE(series.latest) << series.method;
        EXPECT_EQ(series.latest->status, Status::passed) << series.latest->status_reason;
        EXPECT_EQ(series.latest->time_median_us, all.median_us);
        EXPECT_EQ(series.latest->noise_pct, all.noise_pct());
        EXPECT_EQ(series.latest->samples, static_cast<std::int64_t>(samples.size()));
        EXPECT_TRUE(app.has("row/" + series.method));
    }

    const std::string table = table_of(app);
    for (int i = 0; i < 20; ++i) {
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        app.frames();
        EXPECT_EQ(table_of(app), table) << "a frame after Stop changed the figures";
    }
    EXPECT_FALSE(app.shell().live().running());
}

}  // namespace
}  // namespace convscope::app
