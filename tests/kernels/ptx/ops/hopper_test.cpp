// Compute capability 9.0's additions: mbarriers, bulk copies, clusters of blocks, products of warpgroups.
#include <gtest/gtest.h>

#include "kernels/core/error.h"
#include "kernels/ptx/run/half.h"
#include "tests/kernels/ptx/sample.h"

namespace convscope::ptx::testing {
namespace {

void expect_nothing_found(const Sample& kernel, const LaunchResult& result) {
    EXPECT_EQ(result.failure, "");
    for (const std::string& line : kernel.lines(result)) ADD_FAILURE() << line;
}

TEST(PtxHopper, blocks_of_a_cluster_count_in_one_anothers_shared_memory) {
    Sample kernel = sample("clusters", "histogram");
    kernel.request.shared_bytes = 128;
    std::vector<int> x(1000), bins(64), expected(64);
    for (int i = 0; i < 1000; ++i) ++expected[(x[i] = i * i % 97) % 64];
    expect_nothing_found(kernel, kernel({4}, {64}, x, bins, 1000));
    EXPECT_EQ(bins, expected);
    EXPECT_THROW(kernel({3}, {64}, x, bins, 1000), Error);
}

TEST(PtxHopper, a_bulk_copy_goes_to_all_blocks_that_its_mask_names) {
    Sample kernel = sample("clusters", "multicast");
    kernel.unwritten = {"array1"};
    auto x = random_floats(64);
    std::vector<float> y(256);
    expect_nothing_found(kernel, kernel({4}, {32}, x, y));
    for (std::size_t i = 0; i < y.size(); ++i) EXPECT_EQ(y[i], x[i % 64]);
}

TEST(PtxHopper, factors_of_a_product_lie_in_every_layout) {
    std::vector<std::uint16_t> a(64 * 16), b(64 * 16);
    for (std::size_t i = 0; i < a.size(); ++i) {
        a[i] = f16_of_float(static_cast<float>(i * 5 % 23) - 11);
        b[i] = f16_of_float(static_cast<float>(i * 7 % 19) / 4);
    }
    for (const char* layout :
         {"0ELb0ELb0", "0ELb0ELb1", "0ELb1ELb0", "0ELb1ELb1", "1ELb0ELb0", "1ELb0ELb1", "1ELb1ELb0", "1ELb1ELb1",
          "2ELb0ELb0", "2ELb0ELb1", "2ELb1ELb0", "2ELb1ELb1", "3ELb0ELb0", "3ELb0ELb1", "3ELb1ELb0", "3ELb1ELb1"}) {
        Sample kernel = sample("wgmma_layouts", std::string("_Z7layoutsILi") + layout + "EEvPK6__halfS2_Pf");
        kernel.unwritten = {"array2"};
        std::vector<float> y(64 * 64);
        expect_nothing_found(kernel, kernel({1}, {128}, a, b, y));
        for (int row = 0; row < 64; ++row)
            for (int column = 0; column < 64; ++column) {
                float sum = 0;
                for (int k = 0; k < 16; ++k) sum += float_of_f16(a[row * 16 + k]) * float_of_f16(b[column * 16 + k]);
                ASSERT_EQ(y[row * 64 + column], sum) << layout << " at " << row << ", " << column;
            }
    }
}

/// A 64 x 8 product whose first factor is in registers: of each lane a register of A's, four times.
float product_with_registers(const std::string& types, const std::string& more, std::uint32_t left, std::uint32_t right,
                             const std::string& sums = "{%f1, %f2, %f3, %f4}") {
    Sample kernel = sample_of_body(
        ".param .u64 out", R"(
.shared .align 128 .b8 box[256];
ld.param.u64 %rd1, [out]; mov.u32 %r1, %tid.x; mov.u32 %r2, box; and.b32 %r3, %r1, 63; shl.b32 %r3, %r3, 2;
add.u32 %r3, %r3, %r2; mov.u32 %r4, )" +
                               std::to_string(right) +
                               R"(; setp.lt.u32 %p2, %r1, 64; @%p2 st.shared.u32 [%r3], %r4;
fence.proxy.async.shared::cta; bar.sync 0;
shr.u32 %r2, %r2, 4; and.b32 %r2, %r2, 0x3fff; cvt.u64.u32 %rd2, %r2; or.b64 %rd2, %rd2, 68720001024;
mov.u32 %r5, )" + std::to_string(left) +
                               R"(; mov.f32 %f1, 0f00000000; mov.f32 %f2, %f1; mov.f32 %f3, %f1; mov.f32 %f4, %f1;
mov.u32 %r10, 0; mov.u32 %r11, 0; mov.u32 %r12, 0; mov.u32 %r13, 0;
wgmma.fence.sync.aligned;
wgmma.mma_async.sync.aligned.m64n8)" +
                               types + " " + sums + ", {%r5, %r5, %r5, %r5}, %rd2, 1" + more +
                               R"(;
wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;
mov.b32 %r20, %f1; or.b32 %r20, %r20, %r10; setp.eq.u32 %p1, %r1, 77; @%p1 st.global.u32 [%rd1], %r20;)");
    std::vector<std::uint32_t> out(1);
    expect_nothing_found(kernel, kernel({1}, {128}, out));
    return std::bit_cast<float>(out[0]);
}

TEST(PtxHopper, products_are_of_every_type) {
    const std::uint32_t half = 0x3e003e00, brain = 0x3fc03fc0, one = 0x3f800000;  // 1.5, 1.5, 1
    EXPECT_EQ(product_with_registers("k16.f32.f16.f16", ", 1, 1, 0", half, half), 36);
    EXPECT_EQ(product_with_registers("k16.f32.f16.f16", ", -1, 1, 0", half, half), -36);
    EXPECT_EQ(product_with_registers("k16.f32.bf16.bf16", ", 1, 1, 0", brain, brain), 36);
    EXPECT_EQ(product_with_registers("k8.f32.tf32.tf32", ", 1, 1", one, one), 8);
    const std::string whole = "{%r10, %r11, %r12, %r13}";
    EXPECT_EQ(std::bit_cast<int>(product_with_registers("k32.s32.s8.s8", "", 0xfefefefe, 0x03030303, whole)), -192);
    EXPECT_EQ(std::bit_cast<int>(product_with_registers("k32.s32.u8.s8", "", 0xfefefefe, 0x03030303, whole)), 24384);
    EXPECT_EQ(std::bit_cast<int>(product_with_registers("k16.f16.f16.f16", ", 1, 1, 0", half, half, "{%r10, %r11}")),
              0x50805080);
}

TEST(PtxHopper, a_lane_is_elected_and_matrices_are_stored) {
    Sample kernel = sample_of_body(".param .u64 out", R"(
.shared .align 16 .b8 box[128];
ld.param.u64 %rd1, [out]; mov.u32 %r1, %tid.x; mov.u32 %r2, box; and.b32 %r3, %r1, 7; shl.b32 %r3, %r3, 4;
add.u32 %r3, %r3, %r2; elect.sync %r4|%p1, 0xffffffff; selp.u32 %r5, 1000, 0, %p1; add.u32 %r5, %r5, %r1;
stmatrix.sync.aligned.m8n8.x1.shared.b16 [%r3], {%r5}; bar.warp.sync 0xffffffff;
shl.b32 %r6, %r1, 2; add.u32 %r6, %r6, %r2; ld.shared.u32 %r7, [%r6];
mad.wide.u32 %rd2, %r1, 4, %rd1; st.global.u32 [%rd2], %r7; setmaxnreg.inc.sync.aligned.u32 64; griddepcontrol.wait;)");
    std::vector<std::uint32_t> out(32);
    expect_nothing_found(kernel, kernel({1}, {32}, out));
    for (std::uint32_t i = 0; i < 32; ++i) EXPECT_EQ(out[i], i == 0 ? 1000 : i);
}

TEST(PtxHopper, a_store_tells_the_other_block_of_its_bytes) {
    Sample kernel(R"(.version 8.0
.target sm_90a
.address_size 64
.visible .entry k(.param .u64 out)
.explicitcluster
.reqnctapercluster 2, 1, 1
{ .reg .pred %p<4>; .reg .b32 %r<20>; .reg .b64 %rd<9>;
.shared .align 8 .b8 bar[8]; .shared .align 16 .b8 box[16];
ld.param.u64 %rd1, [out]; mov.u32 %r1, %cluster_ctarank; xor.b32 %r2, %r1, 1; mov.u32 %r3, bar; mov.u32 %r4, box;
mbarrier.init.shared::cta.b64 [%r3], 1; fence.mbarrier_init.release.cluster;
mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r3], 8;
barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;
mapa.shared::cluster.u32 %r5, %r3, %r2; mapa.shared::cluster.u32 %r6, %r4, %r2; add.u32 %r7, %r1, 40;
st.async.shared::cluster.mbarrier::complete_tx::bytes.v2.b32 [%r6+8], {%r7, %r1}, [%r5];
again: mbarrier.try_wait.parity.shared::cta.b64 %p1, [%r3], 0; @!%p1 bra again;
ld.shared.u32 %r8, [%r4+8]; mul.wide.u32 %rd2, %r1, 4; add.u64 %rd2, %rd1, %rd2; st.global.u32 [%rd2], %r8;
barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned; ret; }
)",
                  "k", "cluster.ptx");
    kernel.request.trace = WarpTraceRequest{.block = {1, 0, 0}, .warp = 0};
    std::vector<std::uint32_t> out(2);
    const LaunchResult result = kernel({2}, {1}, out);
    expect_nothing_found(kernel, result);
    EXPECT_EQ(out, (std::vector<std::uint32_t>{41, 40}));
    std::size_t stored = 0;
    for (const TraceStep& step : result.trace.steps)
        if (WarpTrace::text(kernel.program, step).starts_with("st.async")) {
            ++stored;
            EXPECT_EQ(result.trace.element(step, 0), "box[2]");
        }
    EXPECT_EQ(stored, 1U);
}

TEST(PtxHopper, what_it_has_not_is_named) {
    const auto refused = [](const std::string& body) {
        try {
            sample_of_body("", body);
        } catch (const Error& error) {
            return std::string(error.what());
        }
        return std::string("nothing");
    };
    EXPECT_EQ(
        refused("cp.async.bulk.tensor.3d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes [%r1], [%rd1, "
                "{%r2, %r3, %r4}], [%r5], {%h1};"),
        "body.ptx:6: the instruction 'cp.async.bulk.tensor.3d.shared::cluster.global.im2col.mbarrier::complete_tx::"
        "bytes' is not supported");
    EXPECT_EQ(
        refused("wgmma.mma_async.sp.sync.aligned.m64n8k32.f32.f16.f16 {%f1, %f2, %f3, %f4}, %rd1, %rd2, %r1, 0, 1, "
                "1, 1, 0, 0;"),
        "body.ptx:6: the instruction 'wgmma.mma_async.sp.sync.aligned.m64n8k32.f32.f16.f16' is not supported");
}

}  // namespace
}  // namespace convscope::ptx::testing
