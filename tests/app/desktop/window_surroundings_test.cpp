// A real window on a real X server: what it costs when nothing happens, and what it does when it is made tiny, when the
// interface is made very small or very large, and when its monitor goes away.
#include <GLFW/glfw3.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <atomic>
#include <string>
#include <thread>

#include "tests/app/desktop/window_test.h"
#include "tests/app/desktop/x_server.h"

extern "C" unsigned long glfwGetX11Window(GLFWwindow*);  // GLFW's own header of it needs Xrandr's

namespace convscope::app {
namespace {

double cpu_seconds() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    const auto seconds = [](const timeval& t) { return static_cast<double>(t.tv_sec) + 1e-6 * t.tv_usec; };
    return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

class WindowSurroundings : public WindowTest {
protected:
    ImVec2 size() const {
        int width = 0, height = 0;
        glfwGetWindowSize(window_->handle(), &width, &height);
        return {static_cast<float>(width), static_cast<float>(height)};
    }
};

TEST_F(WindowSurroundings, idle_it_draws_nothing) {
    session().notices.clear();
    ASSERT_TRUE(wait([&] { return !window_->shell().busy(); }));
    // Step() returns when a frame was drawn. Some frames follow the last event, on a busy machine for a while; then
    // comes a span without any.
    constexpr double seconds = 3;
    constexpr int spans = 20;
    std::atomic<int> frames = 0;
    std::atomic<bool> over = false;
    bool rested = false;
    double cpu = 0;
    std::thread clock([&] {
        for (int i = 0; i < spans && !rested; ++i) {
            const int frames_before = frames;
            const double cpu_before = cpu_seconds();
            usleep(static_cast<useconds_t>(1e6 * seconds));
            cpu = cpu_seconds() - cpu_before;
            rested = frames == frames_before && 100 * cpu / seconds < 1;
        }
        over = true;
        glfwPostEmptyEvent();
    });
    while (window_->step() && !over) ++frames;
    clock.join();
    EXPECT_TRUE(rested) << "frames without an event, or " << 100 * cpu / seconds << " % of a core";
    RecordProperty("idle_percent_of_a_core", std::to_string(100 * cpu / seconds));
}

TEST_F(WindowSurroundings, can_be_made_tiny_and_large_again) {
    for (const ViewId view :
         {ViewId("layout"), ViewId("step"), ViewId("compare"), ViewId("sweep"), ViewId("network")}) {
        session().view = view;
        glfwSetWindowSize(window_->handle(), 200, 200);
        EXPECT_TRUE(wait([&] { return size().x == 200 && size().y == 200; }));
        steps(5);
        glfwSetWindowSize(window_->handle(), 1280, 800);
        EXPECT_TRUE(wait([&] { return size().x == 1280; }));
        steps(5);
    }
    session().view = ViewId("layout");
    steps(5);
    EXPECT_TRUE(session().appearance.left_open && session().appearance.right_open);
}

TEST_F(WindowSurroundings, is_made_no_smaller_than_its_views_need_or_the_screen_is) {
    const auto smallest = [this] { return smallest_size(glfwGetX11Window(window_->handle())); };
    EXPECT_EQ(smallest(), (std::pair{800, 600}));
    session().appearance.scale = 1.5F;
    steps(3);
    EXPECT_EQ(smallest(), (std::pair{1200, 900}));
    session().appearance.scale = 4;
    steps(3);
    EXPECT_EQ(smallest(), (std::pair{1700, 1100})) << "of the screen that tests/app/under_xvfb makes";
}

TEST_F(WindowSurroundings, goes_on_at_both_ends_of_the_scale) {
    for (const float scale : {0.5F, 4.0F, 1.0F}) {
        session().appearance.scale = scale;
        steps(4);
        EXPECT_EQ(ImGui::GetStyle().FramePadding.x, 8 * scale);
    }
}

TEST_F(WindowSurroundings, comes_into_sight_when_its_monitor_goes) {
    int count = 0;
    GLFWmonitor** monitors = glfwGetMonitors(&count);
    if (count == 0) GTEST_SKIP() << "this X server has no monitor";
    const GLFWmonitorfun tell = glfwSetMonitorCallback(nullptr);
    ASSERT_NE(tell, nullptr);
    glfwSetMonitorCallback(tell);
    // Where the other monitor was.
    glfwSetWindowPos(window_->handle(), 4000, 300);
    int x = 0, y = 0;
    EXPECT_TRUE(wait([&] {
        glfwGetWindowPos(window_->handle(), &x, &y);
        return x == 4000;
    }));
    tell(monitors[0], GLFW_DISCONNECTED);
    EXPECT_TRUE(wait([&] {
        glfwGetWindowPos(window_->handle(), &x, &y);
        return x < 1700 && y < 1100;
    })) << x
        << " " << y;
    steps(3);
}

}  // namespace
}  // namespace convscope::app
