// Interop on a real GPU: the methods' own kernels write the GL buffers, and nothing passes through the host. Skipped,
// with the reason, where there is no NVIDIA GPU or its EGL device cannot draw.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdlib>

#include "kernels/core/error.h"
#include "kernels/core/registry.h"
#include "tests/support/random_shapes.h"
#include "visualizers/gl/egl_context.h"
#include "visualizers/layout_scene.h"

namespace convscope {
namespace {

class InteropOnGpu : public ::testing::Test {
protected:
    void SetUp() override {
        registry = make_registry();
        try {
            builder = registry->device("cuda:0").make_layout_builder();
        } catch (const Error& error) {
            GTEST_SKIP() << error.what();
        }
        egl = gl::EglContext::create(0);
        if (egl->describe().find("NVIDIA") == std::string::npos)
            GTEST_SKIP() << "OpenGL is drawn by " << egl->describe();
    }
    std::unique_ptr<Registry> registry;
    std::unique_ptr<gl::EglContext> egl;
    std::unique_ptr<LayoutBuilder> builder, host = make_host_layout_builder();
};

/// Every slot of every array, integers and empty slots to the bit.
void expect_same(const LayoutScene& gpu, const LayoutScene& cpu) {
    for (const SceneArray& array : cpu.arrays())
        for (std::int64_t row = 0; row < array.spec.rows; ++row) {
            const auto got = gpu.read(array.id, row * array.spec.cols, 1, array.spec.cols, array.spec.cols);
            const auto want = cpu.read(array.id, row * array.spec.cols, 1, array.spec.cols, array.spec.cols);
            for (std::size_t col = 0; col < want.size(); ++col) {
                const bool exact = array.spec.element == Element::i32 || want[col] == 0xffffffffu;
                const float a = std::bit_cast<float>(got[col]), b = std::bit_cast<float>(want[col]);
                ASSERT_TRUE(exact ? got[col] == want[col] : std::abs(a - b) <= 1e-5f * (1 + std::abs(b)))
                    << to_string(gpu.format()) << " " << array.spec.name << "[" << row << "," << col << "]";
            }
        }
}

TEST_F(InteropOnGpu, EqualsTheHostAndCopiesNothing) {
    auto cuda = CudaGl::open(0);
    ASSERT_TRUE(cuda->module()) << cuda->reason();
    LayoutScene on_gpu(cuda), on_host(CudaGl::none(""));
    std::size_t number = 0;
    for (ConvShape shape : testing::random_shapes(60)) {
        shape.n = shape.c = shape.k = 1;
        const Workload work = testing::random_workload(shape, testing::sparsity_of(number), number);
        ++number;
        for (const Format format : {Format::im2col, Format::mec, Format::ecr, Format::pecr}) {
            if (format == Format::pecr && !shape.pooled()) continue;
            on_gpu.rebuild(format, shape, work.x.data.data(), work.w.data.data(), *builder, *host);
            on_host.rebuild(format, shape, work.x.data.data(), work.w.data.data(), *host, *host);
            ASSERT_TRUE(on_gpu.interop()) << on_gpu.describe();
            ASSERT_EQ(on_gpu.host_bytes(), 0);
            expect_same(on_gpu, on_host);
            if (HasFatalFailure()) FAIL() << to_string(shape);
        }
    }
    RecordProperty("path", on_gpu.describe() + " on " + egl->describe());
}

}  // namespace
}  // namespace convscope
