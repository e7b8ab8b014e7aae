// The three stages of Xu 2022's cuSPARSE baseline on the CPU: extension, compression, sparse product.
//
// Zeros of x are skipped: a non-finite weight that meets only zeros leaves no trace
// (kernels/reference/reference_result.h).
#include <algorithm>
#include <memory>
#include <vector>

#include "kernels/core/parallel.h"
#include "kernels/cpu/cpu_execution.h"
#include "kernels/cpu/cpu_method.h"
#include "kernels/cpu/sparse_filters.h"
#include "kernels/csr/csr_layout.h"
#include "kernels/csr/csr_limits.h"
#include "kernels/im2col/im2col_layout.h"
#include "kernels/method/registry.h"

namespace convscope {
namespace {

/// Workspace: the extended map, and values, columns and row offsets with room for all of it. How much of those is
/// touched follows the sparsity.
class Csr final : public CpuExecution {
public:
    explicit Csr(const ConvShape& shape)
        : CpuExecution(shape, Layout::nhwc),
          filters_(shape),
          extended_(shape.im2col_elements()),
          values_(extended_.size()),
          packed_(filters_.elements()),
          columns_(extended_.size()),
          row_offsets_(rows() + 1) {
        for (RawBuffer* buffer : {static_cast<RawBuffer*>(&extended_), static_cast<RawBuffer*>(&values_),
                                  static_cast<RawBuffer*>(&columns_), static_cast<RawBuffer*>(&row_offsets_)})
            use_workspace(*buffer);
        use_weights(packed_);
    }

    /// KCRS to KRSC, the order of the extended map's columns, and that into slabs.
    void prepare_weights() override {
        const ConvShape& s = shape();
        std::vector<float> channels_last(static_cast<std::size_t>(s.w_elements()));
        float* to = channels_last.data();
        for (std::int64_t k = 0; k < s.k; ++k)
            for (std::int64_t tap = 0; tap < s.window(); ++tap)
                for (std::int64_t c = 0; c < s.c; ++c) *to++ = w()[(k * s.c + c) * s.window() + tap];
        filters_.pack(channels_last.data(), packed_.data());
    }

private:
    std::int64_t rows() const { return shape().n * shape().p() * shape().q(); }

    void convolve(float* y, StageClock* stages) override {
        mark(stages, "extend");
        lower_im2col(shape(), x(), extended_.data());
        mark(stages, "compress");
        compress_csr(rows(), shape().reduction(), extended_.data(), row_offsets_.data(), columns_.data(),
                     values_.data());
        mark(stages, "multiply");
        multiply(y);
    }

    /// [n p q][r s c] times [r s c][k] is y as NHWC. A slab of filters stays in the cache for all rows.
    void multiply(float* y) const {
        const std::int64_t k = shape().k;
        for (std::int64_t slab = 0; slab < filters_.slabs(); ++slab) {
#pragma omp parallel for schedule(dynamic, 16) if (worth_threads(extended_.size()))
            for (std::int64_t row = 0; row < rows(); ++row) {
                const std::int32_t begin = row_offsets_.data()[row], end = row_offsets_.data()[row + 1];
                float sums[SparseFilters::widest];
                filters_.multiply(packed_.data(), slab, values_.data() + begin, columns_.data() + begin, end - begin,
                                  sums);
                std::copy_n(sums, filters_.slab_filters(slab), y + row * k + slab * filters_.slab_width());
            }
        }
    }

    SparseFilters filters_;
    AlignedBuffer<float> extended_, values_, packed_;
    AlignedBuffer<std::int32_t> columns_, row_offsets_;
};

}  // namespace

void register_csr(Registry& registry) {
    MethodInfo info;
    info.id = "csr1";
    info.family = "csr";
    info.title = "Extension, compression to CSR, sparse product";
    info.paper = "Xu 2022";
    info.follows = "sections 1 and 8, the cuSPARSE baseline";
    info.layout = Layout::nhwc;
    info.flops_executed = nonzero_flops;
    info.takes.dilation = true;
    info.stages = {"extend", "compress", "multiply", "pool"};
    registry.add(make_cpu_method({info, {}, csr_countable, [](const ConvShape& shape, const LaunchConfig&) {
                                      return std::make_unique<Csr>(shape);
                                  }}));
}

}  // namespace convscope
