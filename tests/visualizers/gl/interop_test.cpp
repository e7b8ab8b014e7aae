// The CUDA-GL seam with a stand-in for CUDA that maps the buffers into host memory: mapped round each write, unmapped
// on every path, and the host path with its reason where something fails.
#include "visualizers/gl/interop.h"

#include <gtest/gtest.h>

#include <cstring>
#include <stdexcept>

#include "kernels/core/error.h"
#include "tests/support/paper_examples.h"
#include "tests/visualizers/gl/fake_cuda.h"
#include "visualizers/gl/egl_context.h"
#include "visualizers/layouts/layout_scene.h"

namespace convscope {
namespace {

class Interop : public ::testing::Test {
protected:
    void SetUp() override { cuda = {}; }
    void rebuild(LayoutScene& scene, LayoutBuilder& builder) {
        const Workload work = testing::example_workload("ecr_figure_4");
        scene.rebuild(Format::ecr, work.spec.shape, work.x.data.data(), work.w.data.data(), builder, *host);
    }
    static void expect_figure_4(const LayoutScene& scene) {
        EXPECT_EQ(scene.value({ArrayId::F_data, {1, 2}}), 23);
        EXPECT_EQ(scene.value({ArrayId::Ptr, {0, 1}}), 4);
        EXPECT_EQ(scene.value({ArrayId::y, {0, 1}}), 38);
        EXPECT_EQ(scene.read(ArrayId::F_data, 3, 1, 1, 9).at(0), 0xffffffffu);
    }
    std::unique_ptr<gl::EglContext> egl = gl::EglContext::create();
    std::unique_ptr<LayoutBuilder> host = make_host_layout_builder();
    testing::StandInBuilder gpu;
    testing::StandIn& cuda = testing::stand_in;
};

TEST_F(Interop, writes_mapped_buffers_and_copies_nothing_through_the_host) {
    {
        LayoutScene scene(CudaGl::with(testing::stand_in_for_cuda()));
        rebuild(scene, gpu);
        expect_figure_4(scene);
        EXPECT_TRUE(scene.interop());
        EXPECT_EQ(scene.host_bytes(), 0);
        EXPECT_EQ(scene.describe(), "interop, built by kernels");
        EXPECT_EQ(cuda.mapped, 0);
        EXPECT_EQ(cuda.registered, 6);
        rebuild(scene, gpu);
        EXPECT_EQ(cuda.registered, 6);  // buffers that fit are kept
    }
    EXPECT_EQ(cuda.registered, 0);
}

TEST_F(Interop, unmaps_when_the_kernel_fails) {
    LayoutScene scene(CudaGl::with(testing::stand_in_for_cuda()));
    cuda.fail_build = true;
    EXPECT_THROW(rebuild(scene, gpu), std::runtime_error);
    EXPECT_EQ(cuda.mapped, 0);
    EXPECT_TRUE(scene.empty());
    cuda.fail_build = false;
    rebuild(scene, gpu);
    expect_figure_4(scene);
}

TEST_F(Interop, falls_back_to_the_host_and_keeps_the_reason) {
    LayoutScene rejected(CudaGl::with(testing::stand_in_for_cuda()));
    cuda.fail_register = true;
    rebuild(rejected, gpu);
    expect_figure_4(rejected);
    EXPECT_FALSE(rejected.interop());
    EXPECT_EQ(rejected.describe(), "host upload (cudaGraphicsGLRegisterBuffer: unknown error), built on the CPU");
    EXPECT_EQ(rejected.host_bytes(), rejected.bytes());
    EXPECT_EQ(cuda.registered, 0);

    cuda.fail_register = false;
    cuda.fail_map = true;
    LayoutScene unmappable(CudaGl::with(testing::stand_in_for_cuda()));
    rebuild(unmappable, gpu);
    expect_figure_4(unmappable);
    EXPECT_EQ(unmappable.describe(), "host upload (cudaGraphicsMapResources: out of memory), built on the CPU");
    EXPECT_EQ(cuda.registered, 0);
}

TEST_F(Interop, gives_up_buffers_that_a_lost_gpu_does_not_give_back) {
    LayoutScene scene(CudaGl::with(testing::stand_in_for_cuda()));
    rebuild(scene, gpu);
    EXPECT_TRUE(scene.interop());
    cuda.fail_unmap = true;
    rebuild(scene, gpu);
    expect_figure_4(scene);
    EXPECT_EQ(scene.describe(),
              "host upload (cudaGraphicsUnmapResources: an illegal memory access was encountered), built on the CPU");
    EXPECT_EQ(cuda.registered, 0);
    // A kernel that fails and a context that is gone with it.
    LayoutScene second(CudaGl::with(testing::stand_in_for_cuda()));
    cuda.fail_build = true;
    EXPECT_THROW(rebuild(second, gpu), std::runtime_error);
    rebuild(second, *host);
    expect_figure_4(second);
}

TEST_F(Interop, uploads_where_there_is_no_cuda) {
    LayoutScene scene(CudaGl::none("no CUDA device in use"));
    rebuild(scene, *host);
    expect_figure_4(scene);
    EXPECT_EQ(scene.describe(), "host upload (no CUDA device in use), built on the CPU");
    EXPECT_EQ(scene.host_bytes(), 4 * (25 + 9 + 81 + 81 + 9 + 9));
}

TEST_F(Interop, rejects_an_array_beyond_a_pictures_budget) {
    ConvShape shape;
    shape.h = shape.w = 2300;
    shape.r = shape.s = 5;
    const std::vector<float> x(2300 * 2300), w(25);
    LayoutScene scene(CudaGl::none(""));
    try {
        scene.rebuild(Format::im2col, shape, x.data(), w.data(), *host, *host);
        FAIL() << "527 MB were accepted";
    } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find("matrix is 527 MB here"), std::string::npos) << error.what();
    }
    EXPECT_TRUE(scene.empty());
}

TEST_F(Interop, reads_back_parts_of_large_arrays) {
    ConvShape shape;
    shape.h = shape.w = 300;
    shape.r = shape.s = 3;
    std::vector<float> x(90000), w(9, 1);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i);
    LayoutScene scene(CudaGl::none(""));
    scene.rebuild(Format::im2col, shape, x.data(), w.data(), *host, *host);
    EXPECT_EQ(scene.value({ArrayId::im2col, {299, 4}}), 602);  // window (1, 1): its middle is x[2, 2]
    const auto& part = scene.read(ArrayId::x, 300, 2, 3, 300);
    ASSERT_EQ(part.size(), 6u);
    float value = 0;
    std::memcpy(&value, &part[4], 4);
    EXPECT_EQ(value, 601);
    EXPECT_TRUE(scene.read(ArrayId::im2col, 0, 100000, 1, 9).empty());
}

}  // namespace
}  // namespace convscope
