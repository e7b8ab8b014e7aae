// wcsr1's CSR of the weights, as its kernels make it on the simulated GPU, against slow code.
#include "kernels/weights/wcsr_kernels.h"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

#include "kernels/simt/executor.h"
#include "kernels/weights/wcsr_method.h"
#include "tests/support/weight_zeros.h"

namespace convscope::on_sim {
namespace {

constexpr std::int64_t wcsr_test_threads = 64;

struct Csr {
    std::vector<int> row_offsets, columns;
    std::vector<float> values;
};

Csr made_by_kernels(const Workload& workload, const WcsrTiling& tiling) {
    const KernelShape shape = to_kernel_shape(workload.spec.shape);
    const int rows = shape.k * tiling.chunks;
    const KernelLaunch at{"", "", {ceil_div(rows, wcsr_test_threads / 32), 1, 1}, {wcsr_test_threads, 1, 1}};
    Csr csr;
    csr.row_offsets.assign(static_cast<std::size_t>(rows) + 1, -1);
    simt::run_grid(at, [&] { wcsr_count(shape, tiling, workload.w.data.data(), csr.row_offsets.data()); });
    csr.row_offsets.back() = 0;
    std::exclusive_scan(csr.row_offsets.begin(), csr.row_offsets.end(), csr.row_offsets.begin(), 0);
    csr.columns.assign(static_cast<std::size_t>(csr.row_offsets.back()), -1);
    csr.values.assign(csr.columns.size(), 0);
    simt::run_grid(at, [&] {
        wcsr_fill(shape, tiling, workload.w.data.data(), csr.row_offsets.data(), csr.values.data(), csr.columns.data());
    });
    return csr;
}

/// Weight after weight, and the input that it meets for the output at position 0: where that lies in the tile.
Csr made_slowly(const Workload& workload, const WcsrTiling& tiling) {
    const ConvShape& shape = workload.spec.shape;
    Csr csr;
    csr.row_offsets.push_back(0);
    for (std::int64_t k = 0; k < shape.k; ++k)
        for (std::int64_t c = 0; c < shape.c; ++c) {
            for (std::int64_t r = 0; r < shape.r; ++r)
                for (std::int64_t s = 0; s < shape.s; ++s) {
                    const float value = workload.w.at(k, c, r, s);
                    if (value == 0.0F) continue;
                    const std::int64_t down = r * shape.dilation_h, right = s * shape.dilation_w;
                    const std::int64_t phases_w = std::min(shape.stride_w, shape.span_w());
                    const std::int64_t phase = down % shape.stride_h * phases_w + right % shape.stride_w;
                    const std::int64_t pitch = shape.q() + (shape.span_w() - 1) / shape.stride_w;
                    csr.values.push_back(value);
                    csr.columns.push_back(static_cast<int>(c % tiling.channels * tiling.channel_length +
                                                           phase * tiling.phase_length + down / shape.stride_h * pitch +
                                                           right / shape.stride_w));
                }
            if ((c + 1) % tiling.channels == 0 || c + 1 == shape.c)
                csr.row_offsets.push_back(static_cast<int>(csr.values.size()));
        }
    return csr;
}

std::vector<ConvShape> csr_shapes() {
    std::vector<ConvShape> shapes = testing::random_shapes(30, 4);
    for (ConvShape shape : testing::dilated_and_grouped_shapes(30, 5))
        if (shape.groups == 1) shapes.push_back(shape);
    return shapes;
}

TEST(WcsrKernels, make_the_csr_of_the_weights) {
    std::size_t run = 0;
    for (const ConvShape& shape : csr_shapes())
        for (const double zeros : {0.0, 0.5, 0.9, 1.0}) {
            SCOPED_TRACE(to_string(shape));
            const Workload workload = testing::with_weight_zeros(shape, 0.5, zeros, ++run);
            WcsrChoice choice = wcsr_choice(shape, {});
            choice.channels = static_cast<std::int64_t>(1) << run % 4;
            const WcsrTiling tiling = wcsr_tiling(shape, choice);
            const Csr csr = made_by_kernels(workload, tiling), slow = made_slowly(workload, tiling);
            ASSERT_EQ(csr.row_offsets, slow.row_offsets);
            ASSERT_EQ(csr.values, slow.values);
            ASSERT_EQ(csr.columns, slow.columns);
        }
    EXPECT_GT(run, 150U);
}

/// Every slot of a tile is the input that its position stands for: what a column counts from.
TEST(WcsrKernels, find_the_input_that_a_column_names) {
    for (const ConvShape& conv : csr_shapes()) {
        SCOPED_TRACE(to_string(conv));
        const WcsrTiling tiling = wcsr_tiling(conv, wcsr_choice(conv, {}));
        const KernelShape shape = to_kernel_shape(conv);
        const Workload workload = testing::with_weight_zeros(conv, 0, 0, 1);
        const Csr csr = made_by_kernels(workload, tiling);
        for (int position = 0; position < tiling.positions; position += 7) {
            const int row = position / tiling.pitch, p = row % tiling.image_rows, q = position % tiling.pitch;
            const int image = row / tiling.image_rows;
            if (p >= shape.p || q >= shape.q) continue;
            for (int tap = 0; tap < shape.r * shape.s; ++tap) {  // of the first filter's first channel
                const int h = p * shape.stride_h - shape.pad_h + tap / shape.s * tiling.dilation_h;
                const int w = q * shape.stride_w - shape.pad_w + tap % shape.s * tiling.dilation_w;
                const bool inside = h >= 0 && h < shape.h && w >= 0 && w < shape.w;
                const int expected = inside ? (image * shape.c * shape.h + h) * shape.w + w : -1;
                ASSERT_EQ(wcsr_source(shape, tiling, position, csr.columns[static_cast<std::size_t>(tap)]), expected)
                    << "position " << position << ", tap " << tap;
            }
        }
    }
}

}  // namespace
}  // namespace convscope::on_sim
