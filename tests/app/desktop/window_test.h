// The app's window on a real X server, with settings of its own.
#pragma once

#include <GLFW/glfw3.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>

#include "app/desktop/window.h"
#include "app/session/jobs/latest_job.h"
#include "tests/support/wait.h"

namespace convscope::app {

class WindowTest : public ::testing::Test {
protected:
    void SetUp() override {
        if (!std::getenv("DISPLAY")) GTEST_SKIP() << "no DISPLAY: install xvfb and run through ctest";
        config_ = std::filesystem::path(::testing::TempDir()) / ("convscope_window_" + std::to_string(::getpid()));
        setenv("XDG_CONFIG_HOME", config_.c_str(), 1);
        settle_factor = 100;
        registry_ = make_registry();
        window_ = std::make_unique<Window>(*registry_, AppOptions{});
        steps(5);
    }
    void TearDown() override {
        window_.reset();
        if (!config_.empty()) std::filesystem::remove_all(config_);
    }

    Session& session() { return window_->shell().session(); }

    /// The loop waits for events when idle; a posted empty event keeps the test going.
    void steps(int count) {
        for (int i = 0; i < count; ++i) {
            glfwPostEmptyEvent();
            ASSERT_TRUE(window_->step());
        }
    }
    template <class Done>
    bool wait(Done done) {
        return testing::wait_until(done, [this] { steps(1); });
    }

    std::filesystem::path config_;
    std::unique_ptr<Registry> registry_;
    std::unique_ptr<Window> window_;
};

}  // namespace convscope::app
