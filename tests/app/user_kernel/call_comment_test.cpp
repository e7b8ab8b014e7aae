#include "app/user_kernel/call_comment.h"

#include <gtest/gtest.h>

namespace convscope::app {
namespace {

constexpr const char* comment = "// convscope: grid = (1)";

TEST(CallComment, stands_right_above_the_kernel) {
    EXPECT_EQ(with_call_comment("int a;\n\n__global__ void k() {\n}\n", 3, comment),
              "int a;\n\n// convscope: grid = (1)\n__global__ void k() {\n}\n");
    EXPECT_EQ(with_call_comment("template <int N>\n__global__ void\nk() {\n}\n", 3, comment),
              "// convscope: grid = (1)\ntemplate <int N>\n__global__ void\nk() {\n}\n")
        << "above all that belongs to it";
}

TEST(CallComment, takes_the_place_of_the_one_before) {
    EXPECT_EQ(with_call_comment("// Words.\n// convscope: n = 1\n// convscope: grid = 2\n__global__ void k() {\n}\n", 4,
                                comment),
              "// Words.\n// convscope: grid = (1)\n__global__ void k() {\n}\n");
}

TEST(CallComment, lists_what_is_given_and_what_was_there) {
    KernelArguments arguments;
    ArgumentState grid, n, layer;
    grid.name = "grid";
    grid.origin = Origin::comment;
    grid.text = "ceil(n/32), 2";
    n.name = "n";
    n.origin = Origin::given;
    n.text = "100";
    layer.name = "h";
    layer.origin = Origin::layer;
    layer.text = "5";
    arguments.states = {grid, n, layer};
    EXPECT_EQ(call_comment(arguments), "// convscope: grid = (ceil(n/32), 2), n = 100");
}

}  // namespace
}  // namespace convscope::app
