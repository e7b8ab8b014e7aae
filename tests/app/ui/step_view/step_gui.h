// The Step view, open and traced, for its tests.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "kernels/layers/preset.h"
#include "tests/app/driver.h"

namespace convscope::app {

class StepGui : public ::testing::Test {
protected:
    explicit StepGui(int width = 1600, int height = 1000) : app_(width, height) {}
    void SetUp() override {
        app_.press(Key::two);
        ASSERT_EQ(app_.session().view, ViewId("step"));
        settle();
    }
    void settle() {
        ASSERT_TRUE(app_.wait([&] { return !app_.shell().builder().busy() && !app_.shell().step().tracing(); }));
        app_.frames(2);
    }
    void open(const char* preset, const char* method) {
        set_workload(app_.session(), find_preset(preset).spec);
        choose_method(app_.session(), method);
        app_.frames(2);
        settle();
        ASSERT_TRUE(kernel());
        ASSERT_EQ(kernel()->plan.method.id, method);
    }
    void pick(const std::string& list, const std::string& item) {
        app_.click(list);
        app_.frames(2);
        app_.click(list + "/" + item);
        settle();
    }
    TracedKernel* kernel(std::size_t i = 0) { return app_.shell().step().column(i).traced(); }
    const std::string& problem() { return app_.shell().step().column(0).problem(); }
    StepSide& side(std::size_t i = 0) { return app_.session().step.sides[i]; }
    simt::ReplayState state() { return kernel()->trace.state(side().done); }

    Driver app_;
};

}  // namespace convscope::app
