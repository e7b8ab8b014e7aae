// Values that nobody has written are told where they matter, and nowhere else.
#include <gtest/gtest.h>

#include "tests/kernels/ptx/sample.h"

namespace convscope::ptx::testing {
namespace {

/// The findings where 32 threads run the body: %r1 is the thread, %r9 the address of its 16 bytes of shared memory, of
/// which the first 16 threads have written the first word; %rd1 that of its 16 bytes of 'out', which nobody has
/// written.
std::vector<std::string> found(const std::string& body) {
    Sample kernel = sample_of_body(".param .u64 out", R"(
.shared .align 16 .b8 box[512];
ld.param.u64 %rd1, [out]; mov.u32 %r1, %tid.x; mad.wide.u32 %rd1, %r1, 16, %rd1;
mov.u32 %r9, box; mad.lo.u32 %r9, %r1, 16, %r9;
setp.lt.u32 %p1, %r1, 16; @%p1 st.shared.u32 [%r9], %r1;
)" + body);
    kernel.names = {"out"};
    kernel.unwritten = {"out"};
    std::vector<std::uint32_t> out(128);
    return kernel.lines(kernel({1}, {32}, out));
}

std::string only(const std::vector<std::string>& lines) {
    if (lines.empty()) return "nothing";
    return lines.size() == 1 ? lines[0] : ::testing::PrintToString(lines);
}

TEST(PtxUndefined, a_load_before_its_guard_is_no_mistake) {
    const std::vector<std::string> nothing;
    const std::string load = "ld.shared.u32 %r2, [%r9]; ";
    EXPECT_EQ(found(load + "add.u32 %r3, %r2, 1; selp.u32 %r4, %r3, 0, %p1; st.global.u32 [%rd1], %r4;"), nothing);
    EXPECT_EQ(found(load + "setp.gt.u32 %p2, %r2, 3; and.pred %p3, %p1, %p2; @%p3 st.global.u32 [%rd1], %r1;"),
              nothing);
    EXPECT_EQ(found(load + "setp.gt.and.u32 %p2, %r2, 3, %p1; @%p2 st.global.u32 [%rd1], %r1;"), nothing);
    EXPECT_EQ(found(load + "not.pred %p2, %p1; setp.gt.u32 %p3, %r2, 3; or.pred %p4, %p3, %p2; "
                           "@%p4 st.global.u32 [%rd1], %r1;"),
              nothing);
    EXPECT_EQ(found(load + "@!%p1 bra done; st.global.u32 [%rd1], %r2; done:"), nothing);
    EXPECT_EQ(found(load + "mov.u32 %r2, 0; st.global.u32 [%rd1], %r2;"), nothing) << "it is dropped";
    EXPECT_EQ(found(load + "shfl.sync.idx.b32 %r3, %r2, 5, 31, 0xffffffff; st.global.u32 [%rd1], %r3;"), nothing)
        << "all take what lane 5 has written";
}

TEST(PtxUndefined, what_matters_is_told_once_for_each_thread) {
    const std::string start =
        "uninitialised body.ptx:11 block (0,0,0) thread (16,0,0) box[64]: reads what nobody has written";
    const auto told = [&](const std::string& use) { return only(found("ld.shared.u32 %r2, [%r9];\n" + use)); };
    const std::string at_12 = start + "; block (0,0,0) thread (16,0,0) uses it at body.ptx:12 (16 times)";
    EXPECT_EQ(told("st.global.u32 [%rd1], %r2;"), at_12);
    EXPECT_EQ(
        told("add.u32 %r3, %r2, 1; add.u32 %r4, %r3, %r2; st.global.u32 [%rd1], %r4; st.global.u32 [%rd1+4], %r3;"),
        at_12);
    EXPECT_EQ(told("setp.gt.u32 %p2, %r2, 3; @%p2 bra done; done:"), at_12);
    EXPECT_EQ(told("and.b32 %r3, %r2, 65535; setp.gt.u32 %p2, %r3, 3; @%p2 bra done; done:"), at_12);
    EXPECT_EQ(told("add.u32 %r3, %r2, 1; st.shared.u32 [%r9+4], %r3;"), at_12) << "it was computed with";
    EXPECT_EQ(told("shfl.sync.idx.b32 %r3, %r1, %r2, 31, 0xffffffff;"), at_12) << "a lane's number";
    EXPECT_EQ(
        told("and.b32 %r3, %r2, 1; mul.wide.u32 %rd2, %r3, 4; add.u64 %rd2, %rd1, %rd2; st.global.u32 [%rd2], %r1;"),
        at_12)
        << "as an address";
    EXPECT_EQ(found("ld.shared.u32 %r2, [%r9]; atom.global.add.u32 %r3, [%rd1], %r2;").size(), 2u)
        << "what is added, and what it is added to";
    EXPECT_EQ(only(found("ld.shared.u32 %r2, [%r9]; selp.u32 %r3, %r2, 0, %p1; selp.u32 %r4, 0, %r2, %p1; "
                         "st.global.v2.u32 [%rd1], {%r3, %r4};")),
              "nothing")
        << "a copy of which a part is written";
}

TEST(PtxUndefined, structures_have_padding) {
    const std::vector<std::string> nothing;
    // {char; int; double}: the byte, the int and the double are written; into shared memory, out of it and back.
    const std::string write =
        "mov.u64 %rd5, 5; st.shared.u8 [%r9], %r1; st.shared.u32 [%r9+4], %r1; "
        "st.shared.u64 [%r9+8], %rd5; ";
    const std::string copies[] = {
        "ld.shared.v4.u32 {%r2, %r3, %r4, %r5}, [%r9]; st.global.v4.u32 [%rd1], {%r2, %r3, %r4, %r5}; ",
        "ld.shared.v2.u64 {%rd2, %rd3}, [%r9]; st.global.v2.u64 [%rd1], {%rd2, %rd3}; ",
        "ld.shared.u64 %rd2, [%r9]; mov.b64 {%r2, %r3}, %rd2; mov.b64 %rd3, {%r2, %r3}; st.global.u64 [%rd1], %rd3; "};
    for (const std::string& copy : copies) EXPECT_EQ(found("@!%p1 mov.u32 %r8, 0;" + write + copy), nothing) << copy;
    EXPECT_EQ(found(write + copies[0] +
                    "ld.global.u64 %rd2, [%rd1]; st.shared.u64 [%r9], %rd2; "
                    "ld.shared.u8 %r2, [%r9]; st.global.u32 [%rd1], %r2;"),
              nothing);
    EXPECT_EQ(
        found(write +
              "ld.shared.u32 %r2, [%r9]; and.b32 %r3, %r2, 255; add.u32 %r3, %r3, 1; "
              "bfe.u32 %r4, %r2, 0, 8; prmt.b32 %r5, %r2, %r1, 0x7650; cvt.u32.u8 %r6, %r2; shl.b32 %r7, %r2, 24; "
              "add.u32 %r3, %r3, %r4; add.u32 %r3, %r3, %r6; add.u32 %r3, %r3, %r7; add.u32 %r3, %r3, %r5; "
              "st.global.u32 [%rd1], %r3;"),
        nothing)
        << "the byte alone is looked at";
    EXPECT_EQ(
        found(write + "ld.shared.u32 %r2, [%r9]; shr.u32 %r3, %r2, 8; add.u32 %r3, %r3, 1; st.global.u32 [%rd1], %r3;")
            .size(),
        1u)
        << "the padding of the threads that wrote no word is";
}

TEST(PtxUndefined, an_exchange_does_not_look_at_what_was_there) {
    EXPECT_EQ(only(found("atom.global.exch.b32 %r2, [%rd1], %r1; ld.global.u32 %r3, [%rd1]; add.u32 %r3, %r3, 1; "
                         "st.global.u32 [%rd1+4], %r3;")),
              "nothing");
    const std::string line =
        only(found("atom.global.exch.b32 %r2, [%rd1], %r1; add.u32 %r3, %r2, 1; st.global.u32 [%rd1+4], %r3;"));
    EXPECT_NE(line.find("out[0]: updates what nobody has written (32 times)"), std::string::npos) << line;
}

}  // namespace
}  // namespace convscope::ptx::testing
