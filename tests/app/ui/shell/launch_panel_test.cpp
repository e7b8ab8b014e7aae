// The panel of the launch configuration, as a user uses it.
#include <gtest/gtest.h>
#include <imgui.h>

#include <algorithm>
#include <array>
#include <string>

#include "app/session/method_choice.h"
#include "kernels/layers/preset.h"
#include "tests/app/driver.h"

namespace convscope::app {
namespace {

TEST(Gui, a_launch_configuration_is_typed_and_given_back_to_the_method) {
    Driver app;
    ASSERT_TRUE(app.has("launch/block_x"));
    app.type_into("launch/block_x", "4096");
    EXPECT_EQ(launch_of(app.session(), "ecr1").block->x, 4096);
    EXPECT_TRUE(app.has("launch/reset"));
    const Method& method = *app.registry().find("ecr1", DeviceKind::sim);
    const auto rejected = [&] {
        return rejected_dims(app.session(), app.registry(), method, &LaunchConfig::block,
                             launch_model(app.session(), app.registry()));
    };
    EXPECT_EQ(rejected(), (std::array<bool, 3>{true, false, false})) << "the other numbers could be";
    app.type_into("launch/block_x", "512");
    EXPECT_EQ(rejected(), (std::array<bool, 3>{}));
    EXPECT_EQ(app.has("launch/of the drawing"), device_kind(app.session(), app.registry()) == DeviceKind::cpu);
    app.type_into("launch/block_y", "4");
    EXPECT_EQ(rejected(), (std::array<bool, 3>{false, true, false})) << "ecr1's blocks are a row of threads";
    app.click("launch/reset");
    EXPECT_EQ(launch_of(app.session(), "ecr1"), LaunchConfig{});
    EXPECT_FALSE(app.has("launch/of the drawing"));
}

TEST(Gui, the_numbers_of_the_last_launch_stay_while_one_that_cannot_be_is_typed) {
    Driver app;
    ASSERT_TRUE(app.has("launch/model")) << "the occupancy";
    app.type_into("launch/block_x", "4096");
    EXPECT_TRUE(app.has("launch/rejection"));
    EXPECT_TRUE(app.has("launch/model"));
    app.click("launch/model");
    app.frames(2);
    EXPECT_FALSE(ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopup)) << "dimmed";
    app.click("launch/reset");
    EXPECT_FALSE(app.has("launch/rejection"));
}

TEST(Gui, a_device_that_is_not_here_is_listed_with_its_reason) {
    Driver app;
    const auto devices = app.registry().devices();
    const auto absent = std::ranges::find(devices, false, [](const DeviceInfo* info) { return info->available; });
    if (absent == devices.end()) GTEST_SKIP() << "every device is here";
    const std::string before = app.session().choices.device;
    app.click("launch/device");
    app.frames(2);
    app.click("launch/device/" + (*absent)->id);
    EXPECT_EQ(app.session().choices.device, before);
    ASSERT_FALSE(app.session().notices.empty());
    EXPECT_EQ(app.session().notices.back().text, (*absent)->reason);
}

TEST(Gui, the_launch_panel_follows_the_view_and_rejects_what_cannot_run) {
    Driver app;
    app.press(Key::three, true);
    EXPECT_EQ(shown_method(app.session(), app.registry()), "mec2");
    app.press(Key::one, true);
    app.click("launch/method");
    app.frames(2);
    app.click("launch/method/pecr1");  // there is no pooling here
    EXPECT_EQ(shown_method(app.session(), app.registry()), "ecr1");
    ASSERT_FALSE(app.session().notices.empty());
    EXPECT_NE(app.session().notices.back().text.find("pooling"), std::string::npos);
}

TEST(Gui, every_quantity_of_a_plan_is_in_sight_at_1280_by_800) {
    Driver app(1280, 800);
    choose_device(app.session(), app.registry(), "sim");
    for (const char* id : {"tiled-single", "tiled-multi"}) {
        set_workload(app.session(), find_preset("chang/single-28-k3").spec);
        choose_method(app.session(), id);
        app.frames(3);
        const Method& method = app.registry().get(id, DeviceKind::sim);
        const auto plan = method.resolve(app.session().good.shape, {}, default_device_model()).quantities;
        ASSERT_GT(plan.size(), 10U);
        for (const Quantity& quantity : plan)
            EXPECT_LT(app.item("launch/plan/" + quantity.symbol).max.y, 800 - 28) << quantity.symbol;
    }
}

}  // namespace
}  // namespace convscope::app
