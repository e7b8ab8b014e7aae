// The palette finds entries by a few letters, in an order, and remembers the ones picked.
#include <gtest/gtest.h>

#include "app/ui/commands/entries.h"
#include "app/ui/commands/fuzzy.h"
#include "tests/app/driver.h"

namespace convscope::app {
namespace {

TEST(Fuzzy, needs_every_word_whatever_the_case_and_the_order) {
    EXPECT_TRUE(fuzzy_score("Run or stop the measurement", "STOP run"));
    EXPECT_FALSE(fuzzy_score("Run or stop the measurement", "run network"));
    EXPECT_EQ(fuzzy_score("anything", ""), 0);
}

TEST(Fuzzy, finds_words_by_their_first_letters) {
    EXPECT_TRUE(fuzzy_score("Toggle dark theme", "tdt"));
    EXPECT_TRUE(fuzzy_score("vgg19/conv3_2", "v32"));
    EXPECT_FALSE(fuzzy_score("Toggle dark theme", "oggle dark x"));
    EXPECT_FALSE(fuzzy_score("Undo", "ou"));  // the first letter begins a word
}

TEST(Fuzzy, prefers_words_as_they_stand_at_the_beginning_of_a_word) {
    EXPECT_GT(fuzzy_score("Step", "step"), fuzzy_score("Go to step", "step"));
    EXPECT_GT(fuzzy_score("Go to step", "step"), fuzzy_score("Doorstep", "step"));
    EXPECT_GT(fuzzy_score("Doorstep", "step"), fuzzy_score("Show the extra pages", "step").value_or(0));
}

PaletteEntry entry(const char* title, const char* reason = "") {
    return {title, "Command", title, {}, {}, reason, {}};
}

TEST(PaletteOrder, puts_what_was_run_lately_first) {
    const std::vector<PaletteEntry> entries{entry("View: Layout"), entry("View: Step"), entry("View: Sweep")};
    EXPECT_EQ(palette_order(entries, "", {}), (std::vector<std::size_t>{0, 1, 2}));
    EXPECT_EQ(palette_order(entries, "view", {"View: Sweep", "View: Step"}), (std::vector<std::size_t>{2, 1, 0}));
    EXPECT_EQ(palette_order(entries, "step", {"View: Sweep"}), (std::vector<std::size_t>{1}));
}

TEST(PaletteOrder, puts_what_is_called_so_first) {
    std::vector<PaletteEntry> entries{entry("lenet/conv2"), entry("lenet/conv10"), entry("lenet/conv1")};
    for (PaletteEntry& each : entries) each.kind = "Preset";
    for (const char* search : {"lenet/conv1", "Lenet/Conv1 ", "preset lenet/conv1"})
        EXPECT_EQ(palette_order(entries, search, {"lenet/conv10", "lenet/conv2"}).front(), 2U) << search;
}

TEST(PaletteOrder, puts_what_cannot_be_done_after_what_can) {
    const std::vector<PaletteEntry> entries{entry("pecr1", "needs pooling"), entry("pecr1 again")};
    EXPECT_EQ(palette_order(entries, "pecr", {}).front(), 1U);
}

TEST(Palette, finds_commands_by_the_words_that_a_user_types) {
    Driver app;
    const auto first = [&](const char* words) {
        app.press(Key::k, true);
        app.type(words);
        std::pair<float, std::string> top{1e9F, ""};
        for (const auto& [name, rect] : app.items())
            if (name.starts_with("palette/") && name != "palette/search")
                top = std::min(top, std::pair{rect.min.y, name.substr(8)});
        app.press(Key::escape);
        return top.second;
    };
    const std::string theme = "Toggle light or dark theme";
    for (const char* words : {"light", "dark", "theme", "light mode", "dark mode", "night"})
        EXPECT_EQ(first(words), theme) << words;
    EXPECT_EQ(first("fullscreen"), "Toggle full view");
    EXPECT_EQ(first("font size"), "Increase UI scale");
    EXPECT_EQ(first("preferences"), "Settings");
    EXPECT_EQ(first("screenshot"), "Export results, figures and pictures");
    EXPECT_EQ(first("shortcuts"), "Explain the present view");
    EXPECT_TRUE(app.session().appearance.dark);
    app.press(Key::k, true);
    app.type("light");
    app.press(Key::enter);
    EXPECT_FALSE(app.session().appearance.dark);
}

TEST(Recent, keeps_the_newest_first_each_once) {
    Preferences preferences;
    for (const char* id : {"a", "b", "a"}) remember(preferences, id);
    EXPECT_EQ(preferences.recent, (std::vector<std::string>{"a", "b"}));
    for (int i = 0; i < 40; ++i) remember(preferences, std::to_string(i));
    EXPECT_EQ(preferences.recent.size(), 12U);
    EXPECT_EQ(preferences.recent.front(), "39");
}

}  // namespace
}  // namespace convscope::app
