// csr1's launchers and its registration. Compiled once per dialect (kernels/simt/dialect.h).
#include "kernels/core/ceil_div.h"
#include "kernels/csr/csr_kernels.h"
#include "kernels/csr/csr_methods.h"
#include "kernels/simt/gpu_families.h"
#include "kernels/simt/shared_programs.h"

namespace convscope::CONVSCOPE_DIALECT {
namespace {

class Csr1Program final : public GpuProgram {
public:
    explicit Csr1Program(const GpuPlan& plan)
        : shape_(plan.shape),
          format_(csr_format(plan.shape)),
          extend_(plan.launch("im2col_lower")),
          count_(plan.launch("csr_count")),
          scan_(plan.launch("csr_scan")),
          fill_(plan.launch("csr_fill")),
          tile_(csr_tile(plan.shape, plan.config)) {}

    void bind(Gpu& gpu, const GpuBuffers& buffers) override {
        const SparseProductShape product{format_.rows, format_.row_length, shape_.k, csr_leading_weights(shape_),
                                         format_.elements()};
        product_ = gpu.make_sparse_product(product, csr(buffers), buffers.prepared_weights, buffers.conv);
    }
    void unbind() override { product_.reset(); }
    std::int64_t library_bytes() const override { return product_ ? product_->device_bytes() : 0; }

    void prepare_weights(Gpu& gpu, const GpuBuffers& buffers) override {
        const std::int64_t leading = csr_leading_weights(shape_);
        // Gaps between the rows, too, are memory that somebody wrote.
        if (leading > shape_.k)
            gpu.fill_bytes(buffers.prepared_weights, 0,
                           static_cast<std::size_t>(format_.row_length * leading) * sizeof(float));
        transpose_weights(gpu, shape_, buffers, WeightOrder::rsc_k, leading);
    }
    void run(Gpu& gpu, const GpuBuffers& buffers, StageClock* stages) override {
        auto* extended = array<float>(buffers, format_.extended());
        auto* counts = array<int>(buffers, format_.counts());
        auto* row_offsets = array<int>(buffers, format_.row_offsets());
        const CompactedMatrix matrix{extended, format_.rows, format_.row_length, tile_};
        mark(stages, "extend");
        lower_windows(gpu, extend_, shape_, buffers.x, extended);
        mark(stages, "compress");
        count_nonzeros(gpu, count_, matrix, counts);
        sum_counts(gpu, scan_, matrix, counts, row_offsets + format_.rows);
        move_nonzeros(gpu, fill_, matrix, counts, array<float>(buffers, format_.values()),
                      array<int>(buffers, format_.columns()), row_offsets);
        mark(stages, "multiply");
        product_->run();
    }
    int registers(const std::string& kernel) const override {
        if (kernel == "csr_count") return registers_of(csr_count);
        if (kernel == "csr_scan") return registers_of(csr_scan);
        return kernel == "csr_fill" ? registers_of(csr_fill) : 0;
    }

private:
    template <class T>
    static T* array(const GpuBuffers& buffers, std::int64_t offset) {
        return reinterpret_cast<T*>(buffers.workspace + offset);
    }
    CsrArrays csr(const GpuBuffers& buffers) const {
        return {array<int>(buffers, format_.row_offsets()), array<int>(buffers, format_.columns()),
                array<float>(buffers, format_.values())};
    }

    const ConvShape shape_;
    const CsrFormat format_;
    const KernelLaunch extend_, count_, scan_, fill_;
    const std::int64_t tile_;
    std::unique_ptr<SparseProduct> product_;
};

}  // namespace

void count_nonzeros(Gpu& gpu, const KernelLaunch& at, const CompactedMatrix& matrix, int* counts) {
    launch(gpu, csr_count, at, matrix.elements, static_cast<long long>(matrix.rows * matrix.row_length),
           static_cast<int>(matrix.tile), counts);
}

void sum_counts(Gpu& gpu, const KernelLaunch& at, const CompactedMatrix& matrix, int* counts, int* total) {
    launch(gpu, csr_scan, at, counts, static_cast<int>(ceil_div(matrix.rows * matrix.row_length, matrix.tile)), total);
}

void move_nonzeros(Gpu& gpu, const KernelLaunch& at, const CompactedMatrix& matrix, const int* starts, float* values,
                   int* columns, int* row_offsets) {
    launch(gpu, csr_fill, at, matrix.elements, static_cast<long long>(matrix.rows * matrix.row_length),
           static_cast<int>(matrix.row_length), static_cast<int>(matrix.tile), starts, values, columns, row_offsets);
}

void register_csr(Registry& registry) {
    registry.add(make_csr1(device_kind, make_program<Csr1Program>, make_nhwc_pool));
}

}  // namespace convscope::CONVSCOPE_DIALECT
