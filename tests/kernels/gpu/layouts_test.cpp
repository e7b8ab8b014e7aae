// The layouts that the GPU's kernels build in its memory, against the host's.
#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "tests/kernels/gpu/gpu_fixture.h"
#include "tests/support/layer_images.h"
#include "tests/support/paper_examples.h"
#include "tests/support/random_shapes.h"

namespace convscope {
namespace {

using testing::Words;

class GpuLayout : public testing::GpuTest, public ::testing::WithParamInterface<Format> {
protected:
    std::vector<Words> on_gpu(LayoutBuilder& builder, const Workload& workload) {
        Gpu& gpu = *device().gpu();
        std::vector<Words> memory = testing::layout_memory(GetParam(), workload.spec.shape);
        std::vector<void*> out;
        for (const Words& words : memory) out.push_back(gpu.allocate(words.size() * sizeof(std::uint32_t)));
        build(builder, workload, out);
        for (std::size_t i = 0; i < out.size(); ++i) {
            gpu.download(memory[i].data(), out[i], memory[i].size() * sizeof(std::uint32_t));
            gpu.release(out[i]);
        }
        return memory;
    }

    void compare(LayoutBuilder& builder, const Workload& workload) {
        testing::compare_layout(GetParam(), workload, on_gpu(builder, workload));
    }

private:
    void build(LayoutBuilder& builder, const Workload& workload, const std::vector<void*>& out) {
        builder.build(GetParam(), workload.spec.shape, workload.x.data.data(), workload.w.data.data(), out);
    }
};

TEST_P(GpuLayout, equals_the_hosts) {
    const std::unique_ptr<LayoutBuilder> builder = device().make_layout_builder();
    ASSERT_NE(builder, nullptr);
    EXPECT_TRUE(builder->on_gpu());
    for (const char* name : {"ecr_figure_4", "pecr_figures_7_8", "mec_figures_1_2"}) {
        const Workload workload = testing::example_workload(name);
        if (GetParam() == Format::pecr && !workload.spec.shape.pooled()) continue;
        compare(*builder, workload);
    }
    const std::vector<ConvShape> shapes = testing::random_shapes(900);
    int checked = 0;
    for (std::size_t i = 0; i < shapes.size() && !HasFatalFailure(); ++i) {
        const ConvShape& shape = shapes[i];
        if (shape.n != 1 || shape.c != 1 || shape.k != 1) continue;
        if (GetParam() == Format::pecr && !shape.pooled()) continue;
        compare(*builder, testing::random_workload(shape, testing::sparsity_of(i), i));
        ++checked;
    }
    EXPECT_GE(checked, 100);
    std::printf("%s: the worked examples and %d random shapes\n", to_string(GetParam()), checked);
}

INSTANTIATE_TEST_SUITE_P(Formats, GpuLayout, ::testing::Values(Format::im2col, Format::mec, Format::ecr, Format::pecr),
                         [](const auto& test) { return std::string(to_string(test.param)); });

}  // namespace
}  // namespace convscope
