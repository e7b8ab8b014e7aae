// ECR on the CPU.
//
// ecr1 and ecr2 follow the papers' kernels for one map and one filter: every window gets its F_data, its K_data and
// its Ptr, then a sparse dot product. Their mappings of threads to data differ on a GPU only; here ecr2 adds the
// batch. ecr3 builds the layout of all channels once and uses it for every filter.
//
// Zeros of x are skipped: a non-finite weight that meets only zeros leaves no trace
// (kernels/reference/reference_result.h).
#include <algorithm>
#include <memory>

#include "kernels/core/parallel.h"
#include "kernels/cpu/cpu_execution.h"
#include "kernels/cpu/cpu_method.h"
#include "kernels/cpu/sparse_filters.h"
#include "kernels/ecr/ecr5_cpu.h"
#include "kernels/ecr/ecr_layout.h"
#include "kernels/method/registry.h"

namespace convscope {
namespace {

std::int64_t window_count(const ConvShape& shape) {
    return shape.n * shape.p() * shape.q();
}

/// Workspace: F_data, K_index and K_data with room for n p q windows of r s elements each, and Ptr.
class EcrSingleMap final : public CpuExecution {
public:
    explicit EcrSingleMap(const ConvShape& shape)
        : CpuExecution(shape, Layout::nchw),
          F_data_(window_count(shape) * shape.window()),
          K_data_(F_data_.size()),
          K_index_(F_data_.size()),
          Ptr_(window_count(shape)) {
        for (RawBuffer* buffer : {static_cast<RawBuffer*>(&F_data_), static_cast<RawBuffer*>(&K_data_),
                                  static_cast<RawBuffer*>(&K_index_), static_cast<RawBuffer*>(&Ptr_)})
            use_workspace(*buffer);
    }

private:
    void convolve(float* y, StageClock* stages) override {
        mark(stages, "convert");
        convert_ecr(shape(), x(), F_data_.data(), K_index_.data(), Ptr_.data());
        gather();
        mark(stages, "multiply");
        multiply(y);
    }

    void gather() {
#pragma omp parallel for if (worth_threads(K_data_.size()))
        for (std::int64_t i = 0; i < Ptr_.size(); ++i)
            for (std::int64_t at = i * shape().window(); at < i * shape().window() + Ptr_.data()[i]; ++at)
                K_data_.data()[at] = w()[K_index_.data()[at]];
    }

    /// Algorithm 2: a Ptr of -1 gives 0 at once.
    void multiply(float* y) {
#pragma omp parallel for if (worth_threads(K_data_.size()))
        for (std::int64_t i = 0; i < Ptr_.size(); ++i) {
            float sum = 0;
            for (std::int64_t at = i * shape().window(); at < i * shape().window() + Ptr_.data()[i]; ++at)
                sum += F_data_.data()[at] * K_data_.data()[at];
            y[i] = sum;
        }
    }

    AlignedBuffer<float> F_data_, K_data_;
    AlignedBuffer<std::int32_t> K_index_, Ptr_;
};

/// Workspace: F_data and K_index with room for n p q windows of c r s elements each, and Ptr. How much of it is
/// touched follows the sparsity.
class EcrAnyShape final : public CpuExecution {
public:
    explicit EcrAnyShape(const ConvShape& shape)
        : CpuExecution(shape, Layout::nchw),
          filters_(shape),
          F_data_(window_count(shape) * shape.reduction()),
          packed_(filters_.elements()),
          K_index_(F_data_.size()),
          Ptr_(window_count(shape)) {
        use_workspace(F_data_);
        use_workspace(K_index_);
        use_workspace(Ptr_);
        use_weights(packed_);
    }

    void prepare_weights() override { filters_.pack(w(), packed_.data()); }

private:
    void convolve(float* y, StageClock* stages) override {
        mark(stages, "convert");
        convert_ecr(shape(), x(), F_data_.data(), K_index_.data(), Ptr_.data());
        mark(stages, "multiply");
        const std::int64_t slabs = filters_.slabs(), plane = shape().p() * shape().q();
        constexpr std::int64_t step = SparseFilters::ResultTile::outputs;
#pragma omp parallel for collapse(3) if (worth_threads(shape().conv_elements() * shape().reduction()))
        for (std::int64_t slab = 0; slab < slabs; ++slab)
            for (std::int64_t n = 0; n < shape().n; ++n)
                for (std::int64_t first = 0; first < plane; first += step) multiply_windows(slab, n, first, y);
    }

    void multiply_windows(std::int64_t slab, std::int64_t n, std::int64_t first, float* y) {
        const std::int64_t plane = shape().p() * shape().q(), capacity = shape().reduction();
        SparseFilters::ResultTile tile;
        for (std::int64_t at = 0; at < std::min(tile.outputs, plane - first); ++at) {
            const std::int64_t window = n * plane + first + at;
            filters_.multiply(packed_.data(), slab, F_data_.data() + window * capacity,
                              K_index_.data() + window * capacity, Ptr_.data()[window], tile.sums[at]);
        }
        filters_.store(tile, slab, n, plane, first, y);
    }

    SparseFilters filters_;
    AlignedBuffer<float> F_data_, packed_;
    AlignedBuffer<std::int32_t> K_index_, Ptr_;
};

Support one_image(const ConvShape& shape) {
    if (shape.n == 1 && shape.c == 1 && shape.k == 1) return {};
    return Support::no("ecr1 takes one map and one filter (n = c = k = 1); ecr2 takes a batch, ecr3 any shape");
}

Support one_map(const ConvShape& shape) {
    if (shape.c == 1 && shape.k == 1) return {};
    return Support::no("ecr2 takes one channel and one filter (c = k = 1); ecr3 takes any number");
}

MethodInfo describe(const char* id, const char* title, const char* paper, const char* follows) {
    MethodInfo info;
    info.id = id;
    info.family = "ecr";
    info.title = title;
    info.paper = paper;
    info.follows = follows;
    info.flops_executed = nonzero_flops;
    info.takes.dilation = true;
    info.stages = {"convert", "multiply", "pool"};
    return info;
}

template <class Ecr>
std::unique_ptr<Execution> bind(const ConvShape& shape, const LaunchConfig&) {
    return std::make_unique<Ecr>(shape);
}

}  // namespace

void register_ecr(Registry& registry) {
    registry.add(make_cpu_method({describe("ecr1", "ECR, one map", "Xu 2019", "Algorithms 1-2, Figs. 4 and 6"),
                                  {},
                                  one_image,
                                  bind<EcrSingleMap>}));
    registry.add(make_cpu_method({describe("ecr2", "ECR, a batch of maps", "Xu 2022", "Algorithms 1-2, Figs. 4-6"),
                                  {},
                                  one_map,
                                  bind<EcrSingleMap>}));
    registry.add(make_cpu_method({describe("ecr3", "ECR, all channels compressed once for every filter", "Xu 2022",
                                           "Section 7, several maps and filters"),
                                  {},
                                  {},
                                  bind<EcrAnyShape>}));
    registry.add(make_ecr5());
}

}  // namespace convscope
