// Sentences that are broken into lines, with the app's typeface.
#include <gtest/gtest.h>
#include <imgui.h>

#include <sstream>

#include "app/ui/widgets/widgets.h"
#include "tests/app/driver.h"

namespace convscope::app {
namespace {

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream all(text);
    for (std::string line; std::getline(all, line);) lines.push_back(line);
    return lines;
}

TEST(InLines, no_line_is_wider_than_the_room_and_dots_say_what_was_left_out) {
    Driver app;
    app.frames();
    const std::string sentence = "T2 reads rows[6] = 0 from shared memory, 8 others with it: one wavefront";
    for (const float room : {120.0F, 200.0F, 300.0F}) {
        const std::vector<std::string> all = lines_of(in_lines(sentence, room));
        ASSERT_GT(all.size(), 1U);
        for (const std::string& line : all) EXPECT_LE(ImGui::CalcTextSize(line.c_str()).x, room) << line;
        EXPECT_EQ(in_lines(sentence, room, all.size()), in_lines(sentence, room));
        const std::vector<std::string> some = lines_of(in_lines(sentence, room, all.size() - 1));
        ASSERT_EQ(some.size(), all.size() - 1);
        EXPECT_TRUE(some.back().ends_with(" \u2026")) << some.back();
        EXPECT_LE(ImGui::CalcTextSize(some.back().c_str()).x, room);
        EXPECT_TRUE(std::equal(some.begin(), some.end() - 1, all.begin()));
    }
}

}  // namespace
}  // namespace convscope::app
