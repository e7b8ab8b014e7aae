#include "visualizers/step/code_places.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/visualizers/step/traced.h"
#include "visualizers/explain/code_text.h"

namespace convscope {
namespace {

std::string line_of(const simt::KernelSource& source, unsigned line) {
    return std::string(lines_of(source.text).at(line - 1));
}

TEST(CodePlaces, find_the_call_of_a_helper_in_the_kernel) {
    const TracedBlock block = testing::traced("examples/xu-fig4", "ecr1");
    const simt::KernelPlace kernel = simt::place_of_kernel("ecr1");
    ASSERT_TRUE(kernel.source);
    bool helper = false;
    for (std::uint16_t i = 0; i < block.trace().sources.size(); ++i) {
        const CodePlace& place = block.code(i);
        ASSERT_GT(place.kernel_line, kernel.line);
        if (!place.helper) continue;
        helper = true;
        EXPECT_NE(line_of(*place.helper, place.helper_line).find("value = x["), std::string::npos);
        EXPECT_NE(line_of(*kernel.source, place.kernel_line).find("element_or_zero("), std::string::npos);
    }
    EXPECT_TRUE(helper);
}

TEST(CodePlaces, find_a_call_through_another_helper) {
    // ecr3_convert calls compress_window, which calls element_or_zero.
    WorkloadSpec layer;
    layer.shape = {.n = 1, .c = 2, .h = 5, .w = 5, .k = 2, .r = 3, .s = 3};
    TraceRequest request;
    request.workload = layer;
    request.method = "ecr3";
    request.kernel = "ecr3_convert";
    TraceResult result = trace_block(request);
    for (const std::source_location& at : result.trace.sources) {
        const CodePlace place = find_code("ecr3_convert", at);
        EXPECT_GT(place.kernel_line, 0U) << at.line();
    }
}

TEST(CodePlaces, know_the_function_of_a_line) {
    const char* text = "DEVICE int f(int a) {\n    return a;\n}\n\nint x;\nKERNEL k(int a) {\n    f(a);\n}\n";
    EXPECT_EQ(enclosing_function(text, 2), "f");
    EXPECT_EQ(enclosing_function(text, 5), "");
    EXPECT_EQ(enclosing_function(text, 7), "k");
    EXPECT_EQ(enclosing_function(text, 100), "");
}

TEST(KernelSources, finds_a_kernel_wherever_its_formatter_broke_the_line) {
    for (const char* kernel : {"ecr1", "ecr4", "fused5", "tiled_multi2"}) {
        EXPECT_TRUE(simt::place_of_kernel(kernel).source) << kernel;
        const std::vector<std::string> names = simt::parameter_names(kernel);
        EXPECT_EQ(std::count(names.begin(), names.end(), "x"), 1) << kernel;
    }
    EXPECT_FALSE(simt::place_of_kernel("ecr").source);
    EXPECT_FALSE(simt::place_of_kernel("divided").source);  // a function, not a kernel
}

}  // namespace
}  // namespace convscope
