#include "app/user_kernel/ptx_listing.h"

#include <gtest/gtest.h>

#include <fstream>
#include <numeric>

#include "kernels/ptx/toolchain/compile.h"
#include "tests/kernels/files/temp_folder.h"

namespace convscope::app {
namespace {

std::shared_ptr<KernelCheckResult> check_source(const std::string& text, const std::string& entry = "") {
    const TempFolder folder;
    KernelCheckRequest request;
    request.call.file = folder / "kernel.cu";
    request.call.entry = entry;
    std::ofstream(request.call.file) << text;
    return check_kernel(request, {});
}

TEST(PtxListingOfAKernel, links_each_line_with_the_source_and_counts_what_ran) {
    if (!ptx::find_cuda_compiler()) GTEST_SKIP() << "neither nvcc nor clang is here";
    const auto check = check_source(
        "__global__ void other(float* y) { y[0] = 1; }\n"
        "// convscope: grid = 2, block = 64, x = random(128), y = out(128)\n"
        "__global__ void twice(const float* x, float* y) {\n"
        "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
        "    y[i] =\n"
        "        2 * x[i];\n"
        "}\n",
        "twice");
    ASSERT_TRUE(check->result) << check->verdict;
    const PtxListing listing = ptx_listing(*check);
    EXPECT_EQ(listing.text.find("other"), std::string::npos) << "the kernel alone";
    EXPECT_EQ(listing.text.find(".loc"), std::string::npos);
    std::vector<std::string> lines{""};
    std::istringstream text(listing.text);
    for (std::string line; std::getline(text, line);) lines.push_back(line);
    ASSERT_EQ(listing.source.size(), lines.size());
    bool loads = false;
    for (const unsigned line : listing.lines_of(6)) loads |= lines.at(line).find("ld.global") != std::string::npos;
    EXPECT_TRUE(loads) << listing.text;
    EXPECT_TRUE(listing.lines_of(0).empty());
    EXPECT_TRUE(listing.lines_of(1).empty()) << "another kernel's line";
    // Two blocks of two warps run each instruction once.
    std::int64_t all = 0;
    for (const auto& [line, count] : listing.counts) {
        EXPECT_EQ(count, 4) << lines.at(line);
        all += count;
    }
    EXPECT_EQ(all, check->result->counts.warp_instructions);
    for (std::size_t line = 0; line < listing.place.size(); ++line)
        EXPECT_LT(listing.place[line], lines.size()) << line;
}

TEST(PtxListingOfAKernel, goes_on_behind_assembly_in_braces) {
    if (!ptx::find_cuda_compiler()) GTEST_SKIP() << "neither nvcc nor clang is here";
    const auto check = check_source(
        "// convscope: grid = 1, block = 32, y = out(32)\n"
        "__global__ void braces(float* y) {\n"
        "    asm volatile(\"{\\n\\t.reg .u32 t;\\n\\tmov.u32 t, 1;\\n}\");\n"
        "    y[threadIdx.x] = 1;\n"
        "}\n");
    ASSERT_TRUE(check->result) << check->verdict;
    const PtxListing listing = ptx_listing(*check);
    EXPECT_FALSE(listing.lines_of(4).empty()) << listing.text;
    EXPECT_NE(listing.text.find("ret;"), std::string::npos) << listing.text;
}

TEST(PtxListingOfAKernel, is_empty_where_it_does_not_compile) {
    KernelCheckResult check;
    EXPECT_EQ(ptx_listing(check).text, "");
    EXPECT_TRUE(ptx_listing(check).lines_of(1).empty());
}

}  // namespace
}  // namespace convscope::app
