#include "app/user_kernel/kernel_call.h"

#include <gtest/gtest.h>

#include "app/user_kernel/gpu_run.h"
#include "kernels/core/error.h"
#include "kernels/method/device.h"

namespace convscope::app {
namespace {

KernelCall with(std::vector<std::string> defines) {
    KernelCall call;
    call.defines = std::move(defines);
    return call;
}

std::vector<std::vector<std::string>> defines_of(const std::vector<KernelCall>& calls) {
    std::vector<std::vector<std::string>> all;
    for (const KernelCall& call : calls) all.push_back(call.defines);
    return all;
}

std::string rejection(std::vector<std::string> defines) {
    try {
        variants_of(with(std::move(defines)));
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::usage);
        return error.what();
    }
    return "accepted";
}

using Defines = std::vector<std::vector<std::string>>;

TEST(VariantsOfAKernel, are_all_combinations_of_values) {
    EXPECT_EQ(defines_of(variants_of(with({}))), (Defines{{}}));
    EXPECT_EQ(defines_of(variants_of(with({"TILE=8,16", "FAST", "R=1,2"}))), (Defines{{"TILE=8", "FAST", "R=1"},
                                                                                      {"TILE=8", "FAST", "R=2"},
                                                                                      {"TILE=16", "FAST", "R=1"},
                                                                                      {"TILE=16", "FAST", "R=2"}}));
    EXPECT_EQ(defines_of(variants_of(with({"F={1,2}", "MAX(a,b)=a"}))), (Defines{{"F={1,2}", "MAX(a,b)=a"}}))
        << "text of the program";
}

TEST(VariantsOfAKernel, reject_with_what_was_given) {
    EXPECT_NE(rejection({"2X=1"}).find("2X=1"), std::string::npos);
    EXPECT_NE(rejection({"TILE=8", "TILE=16"}).find("TILE is given twice"), std::string::npos);
    EXPECT_NE(rejection({"TILE=8,8"}).find("twice"), std::string::npos);
    EXPECT_NE(rejection({"TILE=8,big"}).find("'big' is not a whole number"), std::string::npos);
    const std::string many = "=1,2,3,4,5,6,7,8";
    EXPECT_NE(rejection({"A" + many, "B" + many, "C" + many}).find("256"), std::string::npos);
}

TEST(WholeDefines, are_read_as_c_reads_them) {
    const std::vector<std::pair<std::string, std::int64_t>> expected{{"A", 16}, {"B", 16}, {"C", -1}};
    EXPECT_EQ(whole_defines(with({"A=16", "B=0x10", "C=-1", "D=1.5", "E", "F(x)=1", "G= 1"})), expected);
}

TEST(ArchitectureOfAGpu, has_an_a_from_9_0_on) {
    DeviceInfo info;
    info.compute_capability = "8.6";
    info.model.cc_major = 8;
    EXPECT_EQ(architecture_of(info), "86");
    info.compute_capability = "9.0";
    info.model.cc_major = 9;
    EXPECT_EQ(architecture_of(info), "90a") << "wgmma is in 9.0a alone";
}

}  // namespace
}  // namespace convscope::app
