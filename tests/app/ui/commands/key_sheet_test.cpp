// The sheet of keys and docs/keys.md come from the table of commands. CONVSCOPE_WRITE_DOCS=1 rewrites the page.
#include "app/ui/commands/key_sheet.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <set>
#include <sstream>

#include "app/ui/commands/commands.h"

namespace convscope::app {
namespace {

TEST(KeySheet, has_every_command_with_a_key_in_a_named_group) {
    std::size_t rows = 0;
    for (const SheetGroup& group : key_sheet()) {
        EXPECT_FALSE(group.title.empty());
        rows += group.rows.size();
    }
    const auto keyed = std::ranges::count_if(commands(), [](const Command& c) { return !c.keys.empty(); });
    EXPECT_GE(rows, static_cast<std::size_t>(keyed));
}

TEST(KeySheet, of_a_view_leaves_out_the_keys_of_others) {
    auto has = [](ViewId view, const char* what) {
        for (const SheetGroup& group : key_sheet(view))
            for (const SheetRow& row : group.rows)
                if (row.what == what) return true;
        return false;
    };
    EXPECT_TRUE(has(ViewId("step"), "Step forward"));
    EXPECT_FALSE(has(ViewId("layout"), "Step forward"));
    EXPECT_TRUE(has(ViewId("layout"), "Settings"));
}

TEST(Commands, have_one_meaning_for_a_key_in_each_view) {
    for (std::size_t i = 0; i < ViewId::count; ++i) {
        std::set<std::tuple<int, bool, bool, bool>> taken;
        for (const Command& command : commands()) {
            const Shortcut& key = command.shortcut;
            if (key.key == Key::count || !command.has_key_in(ViewId::at(i))) continue;
            EXPECT_TRUE(taken.insert({static_cast<int>(key.key), key.ctrl, key.shift, key.alt}).second)
                << command.keys << " in " << ViewId::at(i)->name;
        }
    }
}

TEST(Commands, have_names_that_are_not_repeated) {
    std::set<std::string> names;
    for (const Command& command : commands()) EXPECT_TRUE(names.insert(command.name).second) << command.name;
}

TEST(KeySheet, is_what_the_page_of_keys_says) {
    const char* page = CONVSCOPE_DOCS "/keys.md";
    if (std::getenv("CONVSCOPE_WRITE_DOCS")) std::ofstream(page) << key_sheet_markdown();
    std::ostringstream written;
    written << std::ifstream(page).rdbuf();
    EXPECT_EQ(written.str(), key_sheet_markdown())
        << "run this test with CONVSCOPE_WRITE_DOCS=1 and commit docs/keys.md";
}

}  // namespace
}  // namespace convscope::app
