// Properties of the layouts that hold for any shape.
#include <gtest/gtest.h>

#include <algorithm>

#include "kernels/ecr/ecr_layout.h"
#include "kernels/im2col/im2col_layout.h"
#include "kernels/mec/mec_layout.h"
#include "kernels/pecr/pecr_layout.h"
#include "tests/support/random_shapes.h"

namespace convscope {
namespace {

/// Element t = (c r + i) s + j of the window of output (n, p, q), zero in the padding.
float window_element(const Workload& workload, std::int64_t n, std::int64_t p, std::int64_t q, std::int64_t t) {
    const ConvShape& s = workload.spec.shape;
    const std::int64_t row = p * s.stride_h + t / s.s % s.r - s.pad_h, column = q * s.stride_w + t % s.s - s.pad_w;
    if (row < 0 || row >= s.h || column < 0 || column >= s.w) return 0.0f;
    return workload.x.at(n, t / s.window(), row, column);
}

class LayoutsOf : public ::testing::Test {
protected:
    template <class Check>
    void for_random_workloads(Check check) {
        auto shapes = testing::random_shapes(150, 7);
        for (const ConvShape& shape : testing::shapes_padded_by_side(100, 7)) shapes.push_back(shape);
        for (std::size_t i = 0; i < shapes.size(); ++i) {
            SCOPED_TRACE(to_string(shapes[i]));
            check(testing::random_workload(shapes[i], testing::sparsity_of(i), i));
            if (HasFailure()) return;
        }
    }
};

TEST_F(LayoutsOf, im2col_holds_every_window_and_mec_selects_it_from_l) {
    for_random_workloads([](const Workload& workload) {
        const ConvShape& s = workload.spec.shape;
        const Im2colLayout im2col = make_im2col_layout(s, workload.x);
        const MecLayout mec = make_mec_layout(s, workload.x);
        ASSERT_EQ(static_cast<std::int64_t>(im2col.matrix.size()), s.im2col_elements());
        ASSERT_EQ(static_cast<std::int64_t>(mec.L.size()), s.mec_elements());
        for (std::int64_t row = 0; row < im2col.rows(); ++row) {
            const std::int64_t n = row / (s.p() * s.q()), p = row / s.q() % s.p(), q = row % s.q();
            for (std::int64_t t = 0; t < s.reduction(); ++t) {
                // (r, s, c) order in the lowered row, (c, r, s) in the window.
                const std::int64_t in_window = t % s.c * s.window() + t / s.c;
                const float lowered = im2col.matrix[row * im2col.cols() + t];
                ASSERT_EQ(lowered, window_element(workload, n, p, q, in_window));
                ASSERT_EQ(mec.L[(n * s.q() + q) * mec.cols() + mec.partitions[p].begin + t], lowered);
            }
        }
    });
}

TEST_F(LayoutsOf, ecr_holds_exactly_the_non_zero_elements) {
    for_random_workloads([](const Workload& workload) {
        const ConvShape& s = workload.spec.shape;
        const EcrLayout layout = make_ecr_layout(s, workload.x);
        ASSERT_EQ(layout.windows(), s.n * s.p() * s.q());
        for (std::int64_t i = 0; i < layout.windows(); ++i) {
            std::int64_t at = layout.offsets[i];
            for (std::int64_t t = 0; t < s.reduction(); ++t) {
                const float value = window_element(workload, i / (s.p() * s.q()), i / s.q() % s.p(), i % s.q(), t);
                if (value == 0.0f) continue;
                ASSERT_EQ(layout.F_data[at], value);
                ASSERT_EQ(layout.K_index[at++], t);
            }
            ASSERT_EQ(at, layout.offsets[i + 1]);
            const std::int64_t count = at - layout.offsets[i];
            ASSERT_EQ(layout.Ptr[i], count == 0 ? -1 : count);
        }
    });
}

TEST_F(LayoutsOf, pecr_is_ecr_arranged_by_pooling_window) {
    for_random_workloads([](const Workload& workload) {
        const ConvShape& s = workload.spec.shape;
        if (!s.pooled()) return;
        const EcrLayout ecr = make_ecr_layout(s, workload.x);
        const PecrLayout pecr = make_pecr_layout(s, workload.x);
        std::int64_t at = 0, count = 0;
        for (std::int64_t pool = 0; pool < pecr.pooling_windows(); ++pool) {
            const std::int64_t n = pool / (s.out_h() * s.out_w());
            const std::int64_t oh = pool / s.out_w() % s.out_h(), ow = pool % s.out_w();
            for (std::int64_t window = 0; window < pecr.windows_per_pool(); ++window) {
                const std::int64_t p = oh * s.pool_stride + window / s.pool_w;
                const std::int64_t i = ecr_block_row(s, n, p).begin + ow * s.pool_stride + window % s.pool_w;
                ASSERT_EQ(pecr.Count[count++], std::max(ecr.Ptr[i], 0));
                for (std::int64_t from = ecr.offsets[i]; from < ecr.offsets[i + 1]; ++from, ++at) {
                    ASSERT_EQ(pecr.Data[at], ecr.F_data[from]);
                    ASSERT_EQ(pecr.Index[at], ecr.K_index[from]);
                }
            }
            ASSERT_EQ(at, pecr.offsets[pool + 1]);
        }
    });
}

}  // namespace
}  // namespace convscope
