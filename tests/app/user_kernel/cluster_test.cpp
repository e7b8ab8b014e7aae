// The size of a cluster, in the comment before a kernel.
#include <gtest/gtest.h>

#include <cstring>

#include "app/user_kernel/call_comment.h"
#include "app/user_kernel/gpu_run.h"
#include "tests/kernels/files/temp_folder.h"

namespace convscope::app {
namespace {

/// Each block writes its rank in its cluster.
std::string ptx_of(const std::string& directive) {
    return ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry _Z4rankPj(.param .u64 y)\n" + directive +
           "{\n.reg .b32 %r<4>;\n.reg .b64 %rd<4>;\nld.param.u64 %rd1, [y];\nmov.u32 %r1, %ctaid.x;\n"
           "mov.u32 %r2, %cluster_ctarank;\nmad.wide.u32 %rd2, %r1, 4, %rd1;\nst.global.u32 [%rd2], %r2;\nret;\n}\n";
}

class ClusterOfAComment : public ::testing::Test {
protected:
    std::unique_ptr<PreparedKernel> prepared(const std::string& cluster, const std::string& directive = "") {
        const std::string source = "// convscope: grid = 6, block = 1, y = out(6), cluster = " + cluster +
                                   "\n__global__ void rank(unsigned* y) {}\n";
        call_.file = "rank.cu";
        return prepare_kernel(read_kernel(ptx_of(directive), call_, source), call_);
    }
    static std::vector<unsigned> ranks(PreparedKernel& kernel) {
        const ptx::LaunchResult result = ptx::run(kernel.kernel->program, kernel.request());
        EXPECT_EQ(result.failure, "");
        EXPECT_TRUE(result.findings.empty());
        std::vector<unsigned> values(6);
        std::memcpy(values.data(), kernel.arguments.arrays.at("y").array.data.data(), 24);
        return values;
    }
    KernelCall call_;
};

TEST_F(ClusterOfAComment, is_what_the_simulated_GPU_launches) {
    const auto kernel = prepared("(3, 1, 1)");
    EXPECT_EQ(ranks(*kernel), (std::vector<unsigned>{0, 1, 2, 0, 1, 2}));
    EXPECT_NE(call_comment(kernel->arguments).find("cluster = (3, 1, 1)"), std::string::npos);
    EXPECT_EQ(ranks(*prepared("2")), (std::vector<unsigned>{0, 1, 0, 1, 0, 1}));
}

TEST_F(ClusterOfAComment, is_given_by_a_flag_too) {
    call_.given["cluster"] = "6";
    EXPECT_EQ(ranks(*prepared("2")), (std::vector<unsigned>{0, 1, 2, 3, 4, 5}));
}

TEST_F(ClusterOfAComment, is_rejected_where_no_GPU_launches_it) {
    const auto reason = [&](const std::string& cluster, const std::string& directive = "") {
        const auto kernel = prepared(cluster, directive);
        return error_of(ErrorKind::usage, [&] { ptx::run(kernel->kernel->program, kernel->request()); });
    };
    expect_contains(reason("4"), "its clusters are of 4x1x1");
    expect_contains(reason("17"), "it has 1 to 16");
    expect_contains(reason("3", ".reqnctapercluster 2, 1, 1\n"), "the kernel's __cluster_dims__ say 2x1x1");
    expect_contains(prepared("(1, 1, 1, 1)")->arguments.rejected()->reason, "the cluster has 4 sizes");
}

TEST_F(ClusterOfAComment, is_part_of_the_launch_where_the_kernel_does_not_name_it) {
    EXPECT_EQ(user_launch(*prepared("3"), call_).cluster, (Dim3{3, 1, 1}));
    EXPECT_FALSE(user_launch(*prepared("2", ".reqnctapercluster 2, 1, 1\n"), call_).cluster);
    EXPECT_FALSE(user_launch(*prepared("1"), call_).cluster);
}

}  // namespace
}  // namespace convscope::app
