// Interop on a real GPU: the methods' own kernels write the GL buffers, and nothing passes through the host. Skipped,
// with the reason, where there is no NVIDIA GPU or its EGL device cannot draw.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>

#include "kernels/core/error.h"
#include "kernels/method/registry.h"
#include "tests/support/random_shapes.h"
#include "visualizers/gl/egl_context.h"
#include "visualizers/layers/layer_scene.h"
#include "visualizers/layouts/layout_scene.h"

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

TEST_F(InteropOnGpu, equals_the_host_and_copies_nothing) {
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

/// Whole layers, image by image into the mapped buffer.
class LayersByInterop : public InteropOnGpu {
protected:
    void SetUp() override {
        InteropOnGpu::SetUp();
        if (!IsSkipped()) cuda = CudaGl::open(0);
    }
    void compare(LayerArray array, const std::shared_ptr<const Workload>& work) {
        const LayerArraySpec spec = layer_array(array, work->spec.shape);
        const LayerPart part = part_that_fits(spec, 0, layer_budget_bytes);
        const LayerJob job = layer_job(spec, work->spec.shape, part.rows_per_image);
        LayerScene scene(spec, part, work, programs, {cuda, builder.get()});
        ASSERT_TRUE(scene.by_gpu()) << scene.describe();
        ValueRange range{0, 0};
        for (std::int64_t image = 0; image < part.images; ++image) {
            LayerPiece piece;
            piece.first_row = scene.rows_written();
            piece.input = layer_input(job, *work, image);
            scene.take(std::move(piece));
            scene.advance(8);
            ASSERT_TRUE(scene.by_gpu()) << scene.describe();
            ASSERT_EQ(scene.rows_written(), (image + 1) * part.rows_per_image);
        }
        while (!scene.complete()) scene.advance(8);
        for (std::int64_t image = 0; image < part.images; ++image) {
            const auto want = build_layer_image(spec, *work, image, part.rows_per_image);
            expect_same(array, scene, image * part.rows_per_image, want);
            const ValueRange of_image = range_of(spec.element, want.data(), static_cast<std::int64_t>(want.size()));
            range = {std::min(range.low, of_image.low), std::max(range.high, of_image.high)};
        }
        EXPECT_NEAR(scene.range().low, range.low, array == LayerArray::y ? 1e-4 : 0);
        EXPECT_NEAR(scene.range().high, range.high, array == LayerArray::y ? 1e-4 : 0);
        EXPECT_EQ(scene.host_bytes(), 0);
        EXPECT_EQ(scene.describe(), "interop, built by the CUDA kernels on cuda:0");
    }

    static void expect_same(LayerArray array, LayerScene& scene, std::int64_t first,
                            const std::vector<std::uint32_t>& want) {
        const auto cols = static_cast<std::size_t>(scene.cols());
        for (std::size_t row = 0; row * cols < want.size(); ++row) {
            const auto& got = scene.read(first + static_cast<std::int64_t>(row), 1, 0, scene.cols());
            ASSERT_EQ(got.size(), cols);
            for (std::size_t col = 0; col < cols; ++col) {
                const std::uint32_t wanted = want[row * cols + col];
                const float a = std::bit_cast<float>(got[col]), b = std::bit_cast<float>(wanted);
                ASSERT_TRUE(array == LayerArray::y ? std::abs(a - b) <= 1e-4f : got[col] == wanted)
                    << to_string(array) << "[" << row << "," << col << "]";
            }
        }
    }

    std::shared_ptr<CudaGl> cuda;
    std::shared_ptr<PyramidPrograms> programs = std::make_shared<PyramidPrograms>();
};

TEST_F(LayersByInterop, equal_the_hosts_and_nothing_passes_through_it) {
    ASSERT_TRUE(cuda->module()) << cuda->reason();
    const std::vector<ConvShape> shapes = testing::random_shapes(40);
    for (std::size_t i = 0; i < shapes.size(); ++i) {
        const auto work = std::make_shared<const Workload>(
            testing::random_workload(shapes[i], testing::sparsity_of(i), static_cast<std::uint64_t>(i)));
        for (int array = 0; array < layer_array_count; ++array) {
            const auto which = static_cast<LayerArray>(array);
            const bool pecr = which == LayerArray::Data || which == LayerArray::Index || which == LayerArray::Count;
            if (pecr && !shapes[i].pooled()) continue;
            compare(which, work);
            if (HasFatalFailure()) FAIL() << to_string(shapes[i]);
        }
    }
}

/// Images of megabytes, as those of real layers are.
TEST_F(LayersByInterop, equal_the_hosts_of_a_large_layer) {
    ASSERT_TRUE(cuda->module()) << cuda->reason();
    ConvShape shape;
    shape.n = 3;
    shape.c = 16;
    shape.k = 24;
    shape.h = shape.w = 96;
    shape.r = shape.s = 3;
    shape.pad_h = shape.pad_w = 1;
    shape.pool_h = shape.pool_w = shape.pool_stride = 2;
    const auto work = std::make_shared<const Workload>(testing::random_workload(shape, 0.6, 7));
    for (int array = 0; array < layer_array_count; ++array) compare(static_cast<LayerArray>(array), work);
}

}  // namespace
}  // namespace convscope
