// The app in a real window on a real X server: xdotool sends X events, GLFW receives them. Run through
// tests/app/under_xvfb, which starts the server.
#include <GLFW/glfw3.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <thread>

#include "app/desktop/window.h"
#include "app/ui/input/focus.h"
#include "app/ui/input/item_registry.h"
#include "kernels/files/preset_folder.h"
#include "kernels/records/csv_file.h"
#include "tests/app/desktop/window_test.h"
#include "tests/app/desktop/x_server.h"

namespace convscope::app {
namespace {

class RealWindow : public WindowTest {
protected:
    void SetUp() override {
        if (std::system("xdotool version > /dev/null 2>&1") != 0) GTEST_SKIP() << "xdotool is not installed";
        ItemRegistry::active = &item_registry_;
        WindowTest::SetUp();
        if (window_) stop_key_repeat();
    }
    void TearDown() override {
        ItemRegistry::active = nullptr;
        WindowTest::TearDown();
    }

    void xdotool(const std::string& arguments) {
        ASSERT_EQ(std::system(("xdotool " + arguments).c_str()), 0) << arguments;
        receive_x_events();
        steps(2);
        while (window_->input_queued()) steps(1);
        steps(3);
    }
    void point_at(ImVec2 at) {
        int x = 0, y = 0;
        glfwGetWindowPos(window_->handle(), &x, &y);
        xdotool("mousemove " + std::to_string(x + static_cast<int>(at.x)) + " " +
                std::to_string(y + static_cast<int>(at.y)));
    }
    void click(const std::string& name) {
        ASSERT_TRUE(item_registry_.items().contains(name)) << name;
        point_at(item_registry_.items().at(name).centre());
        xdotool("mousedown 1");
        xdotool("mouseup 1");
    }
    void type_into(const std::string& name, const std::string& text) {
        click(name);
        xdotool("key ctrl+a");
        xdotool("type --delay 20 '" + text + "'");
        xdotool("key Return");
    }

    ItemRegistry item_registry_;
};

TEST_F(RealWindow, takes_typed_sizes_drags_hovers_measures_and_exports) {
    type_into("workload/h", "9");
    EXPECT_EQ(session().good.shape.h, 9);

    const ItemRect slider = item_registry_.items().at("workload/sparsity");
    point_at(slider.centre());
    xdotool("mousedown 1");
    point_at({slider.max.x - 3, slider.centre().y});
    xdotool("mouseup 1");
    EXPECT_GT(session().good.sparsity, 0.9);

    const ItemRect tab = item_registry_.items().at("tab/ECR");
    for (float y = tab.max.y + 24; y < tab.max.y + 320 && !session().hovered; y += 40)
        for (float x = tab.min.x + 16; x < tab.min.x + 280 && !session().hovered; x += 60) point_at({x, y});
    EXPECT_TRUE(session().hovered);

    xdotool("key Escape");  // the tour, which had the keyboard
    xdotool("key space");
    EXPECT_TRUE(window_->shell().live().wanted());
    EXPECT_TRUE(wait([&] { return !window_->shell().live().snapshot().records.empty(); }));
    xdotool("key space");
    EXPECT_FALSE(window_->shell().live().wanted());
    EXPECT_TRUE(wait([&] { return !window_->shell().live().running(); }));

    std::filesystem::create_directories(config_);
    const std::filesystem::path file = config_ / "rows.csv";
    window_->shell().dialogs().set_asking(Asking::builtin);
    xdotool("key ctrl+e");
    click("export/csv");
    type_into("dialog/path", file.string());
    ASSERT_TRUE(std::filesystem::exists(file));
    EXPECT_EQ(read_csv(file).records.size(), window_->shell().live().snapshot().records.size());
}

TEST_F(RealWindow, takes_the_tour_on_the_first_run_alone) {
    ASSERT_TRUE(session().desktop_state.tour_stop);
    xdotool("key 2");  // the keyboard is the tour's
    EXPECT_EQ(session().view, ViewId("layout"));
    xdotool("key Return");
    EXPECT_EQ(session().desktop_state.tour_stop, 1);
    xdotool("key Escape");
    EXPECT_FALSE(session().desktop_state.tour_stop);
    window_.reset();
    window_ = std::make_unique<Window>(*registry_, AppOptions{});
    steps(2);
    EXPECT_FALSE(session().desktop_state.tour_stop);
}

TEST_F(RealWindow, takes_no_tour_over_a_file_that_was_asked_for) {
    window_.reset();
    std::filesystem::remove_all(config_);
    window_ = std::make_unique<Window>(*registry_, AppOptions{{preset_folder() / "mec.toml"}});
    steps(3);
    EXPECT_FALSE(session().desktop_state.tour_stop);
    EXPECT_EQ(session().choices.workload.name, "mec/cv1");
}

TEST_F(RealWindow, goes_back_by_alt_and_an_arrow) {
    xdotool("key Escape");  // the tour
    xdotool("key 5");
    EXPECT_EQ(session().view, ViewId("network"));
    xdotool("key alt+Left");
    EXPECT_EQ(session().view, ViewId("layout"));
    xdotool("key alt+Right");
    EXPECT_EQ(session().view, ViewId("network"));
}

TEST_F(RealWindow, is_used_by_keys_alone) {
    xdotool("key Escape");  // the tour
    xdotool("key ctrl+k");
    xdotool("type --delay 20 'mec cv6'");
    xdotool("key Return");
    EXPECT_EQ(session().choices.workload.name, "mec/cv6");
    xdotool("key F2");
    xdotool("key Tab");
    EXPECT_EQ(focus_order().name(), "workload/c");
    xdotool("key Return");
    xdotool("key ctrl+a");
    xdotool("type --delay 20 '3'");
    xdotool("key Return");
    EXPECT_EQ(session().good.shape.c, 3);
    xdotool("key Escape");
    EXPECT_FALSE(focus_order().on());
    xdotool("key ctrl+plus");
    EXPECT_FLOAT_EQ(session().appearance.scale, 1.125F);
    xdotool("key F11");
    EXPECT_TRUE(session().desktop_state.maximised);
}

/// Several keys and clicks in one go, none of them held: what a script sends, and a quick hand nearly does.
TEST_F(RealWindow, loses_no_key_chord_or_click_that_is_held_for_no_time) {
    xdotool("key Escape");  // the tour
    for (int i = 0; i < 6; ++i) {
        const bool dark = session().appearance.dark;
        // GLFW takes two presses of a key in one millisecond for one.
        xdotool("key --delay 0 ctrl+t sleep 0.004 key --delay 0 ctrl+t sleep 0.004 key --delay 0 ctrl+t");
        EXPECT_EQ(session().appearance.dark, !dark) << i;
    }
    const bool dark = session().appearance.dark;
    xdotool("keydown ctrl keydown t keyup ctrl keyup t");  // as 'xdotool key ctrl+t' does
    EXPECT_EQ(session().appearance.dark, !dark) << "whichever key is let go first";
    xdotool("keydown ctrl keydown k keyup k keyup ctrl");
    EXPECT_EQ(session().desktop_state.overlay, Overlay::palette);
    xdotool("type --delay 0 'light'");
    xdotool("key --delay 0 ctrl+a BackSpace Escape");
    EXPECT_NE(session().desktop_state.overlay, Overlay::palette);
    const float before = session().appearance.left_width;
    ASSERT_TRUE(item_registry_.items().contains("fold right"));
    point_at(item_registry_.items().at("fold right").centre());
    xdotool("click --delay 0 1");
    EXPECT_FALSE(session().appearance.right_open);
    EXPECT_EQ(session().appearance.left_width, before);
    click("workload/h");
    xdotool("key --delay 0 ctrl+a 1 2 Return");
    EXPECT_EQ(session().good.shape.h, 12);
}

/// A compilation, or a notice here: its end shows in panels that were drawn before it was known.
TEST_F(RealWindow, draws_on_when_something_has_ended_by_itself) {
    xdotool("key Escape");  // the tour
    notify(session(), "soon gone");
    while (!session().notices.empty()) ASSERT_TRUE(window_->step());
    std::atomic<bool> drawn = false, hangs = false;
    std::jthread event_in_the_end([&] {
        hangs = !testing::wait_until([&] { return drawn.load(); });
        glfwPostEmptyEvent();
    });
    for (int i = 0; i < 2; ++i) EXPECT_TRUE(window_->step());
    drawn = true;
    event_in_the_end.join();
    EXPECT_FALSE(hangs) << "without an event";
}

TEST_F(RealWindow, keeps_its_settings_while_it_runs) {
    xdotool("key Escape");  // the tour
    xdotool("key ctrl+t");
    const auto kept = [this] {
        std::ifstream file(config_ / "convscope" / "settings.toml");
        const std::string text{std::istreambuf_iterator<char>(file), {}};
        return text.find("dark = false") != std::string::npos;
    };
    EXPECT_TRUE(wait(kept)) << "whatever ends the program";
}

TEST_F(RealWindow, puts_its_picture_on_the_clipboard) {
    xdotool("key Escape");  // the tour
    point_at({4, 4});       // no figure
    xdotool("key ctrl+shift+c");
    steps(3);
    ASSERT_FALSE(session().notices.empty());
    EXPECT_EQ(session().notices.back().text, "Copied the view as PNG, 2x");
    const std::string png = x_clipboard("image/png", [this] { steps(1); });
    ASSERT_GT(png.size(), 1000U);
    EXPECT_EQ(png.substr(1, 3), "PNG");
    EXPECT_EQ(x_clipboard("UTF8_STRING", [this] { steps(1); }), "");
    xdotool("key ctrl+c");  // text takes its place
    EXPECT_NE(x_clipboard("UTF8_STRING", [this] { steps(1); }).find("examples/xu-fig4"), std::string::npos);
}

TEST_F(RealWindow, keeps_its_settings) {
    xdotool("key Escape");  // the tour
    xdotool("key ctrl+t");
    EXPECT_FALSE(session().appearance.dark);
    window_.reset();
    window_ = std::make_unique<Window>(*registry_, AppOptions{});
    steps(2);
    EXPECT_FALSE(session().appearance.dark);
}

}  // namespace
}  // namespace convscope::app
