// PECR on the CPU: convolution, ReLU and max-pooling in one pass over the pooling windows.
//
// pecr1 and pecr2 take one channel and one filter, as the papers' kernels do; their mappings of threads to data
// differ on a GPU only, and here pecr2 adds the batch. pecr3 takes any shape: the layout of all channels is built
// once and used for every filter.
//
// Zeros of x are skipped: a non-finite weight that meets only zeros leaves no trace
// (kernels/reference/reference_result.h).
#include <algorithm>
#include <memory>

#include "kernels/core/parallel.h"
#include "kernels/cpu/cpu_execution.h"
#include "kernels/cpu/cpu_method.h"
#include "kernels/cpu/sparse_filters.h"
#include "kernels/layers/pooling.h"
#include "kernels/method/registry.h"
#include "kernels/pecr/pecr_layout.h"

namespace convscope {
namespace {

/// Workspace: Data and Index with room for n out_h out_w pooling windows of pool_h pool_w c r s elements each, and
/// Count. How much of it is touched follows the sparsity.
class Pecr : public CpuExecution {
public:
    explicit Pecr(const ConvShape& shape)
        : CpuExecution(shape, Layout::nchw, /*fuses_pooling=*/true),
          per_pool_(shape.pool_h * shape.pool_w),
          capacity_(per_pool_ * shape.reduction()),
          pooling_windows_(shape.n * shape.out_h() * shape.out_w()),
          Data_(pooling_windows_ * capacity_),
          Index_(pooling_windows_ * capacity_),
          Count_(pooling_windows_ * per_pool_) {
        use_workspace(Data_);
        use_workspace(Index_);
        use_workspace(Count_);
    }

protected:
    virtual void multiply(float* y) = 0;

    std::int64_t per_pool() const { return per_pool_; }
    std::int64_t pooling_windows() const { return pooling_windows_; }
    const float* data(std::int64_t i) const { return Data_.data() + i * capacity_; }
    const std::int32_t* index(std::int64_t i) const { return Index_.data() + i * capacity_; }
    const std::int32_t* count(std::int64_t i) const { return Count_.data() + i * per_pool_; }

private:
    void convolve(float* y, StageClock* stages) override {
        mark(stages, "convert");
        convert_pecr(shape(), x(), Data_.data(), Index_.data(), Count_.data());
        mark(stages, "multiply");
        multiply(y);
    }

    std::int64_t per_pool_, capacity_, pooling_windows_;
    AlignedBuffer<float> Data_;
    AlignedBuffer<std::int32_t> Index_, Count_;
};

class PecrSingleMap final : public Pecr {
public:
    using Pecr::Pecr;

private:
    /// Algorithm 4, with the count added outside of the comparison (slip 7).
    void multiply(float* y) override {
#pragma omp parallel for if (worth_threads(pooling_windows() * per_pool() * shape().reduction()))
        for (std::int64_t i = 0; i < pooling_windows(); ++i) {
            const float* value = data(i);
            const std::int32_t* position = index(i);
            float most = 0;
            for (std::int64_t window = 0; window < per_pool(); ++window) {
                float sum = 0;
                for (std::int32_t left = count(i)[window]; left > 0; --left) sum += *value++ * w()[*position++];
                most = max_or_nan(most, sum);
            }
            y[i] = most;
        }
    }
};

class PecrAnyShape final : public Pecr {
public:
    explicit PecrAnyShape(const ConvShape& shape) : Pecr(shape), filters_(shape), packed_(filters_.elements()) {
        use_weights(packed_);
    }

    void prepare_weights() override { filters_.pack(w(), packed_.data()); }

private:
    void multiply(float* y) override {
        const std::int64_t slabs = filters_.slabs(), plane = shape().out_h() * shape().out_w();
        constexpr std::int64_t step = SparseFilters::ResultTile::outputs;
#pragma omp parallel for collapse( \
    3) if (worth_threads(pooling_windows() * per_pool() * shape().reduction() * shape().k))
        for (std::int64_t slab = 0; slab < slabs; ++slab)
            for (std::int64_t n = 0; n < shape().n; ++n)
                for (std::int64_t first = 0; first < plane; first += step) {
                    SparseFilters::ResultTile tile;
                    for (std::int64_t at = 0; at < std::min(step, plane - first); ++at)
                        multiply_pooling_window(n * plane + first + at, slab, tile.sums[at]);
                    filters_.store(tile, slab, n, plane, first, y);
                }
    }

    /// The pooled results of one pooling window for the filters of a slab.
    void multiply_pooling_window(std::int64_t i, std::int64_t slab, float* most) {
        float sums[SparseFilters::widest];
        std::fill_n(most, filters_.slab_width(), 0.0f);
        for (std::int64_t window = 0, at = 0; window < per_pool(); at += count(i)[window++]) {
            filters_.multiply(packed_.data(), slab, data(i) + at, index(i) + at, count(i)[window], sums);
            for (std::int64_t f = 0; f < filters_.slab_width(); ++f) most[f] = max_or_nan(most[f], sums[f]);
        }
    }

    SparseFilters filters_;
    AlignedBuffer<float> packed_;
};

Support pooled(const ConvShape& shape) {
    if (shape.pooled()) return {};
    return Support::no("PECR is convolution, ReLU and max-pooling in one; this shape has no pooling");
}

Support one_image(const ConvShape& shape) {
    if (shape.n == 1 && shape.c == 1 && shape.k == 1) return pooled(shape);
    return Support::no("pecr1 takes one map and one filter (n = c = k = 1); pecr2 takes a batch, pecr3 any shape");
}

Support one_map(const ConvShape& shape) {
    if (shape.c == 1 && shape.k == 1) return pooled(shape);
    return Support::no("pecr2 takes one channel and one filter (c = k = 1); pecr3 takes any number");
}

MethodInfo describe(const char* id, const char* title, const char* paper, const char* follows) {
    MethodInfo info;
    info.id = id;
    info.family = "pecr";
    info.title = title;
    info.paper = paper;
    info.follows = follows;
    info.flops_executed = nonzero_pooled_flops;
    info.takes.dilation = true;
    info.stages = {"convert", "multiply"};  // ReLU and pooling are part of multiply
    return info;
}

template <class Method_>
std::unique_ptr<Execution> bind(const ConvShape& shape, const LaunchConfig&) {
    return std::make_unique<Method_>(shape);
}

}  // namespace

void register_pecr(Registry& registry) {
    registry.add(make_cpu_method({describe("pecr1", "PECR, one map", "Xu 2019", "Algorithms 3-4, Figs. 7-8"),
                                  {},
                                  one_image,
                                  bind<PecrSingleMap>}));
    registry.add(make_cpu_method({describe("pecr2", "PECR, a batch of maps", "Xu 2022", "Algorithms 3-4, Figs. 7-8"),
                                  {},
                                  one_map,
                                  bind<PecrSingleMap>}));
    registry.add(make_cpu_method({describe("pecr3", "PECR, all channels compressed once for every filter", "Xu 2022",
                                           "Section 7, several maps and filters"),
                                  {},
                                  pooled,
                                  bind<PecrAnyShape>}));
}

}  // namespace convscope
