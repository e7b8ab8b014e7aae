// Run on the simulated GPU, which has no clock: what a run costs in place of times.
#include <gtest/gtest.h>

#include "app/ui/live_timing/count_panel.h"
#include "kernels/measure/run_counts.h"
#include "tests/app/driver.h"

namespace convscope::app {
namespace {

TEST(CountPanel, shows_what_a_run_of_each_method_costs) {
    Driver app(1280, 800);
    choose_device(app.session(), app.registry(), "sim");
    app.session().choices.live_methods = std::vector<std::string>{"im2col", "ecr1", "ecr2"};
    app.frames(2);
    EXPECT_FALSE(app.has("live/scope") || app.has("live/cache")) << "nothing is timed";
    app.click("toolbar/run");
    const auto counted = [&](const char* id) {
        const Record* record = app.shell().live().latest(id);
        return record && has_counts(*record);
    };
    ASSERT_TRUE(app.wait([&] { return counted("ecr1") && counted("ecr2") && !app.shell().live().running(); }));
    app.frames(2);
    EXPECT_FALSE(counted("im2col"));
    EXPECT_TRUE(app.has("live/row ecr1") && app.has("live/row im2col"));
    app.click("live/count");
    app.frames(2);
    app.click("live/count/bank conflicts");
    app.frames(2);
    EXPECT_TRUE(app.shell().live().wanted()) << "a change is counted at once";
    EXPECT_EQ(CountPanel::state(app.shell().live()), "counted, and again with every change");
    app.click("toolbar/run");
    app.frames(2);
    EXPECT_EQ(CountPanel::state(app.shell().live()), "the simulated GPU has no clock: it counts");
}

}  // namespace
}  // namespace convscope::app
