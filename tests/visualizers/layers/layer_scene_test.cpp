// A whole layer on its way to the screen, with a stand-in for CUDA: written image by image into the mapped buffer, and
// by the host from where that fails on.
#include "visualizers/layers/layer_scene.h"

#include <gtest/gtest.h>

#include <functional>

#include "tests/support/random_shapes.h"
#include "tests/visualizers/gl/fake_cuda.h"
#include "visualizers/gl/egl_context.h"

namespace convscope {
namespace {

constexpr const char* gone = "an illegal memory access was encountered";

ConvShape layer_of(std::int64_t images) {
    ConvShape shape;
    shape.n = images;
    shape.c = 3;
    shape.k = 4;
    shape.h = 11;
    shape.w = 9;
    shape.r = shape.s = 3;
    shape.pad_h = shape.pad_w = 1;
    shape.pool_h = shape.pool_w = shape.pool_stride = 2;
    return shape;
}

class LayerOnScreen : public ::testing::Test {
protected:
    void SetUp() override { cuda = {}; }

    LayerArraySpec spec(LayerArray array) const { return layer_array(array, work->spec.shape); }

    std::unique_ptr<LayerScene> scene(LayerArray array, bool on_gpu = true) {
        const LayerPart part = part_that_fits(spec(array), 0, layer_budget_bytes);
        const LayerPath path = on_gpu ? LayerPath{CudaGl::with(testing::stand_in_for_cuda()), &gpu}
                                      : LayerPath{CudaGl::none("no CUDA device in use"), nullptr};
        return std::make_unique<LayerScene>(spec(array), part, work, programs, path);
    }

    /// The next piece, as the scene wants it.
    LayerPiece piece(const LayerScene& of) const {
        const LayerJob job = layer_job(of.spec(), work->spec.shape, of.part().rows_per_image);
        LayerPiece next;
        next.first_row = of.rows_written();
        next.input = layer_input(job, *work, of.rows_written() / of.part().rows_per_image);
        if (of.by_gpu()) return next;
        next.words.resize(static_cast<std::size_t>(job.elements()));
        next.range = make_host_layer_writer(job, work->w.data.data())->write(next.input, next.words.data());
        next.input.clear();
        return next;
    }

    /// 'before' is called before each image that the scene takes.
    void finish(LayerScene& of, const std::function<void(std::int64_t image)>& before = {}) {
        for (int frames = 0; !of.complete() && frames < 100; ++frames) {
            if (of.wants_piece()) {
                if (before) before(of.rows_written() / of.part().rows_per_image);
                of.take(piece(of));
            }
            of.advance(8);
        }
        ASSERT_TRUE(of.complete());
        EXPECT_EQ(cuda.mapped, 0);
    }

    void expect_the_array(LayerScene& of) const {
        std::vector<std::uint32_t> want;
        for (std::int64_t image = 0; image < of.part().images; ++image) {
            const auto rows = build_layer_image(of.spec(), *work, image, of.part().rows_per_image);
            want.insert(want.end(), rows.begin(), rows.end());
        }
        EXPECT_EQ(of.read(0, of.rows(), 0, of.cols()), want);
        EXPECT_EQ(of.range(), range_of(of.spec().element, want.data(), static_cast<std::int64_t>(want.size())));
    }

    std::unique_ptr<gl::EglContext> egl = gl::EglContext::create();
    std::shared_ptr<PyramidPrograms> programs = std::make_shared<PyramidPrograms>();
    testing::StandIn& cuda = testing::stand_in;
    testing::StandInBuilder gpu;
    std::shared_ptr<const Workload> work =
        std::make_shared<const Workload>(testing::random_workload(layer_of(4), 0.5, 1));
};

TEST_F(LayerOnScreen, is_written_by_the_gpu_and_nothing_passes_through_the_host) {
    for (int i = 0; i < layer_array_count; ++i) {
        const auto of = scene(static_cast<LayerArray>(i));
        ASSERT_TRUE(of->by_gpu());
        EXPECT_EQ(cuda.registered, 1);
        finish(*of);
        expect_the_array(*of);
        EXPECT_EQ(of->host_bytes(), 0);
        EXPECT_EQ(of->describe(), "interop, built by kernels");
        EXPECT_EQ(of->take_failure(), "");
    }
    EXPECT_EQ(cuda.registered, 0);
}

TEST_F(LayerOnScreen, is_uploaded_where_there_is_no_cuda) {
    for (int i = 0; i < layer_array_count; ++i) {
        const auto of = scene(static_cast<LayerArray>(i), false);
        EXPECT_FALSE(of->by_gpu());
        finish(*of);
        expect_the_array(*of);
        EXPECT_EQ(of->host_bytes(), of->bytes());
        EXPECT_EQ(of->describe(), "host upload (no CUDA device in use), built on the CPU");
        EXPECT_EQ(of->take_failure(), "");
    }
}

TEST_F(LayerOnScreen, is_uploaded_where_registering_fails) {
    cuda.fail_register = true;
    const auto of = scene(LayerArray::im2col);
    EXPECT_FALSE(of->by_gpu());
    const std::string words = "host upload (cudaGraphicsGLRegisterBuffer: unknown error), built on the CPU";
    EXPECT_EQ(of->take_failure(), words);
    finish(*of);
    expect_the_array(*of);
    EXPECT_EQ(of->describe(), words);
}

TEST_F(LayerOnScreen, is_finished_by_the_host_where_mapping_fails_midway) {
    const auto of = scene(LayerArray::F_data);
    std::vector<std::int64_t> images;
    finish(*of, [&](std::int64_t image) {
        images.push_back(image);
        cuda.fail_map = image == 2;
    });
    EXPECT_EQ(images, (std::vector<std::int64_t>{0, 1, 2, 2, 3}));
    expect_the_array(*of);
    EXPECT_EQ(of->host_bytes(), of->bytes() / 2);
    EXPECT_EQ(of->describe(), "host upload (cudaGraphicsMapResources: out of memory), built on the CPU");
    EXPECT_EQ(of->take_failure(), of->describe());
    EXPECT_EQ(of->take_failure(), "");
    EXPECT_EQ(cuda.registered, 0);
}

TEST_F(LayerOnScreen, is_finished_by_the_host_where_a_kernel_fails_midway) {
    const auto of = scene(LayerArray::y);
    cuda.images_left = 1;
    std::vector<std::int64_t> images;
    finish(*of, [&](std::int64_t image) { images.push_back(image); });
    EXPECT_EQ(images, (std::vector<std::int64_t>{0, 1, 1, 2, 3}));
    expect_the_array(*of);
    EXPECT_EQ(of->host_bytes(), of->bytes() / 4 * 3);
    EXPECT_EQ(of->describe(), "host upload (the GPU's build failed: the kernel failed), built on the CPU");
    EXPECT_EQ(of->take_failure(), of->describe());
}

TEST_F(LayerOnScreen, is_the_hosts_from_the_first_image_where_the_gpu_has_no_memory) {
    cuda.fail_build = true;
    const auto of = scene(LayerArray::Index);
    finish(*of);
    expect_the_array(*of);
    EXPECT_EQ(of->host_bytes(), of->bytes());
    EXPECT_EQ(of->take_failure(), "host upload (the GPU's build failed: the GPU has no memory left), built on the CPU");
}

TEST_F(LayerOnScreen, begins_again_where_a_lost_gpu_does_not_give_the_buffer_back) {
    for (const bool kernel_fails : {false, true}) {
        cuda = {};
        const auto of = scene(LayerArray::im2col);
        std::vector<std::int64_t> images;
        finish(*of, [&](std::int64_t image) {
            images.push_back(image);
            if (image < 3 || !of->by_gpu()) return;
            cuda.fail_unmap = true;
            if (kernel_fails) cuda.images_left = 0;
            cuda.mapped = -1;  // what is mapped now is not given back
        });
        EXPECT_EQ(images, (std::vector<std::int64_t>{0, 1, 2, 3, 0, 1, 2, 3}));
        expect_the_array(*of);
        EXPECT_EQ(of->host_bytes(), of->bytes());
        EXPECT_NE(of->describe().find(kernel_fails ? "the kernel failed" : gone), std::string::npos) << of->describe();
    }
}

/// In the meantime no more is on screen than is written.
TEST_F(LayerOnScreen, shows_the_images_that_are_there) {
    const auto of = scene(LayerArray::Ptr);
    EXPECT_EQ(of->source().rows, 0);
    of->take(piece(*of));
    EXPECT_EQ(of->source().rows, 0);
    EXPECT_EQ(of->advance(8), 0);
    EXPECT_EQ(of->source().rows, 11);
    EXPECT_EQ(of->read(0, 11, 0, 9), build_layer_image(of->spec(), *work, 0, 11));
    EXPECT_TRUE(of->read(0, 12, 0, 9).empty());
}

}  // namespace
}  // namespace convscope
