// Copying figures and tables by keys and by right click.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "tests/app/driver.h"
#include "tests/kernels/files/temp_folder.h"

namespace convscope::app {
namespace {

std::string clipboard() {
    const char* text = ImGui::GetClipboardText();
    return text ? text : "";
}

TEST(Copy, takes_what_the_view_says_by_a_key) {
    Driver app;
    app.press(Key::c, true);
    const std::string text = clipboard();
    EXPECT_NE(text.find("examples/xu-fig4: "), std::string::npos) << text;
    EXPECT_NE(text.find(app.shell().layouts().result().links.sentence), std::string::npos) << text;
    EXPECT_NE(text.find("im2col"), std::string::npos) << text;
    ASSERT_FALSE(app.session().notices.empty());
}

TEST(Copy, takes_it_whether_the_inspector_is_open_or_not) {
    Driver app;
    app.press(Key::f11);
    app.press(Key::c, true);
    EXPECT_NE(clipboard().find("im2col"), std::string::npos) << clipboard();
}

TEST(Copy, leaves_the_text_that_is_typed_to_its_field) {
    Driver app;
    app.press(Key::k, true);
    app.type("undo");
    app.press(Key::a, true);
    app.press(Key::c, true);
    EXPECT_EQ(clipboard(), "undo");
}

TEST(Copy, takes_the_picture_as_png) {
    Driver app;
    std::string taken;
    app.shell().image_clipboard = [&taken](std::string png) {
        taken = std::move(png);
        return true;
    };
    app.press(Key::c, true, true);
    app.frames(2);
    ASSERT_GT(taken.size(), 1000U);
    EXPECT_EQ(taken.substr(1, 3), "PNG");
}

TEST(Copy, says_where_the_picture_is_when_the_clipboard_takes_none) {
    const TempFolder folder;
    const std::filesystem::path cache = folder / "cache";
    setenv("XDG_CACHE_HOME", cache.c_str(), 1);
    Driver app;
    app.press(Key::c, true, true);
    app.frames(2);
    EXPECT_EQ(clipboard(), (cache / "convscope" / "copied.png").string());
    EXPECT_TRUE(std::filesystem::exists(clipboard()));
    ASSERT_FALSE(app.session().notices.empty());
    EXPECT_NE(app.session().notices.back().text.find("takes no images"), std::string::npos);
    unsetenv("XDG_CACHE_HOME");
}

TEST(Copy, keeps_the_picture_to_itself_where_there_is_no_home) {
    Driver app;
    const std::string home = std::getenv("HOME") ? std::getenv("HOME") : "";
    unsetenv("HOME");
    unsetenv("XDG_CACHE_HOME");
    app.press(Key::c, true, true);
    app.frames(2);
    setenv("HOME", home.c_str(), 1);
    const std::filesystem::path folder = std::filesystem::path(clipboard()).parent_path();
    EXPECT_TRUE(folder.filename().string().starts_with("convscope-")) << folder;
    EXPECT_EQ(std::filesystem::status(folder).permissions(), std::filesystem::perms::owner_all);
    EXPECT_EQ(std::filesystem::remove_all(folder), 2U);
}

TEST(Copy, is_offered_by_a_right_click_into_a_figure) {
    Driver app;
    const ItemRect tab = app.item("tab/ECR");
    app.right_click_at({tab.min.x + 200, tab.max.y + 300});
    app.frames(2);
    ASSERT_TRUE(app.has("view menu/Copy as text"));
    app.click("view menu/Copy as text");
    app.frames(2);
    EXPECT_NE(clipboard().find("examples/xu-fig4"), std::string::npos);
}

TEST(Copy, takes_the_live_figures_as_a_table) {
    Driver app;
    app.press(Key::space);
    ASSERT_TRUE(app.wait([&] { return !app.shell().live().snapshot().records.empty(); }));
    app.press(Key::space);
    ASSERT_TRUE(app.wait([&] { return !app.shell().live().running(); }));
    app.right_click("row/onednn");
    app.frames(2);
    ASSERT_TRUE(app.has("results menu/2"));
    app.click("results menu/2");
    EXPECT_NE(clipboard().find("| method | median us |"), std::string::npos) << clipboard();
}

}  // namespace
}  // namespace convscope::app
