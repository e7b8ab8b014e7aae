#include "app/user_kernel/line_steps.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "app/user_kernel/assignment.h"
#include "kernels/ptx/text/source_constants.h"
#include "kernels/ptx/toolchain/compile.h"
#include "tests/kernels/files/temp_folder.h"

namespace convscope::app {
namespace {

std::string assigned(const std::string& source) {
    const auto found = assignment_in(ptx::without_comments(source),
                                     static_cast<unsigned>(std::count(source.begin(), source.end(), '\n')) + 1);
    return found ? found->name + ":" + found->type + (found->address ? "*" : "") : "";
}

TEST(AnAssignment, is_read_from_its_line) {
    EXPECT_EQ(assigned("float sum = 0;"), "sum:float");
    EXPECT_EQ(assigned("void f(const float* x, unsigned int n) {\n  n += x[3];"), "n:unsigned int");
    EXPECT_EQ(assigned("void f(float* x) {\n  x[a[0] + 1] = 2;  // y = 3"), "x:float");
    EXPECT_EQ(assigned("void f(float* x) {\n  *x = 2;"), "x:float");
    EXPECT_EQ(assigned("const float* p = x + 1;"), "p:float*");
    EXPECT_EQ(assigned("float a = 0, b = 1;\nfor (int i = 0; i < n; ++i) b += a;"), "b:float");
    EXPECT_EQ(assigned("__shared__ int s[4][5];\nif (a <= b) s[1][i] >>= 1;"), "s:int");
    EXPECT_EQ(assigned("int turns = 0;\nturns++;"), "turns:int");
    EXPECT_EQ(assigned("int turns = 0;\n++turns;"), "turns:int");
    EXPECT_EQ(assigned("real v = x[i];"), "v:");
    EXPECT_EQ(assigned("v.x = 1;"), "x:");
    EXPECT_EQ(assigned("int i;\nfor (i = 0; i < n; ++i)"), "") << "what a loop counts with";
    EXPECT_EQ(assigned("if (a == b || a >= c || a != d) return;"), "");
    EXPECT_EQ(assigned("__syncthreads();"), "");
}

class LineValues : public ::testing::Test {
protected:
    void run(const std::string& source) {
        const TempFolder folder;
        KernelCheckRequest request;
        request.call.file = folder / "kernel.cu";
        std::ofstream(request.call.file) << source;
        check_ = check_kernel(request, {});
        ASSERT_TRUE(check_->result) << (check_->problems.empty() ? "" : check_->problems.front().sentence);
        steps_ = line_steps(*check_);
    }
    /// A lane's value at the last step of a line that has one; "" where none has.
    std::string value(unsigned line, unsigned lane) const {
        const ptx::WarpTrace& trace = check_->result->trace;
        std::string text = "not there";
        for (const LineStep& step : steps_) {
            if (step.line == line && text == "not there") text.clear();
            if (step.line == line && step.value)
                text = trace.value(check_->kernel().program, trace.steps[*step.value], 0, lane);
        }
        return text;
    }
    std::shared_ptr<KernelCheckResult> check_;
    std::vector<LineStep> steps_;
};

TEST_F(LineValues, are_what_the_line_assigns_and_no_index_or_address) {
    if (!ptx::find_cuda_compiler()) GTEST_SKIP() << "neither nvcc nor clang is here";
    run("// convscope: n = 9, grid = 1, block = 32, a = iota(32, n), b = ones(n), c = out(32)\n"
        "__global__ void rows(const float* a, const float* b, float* c, int n) {\n"
        "    int row = blockIdx.x * blockDim.x + threadIdx.x;\n"
        "    float sum = 0;\n"
        "    for (int i = 0; i < n; ++i) {\n"
        "        float p = a[row * n + i];\n"
        "        sum += p * b[i];\n"
        "    }\n"
        "    if (a[row] > 1000)\n"
        "        return;\n"
        "    c[row] = sum;\n"
        "}\n");
    EXPECT_EQ(value(3, 5), "5");
    EXPECT_EQ(value(5, 5), "") << "the compiler counts with something else";
    EXPECT_EQ(value(6, 1), "17") << "of the last turn";
    EXPECT_EQ(value(7, 1), "117") << "9 + ... + 17";
    EXPECT_EQ(value(9, 3), "3") << "what a condition loads";
    EXPECT_EQ(value(11, 1), "117");
}

TEST_F(LineValues, of_a_line_with_its_loop_are_the_last_turns) {
    if (!ptx::find_cuda_compiler()) GTEST_SKIP() << "neither nvcc nor clang is here";
    run("// convscope: grid = 1, block = 32, y = out(32)\n"
        "__global__ void sum(int* y) {\n"
        "    int v = threadIdx.x;\n"
        "    for (int offset = 16; offset > 0; offset /= 2) v += __shfl_xor_sync(0xffffffff, v, offset);\n"
        "    y[threadIdx.x] = v;\n"
        "}\n");
    EXPECT_EQ(value(4, 7), "496");
    EXPECT_EQ(value(5, 7), "496");
}

}  // namespace
}  // namespace convscope::app
