#include "app/session/settings/settings.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>
#include <fstream>

#include "tests/kernels/files/temp_folder.h"

namespace convscope::app {
namespace {

class SettingsFile : public ::testing::Test {
protected:
    const TempFolder folder_;
    const std::filesystem::path file_ = folder_ / "convscope/settings.toml";
};

TEST_F(SettingsFile, come_back_as_they_were_kept) {
    Settings kept;
    kept.appearance.dark = false;
    kept.appearance.scale = 1.5F;
    kept.appearance.left_width = 300;
    kept.appearance.step_source_width = 0.7F;
    kept.preferences.notation = Notation::paper;
    kept.window.width = 1280;
    kept.csv_path = "a \"quoted\" name.csv";
    EXPECT_EQ(save_settings(file_, kept, {}), "");
    const LoadedSettings loaded = load_settings(file_);
    EXPECT_EQ(loaded.problem, "");
    EXPECT_EQ(loaded.settings.appearance, kept.appearance);
    EXPECT_EQ(loaded.settings.preferences, kept.preferences);
    EXPECT_EQ(loaded.settings.window.width, 1280);
    EXPECT_EQ(loaded.settings.csv_path, kept.csv_path);
}

TEST_F(SettingsFile, that_is_broken_is_named_and_kept_and_the_defaults_are_used) {
    std::filesystem::create_directories(file_.parent_path());
    std::ofstream(file_) << "dark = true\nscale = = 2\n";
    const LoadedSettings loaded = load_settings(file_);
    EXPECT_NE(loaded.problem.find(file_.string() + ":2:"), std::string::npos) << loaded.problem;
    EXPECT_EQ(loaded.settings.appearance, Appearance{});
    EXPECT_TRUE(std::filesystem::exists(file_.string() + ".broken"));
}

TEST_F(SettingsFile, that_is_broken_again_does_not_take_the_place_of_the_one_kept_before) {
    std::filesystem::create_directories(file_.parent_path());
    const auto kept = [this](const char* text) {
        std::ofstream(file_) << text;
        return load_settings(file_).problem;
    };
    kept("scale = = 2\n");
    EXPECT_NE(kept("scale = = 3\n").find("settings.toml.broken2"), std::string::npos);
    EXPECT_NE(kept("scale = = 3\n").find("settings.toml.broken2"), std::string::npos) << "the same is kept once";
    std::string first;
    std::getline(std::ifstream(file_.string() + ".broken"), first);
    EXPECT_EQ(first, "scale = = 2");
}

TEST_F(SettingsFile, out_of_range_or_of_the_wrong_type_falls_back_value_by_value) {
    std::filesystem::create_directories(file_.parent_path());
    std::ofstream(file_) << "dark = false\nscale = 90\nleft_width = \"wide\"\n";
    const auto [settings, problem] = load_settings(file_);
    EXPECT_NE(problem.find(file_.string() + ":2:9: 'scale' is 90"), std::string::npos) << problem;
    EXPECT_NE(problem.find("a number from 0.5 to 4"), std::string::npos) << problem;
    EXPECT_NE(problem.find(file_.string() + ":3:"), std::string::npos) << problem;
    EXPECT_TRUE(std::filesystem::exists(file_.string() + ".broken"));
    EXPECT_FALSE(settings.appearance.dark);
    EXPECT_EQ(settings.appearance.scale, 1.0F);
    EXPECT_EQ(settings.appearance.left_width, Appearance{}.left_width);
}

TEST_F(SettingsFile, with_one_value_out_of_range_has_one_default) {
    std::filesystem::create_directories(file_.parent_path());
    std::ofstream(file_) << "scale = 90\n";
    EXPECT_NE(load_settings(file_).problem.find(". The default is used, and"), std::string::npos);
}

TEST_F(SettingsFile, is_in_the_users_folder_of_settings) {
    setenv("XDG_CONFIG_HOME", (folder_ / "").c_str(), 1);
    EXPECT_EQ(settings_file(), file_);
    unsetenv("XDG_CONFIG_HOME");
    const std::string home = std::getenv("HOME") ? std::getenv("HOME") : "/";
    unsetenv("HOME");
    EXPECT_EQ(settings_file(), "") << "nowhere to keep them";
    setenv("HOME", home.c_str(), 1);
    EXPECT_EQ(settings_file(), std::filesystem::path(home) / ".config/convscope/settings.toml");
    EXPECT_EQ(save_settings("", {}, {}), "");
    EXPECT_EQ(load_settings("").problem, "");
}

TEST_F(SettingsFile, that_is_a_pipe_or_endless_is_named_and_not_waited_for) {
    std::filesystem::create_directories(file_.parent_path());
    ASSERT_EQ(mkfifo(file_.c_str(), 0600), 0);
    EXPECT_NE(load_settings(file_).problem.find("is a pipe that nobody writes to; the defaults are used"),
              std::string::npos);
    std::filesystem::remove(file_);
    std::filesystem::create_symlink("/dev/zero", file_);
    EXPECT_NE(load_settings(file_).problem.find("is larger than"), std::string::npos);
}

TEST_F(SettingsFile, stays_as_private_as_its_owner_made_it) {
    save_settings(file_, {}, {});
    const auto own = std::filesystem::perms::owner_read | std::filesystem::perms::owner_write;
    std::filesystem::permissions(file_, own);
    EXPECT_EQ(save_settings(file_, {}, {}), "");
    EXPECT_EQ(std::filesystem::status(file_).permissions(), own);
}

TEST_F(SettingsFile, of_two_windows_are_those_that_each_has_changed) {
    Settings first, second;
    ASSERT_EQ(save_settings(file_, {}, {}), "");
    first.appearance.dark = !first.appearance.dark;
    EXPECT_EQ(save_settings(file_, first, {}), "");
    second.appearance.right_open = !second.appearance.right_open;
    second.preferences.recent = {"a", "b"};
    EXPECT_EQ(save_settings(file_, second, {}), "");
    const Settings both = load_settings(file_).settings;
    EXPECT_EQ(both.appearance.dark, first.appearance.dark);
    EXPECT_EQ(both.appearance.right_open, second.appearance.right_open);
    EXPECT_EQ(both.preferences.recent, second.preferences.recent);
}

TEST_F(SettingsFile, that_are_gone_or_broken_are_written_whole) {
    Settings settings;
    settings.appearance.scale = 2;
    const Settings before = settings;
    settings.appearance.dark = !settings.appearance.dark;
    EXPECT_EQ(save_settings(file_, settings, before), "");
    EXPECT_EQ(load_settings(file_).settings.appearance, settings.appearance);
    std::ofstream(file_) << "dark = ";
    EXPECT_EQ(save_settings(file_, settings, before), "");
    EXPECT_EQ(load_settings(file_).settings.appearance, settings.appearance);
}

TEST_F(SettingsFile, that_cannot_be_written_is_said) {
    EXPECT_NE(save_settings("/proc/nowhere/settings.toml", {}, {}), "");
}

}  // namespace
}  // namespace convscope::app
