// Whole layers as the GPU's kernels write them, image by image, against the host's.
#include <gtest/gtest.h>

#include <cstdio>

#include "tests/kernels/gpu/gpu_fixture.h"
#include "tests/support/layer_images.h"

namespace convscope {
namespace {

using testing::Words;

/// Memory of the GPU's, with 'margin' words on both sides that no kernel may touch.
class Guarded {
public:
    Guarded(Gpu& gpu, std::size_t words)
        : gpu_(gpu), all_(words + 2 * margin), memory_(static_cast<std::uint32_t*>(gpu.allocate(all_ * 4))) {
        gpu_.fill_bytes(memory_, untouched, all_ * 4);
        gpu_.synchronize();
    }
    ~Guarded() { gpu_.release(memory_); }
    Guarded(const Guarded&) = delete;
    Guarded& operator=(const Guarded&) = delete;

    void* words() { return memory_ + margin; }
    void read(Words& out) {
        Words all(all_);
        gpu_.download(all.data(), memory_, all_ * 4);
        std::copy_n(all.begin() + margin, out.size(), out.begin());
        for (std::size_t i = 0; i < margin; ++i) {
            ASSERT_EQ(all[i], 0x5a5a5a5au) << "written before the array";
            ASSERT_EQ(all[all_ - 1 - i], 0x5a5a5a5au) << "written behind the array";
        }
    }

private:
    static constexpr std::size_t margin = 1024;
    static constexpr int untouched = 0x5a;
    Gpu& gpu_;
    const std::size_t all_;
    std::uint32_t* const memory_;
};

class GpuLayer : public testing::GpuTest, public ::testing::WithParamInterface<LayerArray> {
protected:
    testing::LayerWrite write() {
        return [this](LayerWriter& writer, const std::vector<float>& input, Words& out) {
            Guarded memory(*device().gpu(), out.size());
            const ValueRange range = writer.write(input, memory.words());
            memory.read(out);
            return range;
        };
    }
};

TEST_P(GpuLayer, equals_the_hosts) {
    const std::unique_ptr<LayoutBuilder> builder = device().make_layout_builder();
    ASSERT_NE(builder, nullptr);
    const int checked = testing::compare_layers(*builder, GetParam(), 400, write());
    EXPECT_GE(checked, 130);
    std::printf("%s: %d random shapes, each whole and cut\n", to_string(GetParam()), checked);
}

INSTANTIATE_TEST_SUITE_P(Arrays, GpuLayer, ::testing::ValuesIn(testing::every_layer_array()),
                         [](const auto& test) { return std::string(to_string(test.param)); });

/// One image of a real layer: grids of more blocks than an SM has, and more than one round of the range's.
class GpuLargeLayer : public GpuLayer {};

TEST_P(GpuLargeLayer, equals_the_hosts) {
    ConvShape shape;
    shape.c = 24;
    shape.k = 32;
    shape.h = shape.w = 180;
    shape.r = shape.s = 3;
    shape.pad_h = shape.pad_w = 1;
    shape.pool_h = shape.pool_w = shape.pool_stride = 2;
    const std::unique_ptr<LayoutBuilder> builder = device().make_layout_builder();
    testing::compare_layer(*builder, GetParam(), testing::random_workload(shape, 0.6, 1), 1, write());
}

INSTANTIATE_TEST_SUITE_P(Arrays, GpuLargeLayer, ::testing::ValuesIn(testing::every_layer_array()),
                         [](const auto& test) { return std::string(to_string(test.param)); });

}  // namespace
}  // namespace convscope
