#include "app/ui/widgets/text_table.h"

#include <gtest/gtest.h>

#include "app/ui/widgets/text_capture.h"

namespace convscope::app {
namespace {

const TextTable table{{"method", "time us"}, {{"ecr1", "4.2"}, {"a|b, \"c\"\td"}}};

TEST(TextTable, is_written_for_a_spreadsheet) {
    EXPECT_EQ(table_text(table, TableFormat::tsv), "method\ttime us\necr1\t4.2\na|b, \"c\" d\t\n");
}

TEST(TextTable, is_written_as_csv) {
    EXPECT_EQ(table_text(table, TableFormat::csv), "method,time us\necr1,4.2\n\"a|b, \"\"c\"\"\td\",\n");
}

TEST(TextTable, is_written_as_markdown) {
    EXPECT_EQ(table_text(table, TableFormat::markdown),
              "| method | time us |\n| --- | --- |\n| ecr1 | 4.2 |\n| a\\|b, \"c\"\td |  |\n");
}

TEST(TextCapture, takes_text_only_while_it_lives) {
    std::string text;
    capture_text("before");
    {
        const TextCapture taking(text);
        capture_text("WORK");
        capture_text("needed", "27");
    }
    capture_text("after");
    EXPECT_EQ(text, "WORK\nneeded: 27\n");
}

}  // namespace
}  // namespace convscope::app
