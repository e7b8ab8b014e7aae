// Elements of arrays in shared memory are those that the source declares, whatever the access.
#include <gtest/gtest.h>

#include "app/user_kernel/prepared_kernel.h"

namespace convscope::app {
namespace {

/// The finding for a thread that writes 8 bytes at byte 1024 of 's', the first byte behind it.
std::string found(const std::string& declared, unsigned align) {
    const std::string source = "// convscope: grid = 1, block = 1\n__global__ void k() {\n" + declared + "\n}\n";
    const std::string ptx =
        ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry _Z1kv()\n{\n.shared .align " +
        std::to_string(align) +
        " .b8 _ZZ1kvE1s[1024];\n.reg .b64 %rd<2>;\nmov.u64 %rd1, 0;\n"
        "st.shared.u64 [_ZZ1kvE1s+1024], %rd1;\nret;\n}\n";
    KernelCall call;
    call.file = "k.cu";
    const auto prepared = prepare_kernel(read_kernel(ptx, call, source), call);
    const ptx::LaunchResult result = ptx::run(prepared->kernel->program, prepared->request());
    if (result.findings.size() != 1) return {};
    return result.findings[0].element + ": " + result.findings[0].what;
}

TEST(SharedElements, are_as_the_source_declares_them) {
    EXPECT_EQ(found("__shared__ float s[256];", 16), "s[256]: writes; s has 256 elements");
    EXPECT_EQ(found("__shared__ float4 s[64];", 16), "s[64]: writes; s has 64 elements");
    EXPECT_EQ(found("__shared__ unsigned char s[32][32];", 16), "s[1024]: writes; s has 1024 elements");
}

TEST(SharedElements, of_a_type_that_is_not_known_are_as_small_as_the_access_or_the_alignment) {
    EXPECT_EQ(found("__shared__ Tile s[4];", 4), "s[256]: writes; s has 256 elements");
    EXPECT_EQ(found("", 16), "s[128]: writes; s has 128 elements");
}

}  // namespace
}  // namespace convscope::app
