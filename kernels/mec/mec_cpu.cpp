// MEC on the CPU: Algorithm 1 (mec1) and Algorithm 2 (mec2a, mec2b, and mec2, which picks one of them).
#include <omp.h>

#include <algorithm>
#include <memory>

#include "kernels/core/registry.h"
#include "kernels/cpu/blas.h"
#include "kernels/cpu/cpu_execution.h"
#include "kernels/cpu/cpu_method.h"
#include "kernels/cpu/gemm_weights.h"
#include "kernels/cpu/parallel.h"
#include "kernels/mec/mec_choice.h"
#include "kernels/mec/mec_layout.h"

namespace convscope {
namespace {

enum class Solution { one, a, b };

class Mec final : public CpuExecution {
public:
    Mec(const ConvShape& shape, Solution solution, bool chosen = false)
        : CpuExecution(shape, Layout::nhwc),
          solution_(solution),
          chosen_(chosen),
          lowered_(shape.mec_elements()),
          weights_(shape.w_elements()) {
        use_workspace(lowered_);
        use_weights(weights_);
    }

    void prepare_weights() override { weights_to_rsck(shape(), w(), weights_.data()); }

    std::string choice() const override {
        if (!chosen_) return {};
        return solution_ == Solution::a ? "Solution A" : "Solution B";
    }

private:
    void convolve(float* y, StageClock* stages) override {
        mark(stages, "convert");
        lower_mec(shape(), x(), lowered_.data());
        mark(stages, "multiply");
        if (solution_ == Solution::one) return algorithm_1(y);
        if (solution_ == Solution::b) return multiply_all(y, shape().n, shape().q());
        multiply_all(y, 1, shape().n * shape().q());
        if (shape().n > 1) put_images_first(y);  // one image is in order already
    }

    /// Algorithm 1: one map, one filter; each output row is a partition of L times the filter as a vector.
    void algorithm_1(float* y) {
        const ConvShape& s = shape();
#pragma omp parallel for if (worth_threads(s.conv_elements() * s.reduction()))
        for (std::int64_t p = 0; p < s.p(); ++p)
            sgemv(s.q(), s.window(), s.padded_h() * s.s, lowered_.data() + mec_partition(s, p).begin, weights_.data(),
                  y + p * s.q());
    }

    /// Algorithm 2, lines 11-13 (groups = 1, Solution A) and 21-25 (groups = n, Solution B): one product for each
    /// group of rows of L and each partition. Writes [groups][p][rows][k].
    void multiply_all(float* y, std::int64_t groups, std::int64_t rows) {
        const ConvShape& s = shape();
        const std::int64_t row = s.padded_h() * s.s * s.c, parts = column_parts(groups * s.p());
#pragma omp parallel for collapse(3) schedule(static) if (worth_threads(s.conv_elements() * s.reduction()))
        for (std::int64_t group = 0; group < groups; ++group)
            for (std::int64_t part = 0; part < parts; ++part)
                for (std::int64_t p = 0; p < s.p(); ++p) {
                    const std::int64_t begin = s.k * part / parts, end = s.k * (part + 1) / parts;
                    sgemm({rows, end - begin, s.reduction(), row, s.k, s.k},
                          lowered_.data() + group * rows * row + mec_partition(s, p).begin, weights_.data() + begin,
                          y + (group * s.p() + p) * rows * s.k + begin);
                }
    }

    /// Cuts the filters where there are fewer products than threads.
    std::int64_t column_parts(std::int64_t products) const {
        constexpr std::int64_t fewest_filters = 32;
        const std::int64_t wanted = (omp_get_max_threads() + products - 1) / products;
        return std::clamp<std::int64_t>(shape().k / fewest_filters, 1, wanted);
    }

    /// Algorithm 2, lines 14-19: y holds [p][n][q k]; L, no longer needed, keeps it while y is rewritten as [n][p][q
    /// k].
    void put_images_first(float* y) {
        const ConvShape& s = shape();
        const std::int64_t row = s.q() * s.k;
        float* copy = lowered_.data();
#pragma omp parallel for if (worth_threads(s.conv_elements()))
        for (std::int64_t p = 0; p < s.p(); ++p) std::copy_n(y + p * s.n * row, s.n * row, copy + p * s.n * row);
#pragma omp parallel for collapse(2) if (worth_threads(s.conv_elements()))
        for (std::int64_t n = 0; n < s.n; ++n)
            for (std::int64_t p = 0; p < s.p(); ++p)
                std::copy_n(copy + (p * s.n + n) * row, row, y + (n * s.p() + p) * row);
    }

    Solution solution_;
    bool chosen_;
    AlignedBuffer<float> lowered_, weights_;
};

Support single_map(const ConvShape& shape) {
    if (shape.n == 1 && shape.c == 1 && shape.k == 1) return {};
    return Support::no("Algorithm 1 takes one map and one filter (n = c = k = 1); mec2 takes any number");
}

Support solution_a_fits(const ConvShape& shape) {
    if (mec_solution_a_fits(shape)) return {};
    return Support::no("Solution A keeps a copy of the output in L, and the output (" +
                       std::to_string(shape.conv_elements()) + " elements) is larger than L (" +
                       std::to_string(shape.mec_elements()) + "); mec2b needs no copy");
}

const Tunable threshold{
    "T", "Solution A up to this output width q", {0, 25, 50, 100, 200, 400}, mec_standard_threshold};

MethodInfo describe(const char* id, const char* title, const char* follows) {
    MethodInfo info;
    info.id = id;
    info.family = "mec";
    info.title = title;
    info.paper = "Cho & Brand 2017";
    info.follows = follows;
    info.layout = Layout::nhwc;
    info.stages = {"convert", "multiply", "pool"};
    return info;
}

auto bind(Solution solution) {
    return [solution](const ConvShape& shape, const LaunchConfig&) { return std::make_unique<Mec>(shape, solution); };
}

}  // namespace

void register_mec(Registry& registry) {
    registry.add(make_cpu_method(
        {describe("mec1", "MEC, vanilla", "Algorithm 1, Fig. 2"), {}, single_map, bind(Solution::one)}));
    registry.add(make_cpu_method({describe("mec2a", "MEC, Solution A", "Algorithm 2, lines 9-19, Fig. 3"),
                                  {},
                                  solution_a_fits,
                                  bind(Solution::a)}));
    registry.add(make_cpu_method(
        {describe("mec2b", "MEC, Solution B", "Algorithm 2, lines 21-25, Fig. 3"), {}, {}, bind(Solution::b)}));
    registry.add(make_cpu_method({describe("mec2", "MEC, Solution A or B by T and |O| <= |L|", "Algorithm 2"),
                                  {threshold},
                                  {},
                                  [](const ConvShape& shape, const LaunchConfig& config) {
                                      const bool a = mec_takes_solution_a(shape, tunable_value(threshold, config));
                                      return std::make_unique<Mec>(shape, a ? Solution::a : Solution::b, true);
                                  }}));
}

}  // namespace convscope
