#include "app/user_kernel/user_kernel.h"

#include <gtest/gtest.h>

namespace convscope::app {
namespace {

std::string shown_of(const std::string& source) {
    KernelCall call;
    call.file = "f.cu";
    call.entry = "f";
    std::vector<EntryName> entries;
    read_kernel(
        ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry _Z1fi(.param .u32 n) {\nret;\n}\n"
        ".visible .entry _ZN3cub11EmptyKernelIvEEvv() {\nret;\n}\n",
        call, source, &entries);
    std::string shown;
    for (const EntryName& each : entries) shown += each.shown + ' ';
    return shown;
}

TEST(KernelsOfAFile, leave_out_what_only_a_librarys_header_brings_along) {
    EXPECT_EQ(shown_of("#include <thrust/device_vector.h>\n__global__ void f(int n) {}\n"), "f ");
    EXPECT_EQ(shown_of("namespace cub { template <class> __global__ void EmptyKernel() {} }\n"
                       "__global__ void f(int n) {}\n"),
              "f EmptyKernel<void> ");
    EXPECT_EQ(shown_of("#include \"mine.h\"\n__global__ void f(int n) {}\n"), "f EmptyKernel<void> ")
        << "it may be of a header of the folder";
}

}  // namespace
}  // namespace convscope::app
