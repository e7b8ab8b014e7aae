#include "tests/support/layer_images.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>

namespace convscope::testing {
namespace {

void expect_same(LayerArray array, const Words& got, const Words& want, const ConvShape& shape) {
    if (array != LayerArray::y) {
        ASSERT_EQ(got, want);
        return;
    }
    ASSERT_EQ(got.size(), want.size());
    const double rounding = 1e-6 * static_cast<double>(shape.reduction());
    for (std::size_t i = 0; i < got.size(); ++i)
        ASSERT_NEAR(std::bit_cast<float>(got[i]), std::bit_cast<float>(want[i]), rounding) << i;
}

void expect_same(LayerArray array, const ValueRange& got, const ValueRange& want, const ConvShape& shape) {
    const double rounding = array == LayerArray::y ? 1e-6 * static_cast<double>(shape.reduction()) : 0;
    ASSERT_NEAR(got.low, want.low, rounding);
    ASSERT_NEAR(got.high, want.high, rounding);
    ASSERT_FALSE(std::signbit(got.low) && got.low == 0);
}

/// 'rows' of every image.
void compare(LayoutBuilder& builder, const LayerArraySpec& spec, const Workload& work, std::int64_t rows,
             const LayerWrite& write) {
    const LayerJob job = layer_job(spec, work.spec.shape, rows);
    const auto host = make_host_layer_writer(job, work.w.data.data());
    const auto writer = builder.make_layer_writer(job, work.w.data.data());
    Words want(static_cast<std::size_t>(job.elements())), got(want.size());
    for (std::int64_t image = 0; image < spec.images; ++image) {
        const std::vector<float> input = layer_input(job, work, image);
        const ValueRange range = host->write(input, want.data());
        expect_same(spec.array, write(*writer, input, got), range, work.spec.shape);
        expect_same(spec.array, got, want, work.spec.shape);
        ASSERT_FALSE(::testing::Test::HasFatalFailure()) << "image " << image << ", " << rows << " rows";
    }
}

}  // namespace

std::vector<Words> layout_memory(Format format, const ConvShape& shape) {
    std::vector<Words> memory{Words(shape.x_elements()), Words(shape.w_elements())};
    for (const ArraySpec& array : layout_arrays(format, shape)) memory.emplace_back(array.rows * array.cols);
    return memory;
}

std::vector<Words> built_layout(LayoutBuilder& builder, Format format, const Workload& workload) {
    std::vector<Words> memory = layout_memory(format, workload.spec.shape);
    std::vector<void*> out;
    for (Words& words : memory) out.push_back(words.data());
    builder.build(format, workload.spec.shape, workload.x.data.data(), workload.w.data.data(), out);
    return memory;
}

void compare_layout(Format format, const Workload& workload, const std::vector<Words>& built) {
    const ConvShape& shape = workload.spec.shape;
    const std::vector<Words> expected = built_layout(*make_host_layout_builder(), format, workload);
    const std::vector<ArraySpec> arrays = layout_arrays(format, shape);
    for (std::size_t a = 0; a < built.size(); ++a) {
        const std::string name = a < 2 ? "input" : arrays[a - 2].name;
        if (name != "y" && name != "conv") {
            ASSERT_EQ(built[a], expected[a]) << name << " of " << to_string(shape);
            continue;
        }
        for (std::size_t e = 0; e < built[a].size(); ++e)
            ASSERT_NEAR(std::bit_cast<float>(built[a][e]), std::bit_cast<float>(expected[a][e]),
                        1e-5 * static_cast<double>(shape.window()))
                << name << "[" << e << "] of " << to_string(shape);
    }
}

std::vector<LayerArray> every_layer_array() {
    std::vector<LayerArray> all;
    for (int i = 0; i < layer_array_count; ++i) all.push_back(static_cast<LayerArray>(i));
    return all;
}

void compare_layer(LayoutBuilder& builder, LayerArray array, const Workload& work, std::int64_t cut,
                   const LayerWrite& write) {
    const LayerArraySpec spec = layer_array(array, work.spec.shape);
    compare(builder, spec, work, spec.rows_per_image, write);
    const std::int64_t units = std::min(cut, spec.rows_per_image / spec.rows_per_unit - 1);
    if (units > 0) compare(builder, spec, work, units * spec.rows_per_unit, write);
}

int compare_layers(LayoutBuilder& builder, LayerArray array, std::size_t count, const LayerWrite& write) {
    const std::vector<ConvShape> shapes = random_shapes(count);
    int checked = 0;
    for (std::size_t i = 0; i < shapes.size(); ++i) {
        const bool pecr = array == LayerArray::Data || array == LayerArray::Index || array == LayerArray::Count;
        if (pecr && !shapes[i].pooled()) continue;
        Workload work = random_workload(shapes[i], sparsity_of(i), i);
        // NaN, infinities and both zeros are copied like everything else.
        if (array != LayerArray::y && i % 3 == 0) {
            work.x.data[i % work.x.data.size()] = NAN;
            work.x.data[7 * i % work.x.data.size()] = -INFINITY;
            work.x.data[11 * i % work.x.data.size()] = -0.0f;
        }
        compare_layer(builder, array, work, 1 + static_cast<std::int64_t>(i) % 9, write);
        if (::testing::Test::HasFatalFailure()) {
            ADD_FAILURE() << to_string(array) << " of " << to_string(shapes[i]);
            return checked;
        }
        ++checked;
    }
    return checked;
}

}  // namespace convscope::testing
