// Kernels that take tensor maps: what their comments give them, and a matrix product of warpgroups on them.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "app/user_kernel/gpu_run.h"
#include "app/user_kernel/prepared_kernel.h"
#include "kernels/files/text_file.h"
#include "kernels/ptx/run/half.h"

namespace convscope::app {
namespace {

const std::filesystem::path samples = CONVSCOPE_SAMPLES;

std::unique_ptr<PreparedKernel> prepared(const std::string& name, const std::map<std::string, std::string>& given) {
    KernelCall call;
    call.file = samples / (name + ".cu");
    call.given = given;
    return prepare_kernel(read_kernel(read_text_file(samples / (name + ".ptx")), call, read_text_file(call.file)),
                          call);
}
std::unique_ptr<PreparedKernel> prepared_matmul(const std::map<std::string, std::string>& given) {
    return prepared("wgmma_matmul", given);
}

void expect_product(const PreparedKernel& prepared, const std::string& left, const std::string& right) {
    ASSERT_EQ(prepared.arguments.rejected(), nullptr) << prepared.arguments.rejected()->reason;
    const ptx::LaunchResult result = ptx::run(prepared.kernel->program, prepared.request());
    EXPECT_EQ(result.failure, "");
    for (const ptx::Finding& finding : result.findings) ADD_FAILURE() << finding.line(prepared.kernel->module);
    const auto& arrays = prepared.arguments.arrays;
    const NpyBytes &a = arrays.at(left).array, &b = arrays.at(right).array, &c = arrays.at("c").array;
    const auto half = [](const NpyBytes& array, std::int64_t row, std::int64_t column) {
        std::uint16_t bits = 0;
        std::memcpy(&bits, array.data.data() + 2 * (row * array.shape[1] + column), 2);
        return ptx::float_of_f16(bits);
    };
    for (std::int64_t row = 0; row < c.shape[0]; ++row)
        for (std::int64_t column = 0; column < c.shape[1]; ++column) {
            double sum = 0;
            for (std::int64_t i = 0; i < a.shape[1]; ++i) sum += half(a, row, i) * half(b, column, i);
            float got = 0;
            std::memcpy(&got, c.data.data() + 4 * (row * c.shape[1] + column), 4);
            ASSERT_NEAR(got, sum, 1e-4) << row << ", " << column;
        }
}

TEST(TensorMap, a_warpgroup_multiplies_what_it_brings) {
    for (const char* k : {"64", "192", "320"}) expect_product(*prepared_matmul({{"k", k}}), "a", "b");
}

TEST(TensorMap, blocks_of_a_cluster_share_what_one_of_them_brings) {
    for (const char* k : {"64", "128", "320"})
        expect_product(*prepared("wgmma_ring", {{"k", k}, {"m", "256"}, {"n", "128"}}), "ta", "tb");
}

TEST(TensorMap, what_lies_outside_of_the_tensor_is_zero_and_stays_as_it_is) {
    const auto prepared = prepared_matmul({{"m", "70"}, {"n", "40"}, {"k", "72"}, {"grid", "1, 2"}});
    ASSERT_EQ(prepared->arguments.rejected(), nullptr) << prepared->arguments.rejected()->reason;
    const ptx::LaunchResult result = ptx::run(prepared->kernel->program, prepared->request());
    EXPECT_TRUE(result.findings.empty()) << result.findings.front().line(prepared->kernel->module);
    const NpyBytes& c = prepared->arguments.arrays.at("c").array;
    for (std::size_t i = 0; i < c.data.size(); i += 4) {
        float got = 0;
        std::memcpy(&got, c.data.data() + i, 4);
        ASSERT_FALSE(std::isnan(got)) << i / 4;
    }
}

TEST(TensorMap, is_made_for_the_simulated_gpu_alone) {
    const auto prepared = prepared_matmul({});
    EXPECT_EQ(user_launch(*prepared, {}).rejected,
              "'a' is a tensor map, which only 'kernel' on the simulated GPU makes");
}

TEST(TensorMap, is_rejected_in_a_sentence) {
    const auto reason = [](const std::string& text) {
        const auto prepared = prepared_matmul({{"a", text}});
        return prepared->arguments.rejected() ? prepared->arguments.rejected()->reason : "";
    };
    const std::string no_map = "the argument a: no tensor map can be made of ";
    EXPECT_EQ(reason("random(64, 64)"),
              "'a' is a tensor map: give 'a = tensor(ARRAY, SIZE, ..., swizzle128)', the "
              "sizes of its box in the array's order");
    EXPECT_EQ(reason("tensor(random(64, 64), 64)"), no_map + "a box of 1 sizes for a tensor of 2 dimensions");
    EXPECT_EQ(reason("tensor(random(64, 64), 64, 512)"), no_map + "a box of size 512; accepted is 1 to 256");
    EXPECT_EQ(reason("tensor(random(64, 63), 8, 8)"), no_map + "rows of 252 bytes, which is not a multiple of 16");
    EXPECT_EQ(reason("tensor(random(64, 64), 8, 3)"),
              no_map + "a box with rows of 12 bytes; accepted are multiples of 16");
    EXPECT_EQ(reason("tensor(random(64, 64), 8, 64, swizzle128)"),
              no_map + "a box with rows of 256 bytes for a swizzle of 128");
    EXPECT_EQ(reason("tensor(random(64, 64), 8, 4, swizzle96)"),
              no_map + "a swizzle of 96 bytes; accepted are 0, 32, 64 and 128");
}

}  // namespace
}  // namespace convscope::app
