#include "kernels/core/device_model.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string_view>

#include "tests/kernels/files/temp_folder.h"
#include "tests/support/device_models.h"

namespace convscope {
namespace {

using testing::model_of;

KernelLaunch launch(Dim3 block, std::size_t shared_bytes = 0, int registers = 0, Dim3 grid = {}) {
    KernelLaunch kernel;
    kernel.block = block;
    kernel.grid = grid;
    kernel.shared_bytes = shared_bytes;
    kernel.registers = registers;
    return kernel;
}

TEST(DeviceModels, are_these_in_order) {
    std::vector<std::string> names;
    for (const DeviceModel& m : device_models()) names.push_back(m.name);
    EXPECT_EQ(names, (std::vector<std::string>{"GTX 1080", "GTX 1080 Ti", "P100", "T4", "RTX 2080 Ti", "A100", "H100",
                                               "H200", "L4", "L40S", "RTX 4090", "RTX 5090", "B200"}));
    EXPECT_EQ(default_device_model().name, "H100") << "what the simulated GPU's numbers and the lessons rest on";
}

TEST(DeviceModels, are_found_by_the_devices_name_in_whole_words) {
    for (const auto& [device, name] : {std::pair{"NVIDIA H100 80GB HBM3", "H100"},
                                       {"NVIDIA H200", "H200"},
                                       {"NVIDIA L4", "L4"},
                                       {"NVIDIA L40S", "L40S"},
                                       {"Tesla T4", "T4"},
                                       {"NVIDIA A100-SXM4-80GB", "A100"},
                                       {"NVIDIA GeForce GTX 1080 Ti", "GTX 1080 Ti"},
                                       {"NVIDIA GeForce RTX 4090", "RTX 4090"},
                                       {"NVIDIA B200", "B200"}}) {
        const DeviceModel* found = find_device_model(device);
        ASSERT_NE(found, nullptr) << device;
        EXPECT_EQ(found->name, name) << device;
    }
    for (const char* device :
         {"NVIDIA GH200 480GB", "NVIDIA L40", "NVIDIA H100 PCIe", "NVIDIA H100 NVL",
          "NVIDIA GeForce RTX 4090 Laptop GPU", "NVIDIA GeForce RTX 4090 D", "Tesla P100-PCIE-16GB",
          "NVIDIA H100 80GB HBM3 MIG 1g.10gb", "NVIDIA A100-SXM4-40GB", "simulated GPU", ""})
        EXPECT_EQ(find_device_model(device), nullptr) << device;
}

TEST(DeviceModels, have_the_limits_of_their_compute_capability) {
    struct Row {
        const char* name;
        int major, minor, threads_per_sm, blocks_per_sm;
        std::int64_t shared_per_sm, shared_optin;
    };
    for (const Row& row : {Row{"GTX 1080", 6, 1, 2048, 32, 98304, 49152},
                           {"P100", 6, 0, 2048, 32, 65536, 49152},
                           {"T4", 7, 5, 1024, 16, 65536, 65536},
                           {"A100", 8, 0, 2048, 32, 167936, 166912},
                           {"H100", 9, 0, 2048, 32, 233472, 232448},
                           {"H200", 9, 0, 2048, 32, 233472, 232448},
                           {"L4", 8, 9, 1536, 24, 102400, 101376},
                           {"L40S", 8, 9, 1536, 24, 102400, 101376},
                           {"RTX 4090", 8, 9, 1536, 24, 102400, 101376},
                           {"RTX 5090", 12, 0, 1536, 24, 102400, 101376},
                           {"B200", 10, 0, 2048, 32, 233472, 232448}}) {
        const DeviceModel& m = model_of(row.name);
        EXPECT_EQ(m.cc_major, row.major) << row.name;
        EXPECT_EQ(m.cc_minor, row.minor) << row.name;
        EXPECT_EQ(m.max_threads_per_sm, row.threads_per_sm) << row.name;
        EXPECT_EQ(m.max_blocks_per_sm, row.blocks_per_sm) << row.name;
        EXPECT_EQ(m.shared_per_sm, row.shared_per_sm) << row.name;
        EXPECT_EQ(m.shared_per_block_optin, row.shared_optin) << row.name;
    }
}

TEST(DeviceModels, t4_has_its_datasheets_rates) {  // and not those of Grisett, section 3
    EXPECT_EQ(model_of("T4").fp32_tflops, 8.1);
    EXPECT_EQ(model_of("T4").memory_gb_per_s, 320);
}

TEST(DeviceModels, have_the_tensor_cores_dense_rates) {  // not those 'with sparsity', which are twice as high
    EXPECT_EQ(model_of("H200").fp16_tflops, 989.4);
    EXPECT_EQ(model_of("H200").tf32_tflops, 494.7);
    EXPECT_EQ(model_of("P100").fp16_tflops, 0);
    EXPECT_EQ(model_of("T4").tf32_tflops, 0);
    EXPECT_EQ(model_of("T4").fp16_tflops, 65);
    EXPECT_EQ(model_of("RTX 4090").fp16_tflops, 165.2) << "sums in FP32";
}

TEST(DeviceModels, have_the_cores_of_their_sm) {
    EXPECT_EQ(fp32_lanes_per_sm(6, 0), 64);
    EXPECT_EQ(fp32_lanes_per_sm(6, 1), 128);
    EXPECT_EQ(fp32_lanes_per_sm(7, 0), 64);
    EXPECT_EQ(fp32_lanes_per_sm(7, 5), 64);
    EXPECT_EQ(fp32_lanes_per_sm(8, 0), 64);
    EXPECT_EQ(fp32_lanes_per_sm(8, 9), 128);
    EXPECT_EQ(fp32_lanes_per_sm(9, 0), 128);
    EXPECT_EQ(fp32_lanes_per_sm(10, 0), 128);
    // The datasheet's peak is 2 FLOP of every core in each cycle of the boost clock; no base clock is above that.
    for (const DeviceModel& m : device_models())
        EXPECT_LT(2e-6 * m.sms * m.fp32_lanes * m.clock_mhz, 1.01 * m.fp32_tflops) << m.name;
    EXPECT_NEAR(2e-6 * 132 * 128 * model_of("H100").clock_mhz, 66.9, 0.05);
}

struct Case {
    const char* device;
    Dim3 block;
    std::size_t shared_bytes;
    int registers;
    int blocks, warps;
    double percent;
    const char* limiter;
};

class OccupancyByHand : public ::testing::TestWithParam<Case> {};

TEST_P(OccupancyByHand, agrees) {
    const Case& c = GetParam();
    const Occupancy result = occupancy(model_of(c.device), launch(c.block, c.shared_bytes, c.registers));
    EXPECT_EQ(result.blocks_per_sm, c.blocks);
    EXPECT_EQ(result.active_warps, c.warps);
    EXPECT_DOUBLE_EQ(result.percent, c.percent);
    EXPECT_EQ(result.limiter, c.limiter);
}

INSTANTIATE_TEST_SUITE_P(
    Known, OccupancyByHand,
    ::testing::Values(
        // Grisett, section 3, says four 512-thread blocks; Turing holds 1024 threads per SM, so two.
        Case{"T4", {512, 1, 1}, 0, 0, 2, 32, 100, "threads"}, Case{"T4", {32, 32, 1}, 0, 64, 1, 32, 100, "threads"},
        // One warp per block: 16 blocks on Turing, 32 elsewhere, of 32 and 64 warps.
        Case{"T4", {3, 1, 1}, 0, 0, 16, 16, 50, "blocks per SM"},
        Case{"H100", {3, 1, 1}, 0, 0, 32, 32, 50, "blocks per SM"},
        Case{"GTX 1080", {64, 1, 1}, 0, 0, 32, 64, 100, "threads"},
        // 33 threads take two warps, so 32 blocks fill the SM's 64.
        Case{"GTX 1080", {33, 1, 1}, 0, 0, 32, 64, 100, "threads"},
        // 40 registers * 32 = 1280 per warp: 16384 / 1280 = 12 warps per scheduler, 48 in all, 6 blocks of 8.
        Case{"A100", {256, 1, 1}, 0, 40, 6, 48, 75, "registers"},
        // 33 * 32 = 1056, rounded up to 1280: the same.
        Case{"A100", {256, 1, 1}, 0, 33, 6, 48, 75, "registers"},
        Case{"A100", {256, 1, 1}, 0, 32, 8, 64, 100, "threads"},
        // 255 * 32 = 8160, rounded up to 8192: 2 warps per scheduler, 8 in all.
        Case{"H100", {128, 1, 1}, 0, 255, 2, 8, 12.5, "registers"},
        // P100 has two schedulers: 32768 / (72 * 32 = 2304) = 14 warps each, 28 in all, 7 blocks of 4.
        Case{"P100", {128, 1, 1}, 0, 72, 7, 28, 43.75, "registers"},
        // GTX 1080 has four: 16384 / 2304 = 7 warps each, 28 in all.
        Case{"GTX 1080", {128, 1, 1}, 0, 72, 7, 28, 43.75, "registers"},
        // Where the number of schedulers matters: 104 * 32 = 3328; 32768 / 3328 = 9 warps twice, 16384 / 3328 = 4
        // warps four times.
        Case{"P100", {64, 1, 1}, 0, 104, 9, 18, 28.125, "registers"},
        Case{"GTX 1080", {64, 1, 1}, 0, 104, 8, 16, 25, "registers"},
        // 48 KiB each: one of 64 KiB, two of 96 KiB; from 8.0 on 1 KiB more per block: 164 / 49 = 3, 228 / 49 = 4.
        Case{"P100", {128, 1, 1}, 49152, 0, 1, 4, 6.25, "shared memory"},
        Case{"GTX 1080", {128, 1, 1}, 49152, 0, 2, 8, 12.5, "shared memory"},
        Case{"A100", {128, 1, 1}, 49152, 0, 3, 12, 18.75, "shared memory"},
        Case{"H100", {128, 1, 1}, 49152, 0, 4, 16, 25, "shared memory"},
        // 4097 bytes take 4352 on Turing (units of 256): 65536 / 4352 = 15, where 4096 would let 16 in.
        Case{"T4", {64, 1, 1}, 4097, 0, 15, 30, 93.75, "shared memory"},
        Case{"T4", {64, 1, 1}, 4096, 0, 16, 32, 100, "threads"},
        // The most that one block of an H100 can have.
        Case{"H100", {1024, 1, 1}, 232448, 0, 1, 32, 50, "shared memory"}));

TEST(Occupancy, says_what_limits) {
    EXPECT_EQ(occupancy(model_of("H100"), launch({128, 1, 1}, 100'000)).sentence,
              "Shared memory limits this block to 2 per SM");
    EXPECT_EQ(occupancy(model_of("T4"), launch({512, 1, 1})).sentence, "Threads limit this block to 2 per SM");
    EXPECT_EQ(occupancy(model_of("T4"), launch({256, 1, 1}, 0, 128)).sentence,
              "Registers limit this block to 2 per SM");
    EXPECT_EQ(occupancy(model_of("T4"), launch({3, 1, 1})).sentence, "An SM holds at most 16 blocks of any size");
}

TEST(Occupancy, is_zero_for_a_block_that_does_not_fit) {
    const Occupancy result = occupancy(model_of("T4"), launch({2048, 1, 1}));
    EXPECT_EQ(result.blocks_per_sm, 0);
    EXPECT_EQ(result.percent, 0);
    EXPECT_EQ(result.sentence, "No block fits: block x is 2048; T4 allows at most 1024");
}

TEST(Fits, accepts_what_is_just_allowed) {
    const DeviceModel& t4 = model_of("T4");
    EXPECT_TRUE(fits(t4, launch({1024, 1, 1}, 65536, 64, {2147483647, 65535, 65535})));
    EXPECT_TRUE(fits(t4, launch({1, 1024, 1})));
    EXPECT_TRUE(fits(t4, launch({16, 1, 64})));
    EXPECT_TRUE(fits(t4, launch({256, 1, 1}, 0, 255)));
}

struct Rejection {
    KernelLaunch launch;
    const char* reason;
};

class FitsRejects : public ::testing::TestWithParam<Rejection> {};

TEST_P(FitsRejects, names_the_number_and_the_limit) {
    const Support support = fits(model_of("T4"), GetParam().launch);
    EXPECT_FALSE(support.ok);
    EXPECT_EQ(support.reason, GetParam().reason);
}

INSTANTIATE_TEST_SUITE_P(
    EachLimit, FitsRejects,
    ::testing::Values(
        Rejection{launch({0, 1, 1}), "block x is 0; it must be at least 1"},
        Rejection{launch({1, -3, 1}), "block y is -3; it must be at least 1"},
        Rejection{launch({1025, 1, 1}), "block x is 1025; T4 allows at most 1024"},
        Rejection{launch({1, 1025, 1}), "block y is 1025; T4 allows at most 1024"},
        Rejection{launch({1, 1, 65}), "block z is 65; T4 allows at most 64"},
        Rejection{launch({4'000'000'000'000'000'000, 4, 4}), "block x is 4000000000000000000; T4 allows at most 1024"},
        Rejection{launch({32, 33, 1}), "a block of 32x33x1 has 1056 threads; T4 allows at most 1024"},
        Rejection{launch({1, 1, 1}, 0, 0, {0, 1, 1}), "grid x is 0; it must be at least 1"},
        Rejection{launch({1, 1, 1}, 0, 0, {2147483648, 1, 1}), "grid x is 2147483648; T4 allows at most 2147483647"},
        Rejection{launch({1, 1, 1}, 0, 0, {1, 65536, 1}), "grid y is 65536; T4 allows at most 65535"},
        Rejection{launch({1, 1, 1}, 0, 0, {1, 1, 65536}), "grid z is 65536; T4 allows at most 65535"},
        Rejection{launch({32, 1, 1}, 65537), "a block needs 65537 bytes of shared memory; T4 has at most 65536"},
        Rejection{launch({32, 1, 1}, 0, 256), "the kernel needs 256 registers per thread; T4 has at most 255"},
        // 72 * 32 = 2304 per warp, 32 warps.
        Rejection{launch({1024, 1, 1}, 0, 65),
                  "a block of 1024 threads with 65 registers each needs 73728 registers; T4 has at most 65536 per "
                  "block"}));

}  // namespace
}  // namespace convscope
