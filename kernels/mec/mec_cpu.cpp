// MEC on the CPU: Algorithm 1 (mec1) and Algorithm 2 (mec2a, mec2b, and mec2, which picks one of them).
#include <algorithm>
#include <memory>
#include <vector>

#include "kernels/core/parallel.h"
#include "kernels/cpu/blas.h"
#include "kernels/cpu/cpu_execution.h"
#include "kernels/cpu/cpu_method.h"
#include "kernels/cpu/weights_gemm.h"
#include "kernels/mec/mec_choice.h"
#include "kernels/mec/mec_layout.h"
#include "kernels/method/registry.h"

namespace convscope {
namespace {

enum class Solution { one, a, b };

class Mec final : public CpuExecution {
public:
    Mec(const ConvShape& shape, Solution solution, const LaunchConfig& config, bool chosen = false)
        : CpuExecution(shape, Layout::nhwc),
          solution_(solution),
          chosen_(chosen),
          gemm_(shape, tunable_value(openblas_tunable(), config) == 1),
          lowered_(shape.mec_elements()),
          weights_(gemm_.elements()) {
        use_workspace(lowered_);
        if (solution != Solution::one) use_weights(weights_);
    }

    void prepare_weights() override {
        if (solution_ != Solution::one) gemm_.prepare(w(), weights_.data());
    }

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
            sgemv(s.q(), s.window(), s.padded_h() * s.s, lowered_.data() + mec_partition(s, p).begin, w(),
                  y + p * s.q());
    }

    /// Algorithm 2, lines 11-13 (groups = 1, Solution A) and 21-25 (groups = n, Solution B): one product for each
    /// group of rows of L and each partition. Writes [groups][p][rows][k].
    void multiply_all(float* y, std::int64_t groups, std::int64_t rows) {
        const ConvShape& s = shape();
        const std::int64_t p = s.p(), row = s.padded_h() * s.s * s.c;
        const float* L = lowered_.data();
        gemm_.multiply(weights_.data(),
                       {.count = groups * p,
                        .rows = rows,
                        .lda = row,
                        .a = [=, &s](std::int64_t i) { return L + i / p * rows * row + mec_partition(s, i % p).begin; },
                        .c = y});
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
    WeightsGemm gemm_;
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

const Tunable threshold{"T", "Solution A up to this output width q", {0, 25, 50, 100, 200, 400}, mec_default_threshold};

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
    return [solution](const ConvShape& shape, const LaunchConfig& config) {
        return std::make_unique<Mec>(shape, solution, config);
    };
}

}  // namespace

void register_mec(Registry& registry) {
    const std::vector<Tunable> product{openblas_tunable()}, choice{threshold, openblas_tunable()};
    registry.add(make_cpu_method(
        {describe("mec1", "MEC, vanilla", "Algorithm 1, Fig. 2"), {}, single_map, bind(Solution::one)}));
    registry.add(make_cpu_method({describe("mec2a", "MEC, Solution A", "Algorithm 2, lines 9-19, Fig. 3"), product,
                                  solution_a_fits, bind(Solution::a)}));
    registry.add(make_cpu_method(
        {describe("mec2b", "MEC, Solution B", "Algorithm 2, lines 21-25, Fig. 3"), product, {}, bind(Solution::b)}));
    auto bind_chosen = [](const ConvShape& shape, const LaunchConfig& config) {
        const bool a = mec_takes_solution_a(shape, tunable_value(threshold, config));
        return std::make_unique<Mec>(shape, a ? Solution::a : Solution::b, config, true);
    };
    registry.add(make_cpu_method(
        {describe("mec2", "MEC, Solution A or B by T and |O| <= |L|", "Algorithm 2"), choice, {}, bind_chosen}));
}

}  // namespace convscope
