#include "app/user_kernel/kernel_check.h"

#include <gtest/gtest.h>

namespace convscope::app {
namespace {

TEST(SourceProblems, have_a_line_each_where_they_are_of_this_file) {
    const auto problems = problems_in("a.cu:2:10: no b\na.cu:7:3: no c\nsub.h:1:4: no d\nand 3 more errors", "a.cu");
    ASSERT_EQ(problems.size(), 4U);
    EXPECT_EQ(problems[0].line, 2U);
    EXPECT_EQ(problems[1].line, 7U);
    EXPECT_EQ(problems[1].column, 3U);
    EXPECT_EQ(problems[1].sentence, "no c");
    EXPECT_EQ(problems[2].line, 0U);
    EXPECT_EQ(problems[2].sentence, "sub.h:1:4: no d") << "another file's";
    EXPECT_EQ(problems[3].line, 0U);
}

}  // namespace
}  // namespace convscope::app
