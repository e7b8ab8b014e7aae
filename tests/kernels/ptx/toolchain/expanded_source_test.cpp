#include "kernels/ptx/toolchain/expanded_source.h"

#include <gtest/gtest.h>

namespace convscope::ptx {
namespace {

const SourceNames names{"/home/me/a.cu", ".source", "a.cu"};

TEST(ExpandedSource, has_each_line_where_the_file_has_it) {
    EXPECT_EQ(expanded_source("# 0 \"<built-in>\"\nint system;\n# 1 \"/home/me/a.cu\"\nint a;\n\nint b;\n", names),
              "int a; \n \nint b; \n");
    EXPECT_EQ(expanded_source("# 1 \"/home/me/a.cu\"\nint a;\n# 4 \"/home/me/a.cu\"\nint d;\n", names),
              "int a; \n\n\nint d; \n");
}

TEST(ExpandedSource, has_a_header_of_the_files_folder_on_the_line_that_includes_it) {
    EXPECT_EQ(expanded_source("# 1 \"/home/me/a.cu\"\nint a;\n# 1 \".source/b.h\" 1\nint b;\nint c;\n"
                              "# 3 \"/home/me/a.cu\" 2\nint d;\n",
                              names),
              "int a; \nint b; int c;  \nint d; \n");
    EXPECT_EQ(expanded_source("# 1 \"/home/me/a.cu\"\n# 1 \"/usr/include/c.h\" 1 3\nint c;\n# 2 \"/home/me/a.cu\" 2\n"
                              "int d;\n",
                              names),
              "\nint d; \n")
        << "others' headers are left out";
}

TEST(ExpandedSource, of_what_is_no_place_is_nothing) {
    EXPECT_EQ(expanded_source("# 99999999999 \"/home/me/a.cu\"\nint a;\n", names), "");
    EXPECT_EQ(expanded_source("# 0 \"/home/me/a.cu\"\n", names), "");
}

}  // namespace
}  // namespace convscope::ptx
