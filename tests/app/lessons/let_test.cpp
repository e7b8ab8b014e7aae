#include "app/lessons/let.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace convscope::lessons {
namespace {

TEST(Lets, stand_for_expressions_in_brackets) {
    const Lets lets{{"gain", "old / new_"}, {"old", "1 + 2"}, {"new_", "4"}};
    EXPECT_EQ(with_lets("2 * gain > 1", lets), "2 * ((1 + 2) / (4)) > 1");
}

TEST(Lets, leave_other_names_and_words_in_quotes_alone) {
    const Lets lets{{"ecr3", "7"}, {"n", "8"}};
    EXPECT_EQ(with_lets("time(\"ecr3\") + ecr30 + needed + n2", lets), "time(\"ecr3\") + ecr30 + needed + n2");
    EXPECT_EQ(with_lets("ptr(n) + \"never ends ecr3", lets), "ptr((8)) + \"never ends ecr3");
}

TEST(Lets, that_double_themselves_end_before_they_fill_the_memory) {
    Lets lets{{"a0", "1"}};
    for (int i = 1; i <= 40; ++i) lets[fmt::format("a{}", i)] = fmt::format("a{0} + a{0}", i - 1);
    EXPECT_FALSE(with_lets("a40", lets));
    EXPECT_TRUE(with_lets("a8", lets));
    EXPECT_TRUE(with_lets(std::string(max_expression, '1'), lets));
    EXPECT_FALSE(with_lets(std::string(max_expression + 1, '1'), lets));
}

TEST(Lets, that_lead_back_to_themselves_stay_names) {
    EXPECT_EQ(with_lets("a", {{"a", "b + 1"}, {"b", "a"}}), "((a) + 1)");
}

}  // namespace
}  // namespace convscope::lessons
