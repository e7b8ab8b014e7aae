#include "kernels/mec/mec_methods.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "kernels/im2col/im2col_methods.h"

namespace convscope {
namespace {

enum class Variant { algorithm_1, solution_a, solution_b, choose };

Tunable threshold() {
    return {"T", "Solution A up to this output width q", {0, 25, 50, 100, 200, 400}, mec_default_threshold};
}

class Mec final : public GpuMethod {
public:
    Mec(MethodInfo info, Variant variant, MakeGpuProgram program, MakeGpuProgram pool)
        : GpuMethod(std::move(info), program, pool), variant_(variant) {}

    LaunchSpace launch_space(const ConvShape&) const override {
        LaunchSpace space{true, true, {}};
        if (variant_ == Variant::choose) space.tunables.push_back(threshold());
        return space;
    }
    bool prepares_weights() const override { return true; }
    bool uses_gemm() const override { return true; }
    std::int64_t format_bytes(const ConvShape& shape) const override {
        return shape.mec_elements() * std::int64_t{sizeof(float)};
    }

    std::string choice(const ConvShape& shape, const LaunchConfig& config) const override {
        if (variant_ != Variant::choose) return {};
        return takes_solution_a(shape, config) ? "Solution A" : "Solution B";
    }

private:
    Support accepts(const ConvShape& shape) const override {
        if (variant_ == Variant::algorithm_1 && (shape.n != 1 || shape.c != 1 || shape.k != 1))
            return Support::no(
                fmt::format("mec1 takes one map and one filter (n = c = k = 1), not n = {}, c = {}, "
                            "k = {}; mec2 takes any",
                            shape.n, shape.c, shape.k));
        if (variant_ == Variant::solution_a && !mec_solution_a_fits(shape))
            return Support::no(
                fmt::format("Solution A keeps a copy of the output in L, and the output ({} elements) "
                            "is larger than L ({} elements); mec2b needs no copy",
                            shape.conv_elements(), shape.mec_elements()));
        return {};
    }

    // The matrix products run in a library, some ten times as fast as simulated threads.
    double thread_steps(const ConvShape& shape) const override {
        return 3.0 * static_cast<double>(shape.mec_elements()) + 0.05 * shape.flops_dense();
    }

    bool takes_solution_a(const ConvShape& shape, const LaunchConfig& config) const {
        if (variant_ != Variant::choose) return variant_ != Variant::solution_b;
        return mec_takes_solution_a(shape, tunable(launch_space(shape), config, "T"));
    }

    ResolvedLaunch plan(const ConvShape& shape, const LaunchConfig& config, const DeviceModel&) const override {
        ResolvedLaunch resolved =
            plan_lowering("mec_lower", shape.n * shape.q() * shape.padded_h(), shape.s * shape.c, config);
        if (!resolved.support || shape.n == 1 || !takes_solution_a(shape, config)) return resolved;
        constexpr std::int64_t threads = 256;
        const Dim3 grid{ceil_div(shape.conv_elements(), threads), 1, 1}, block{threads, 1, 1};
        resolved.kernels.push_back(kernel_launch("mec_copy", "multiply", grid, block));
        resolved.kernels.push_back(kernel_launch("mec_permute", "multiply", grid, block));
        return resolved;
    }

    const Variant variant_;
};

}  // namespace

MethodInfo mec_info(const char* id, const char* title, const char* follows, DeviceKind device) {
    return {.id = id,
            .family = "mec",
            .title = title,
            .paper = "Cho & Brand 2017",
            .follows = follows,
            .device = device,
            .layout = Layout::nhwc,
            .stages = {"convert", "multiply", "pool"}};
}

std::vector<std::unique_ptr<Method>> make_mec_methods(DeviceKind device, MakeGpuProgram program, MakeGpuProgram pool) {
    struct Row {
        const char *id, *title, *follows;
        Variant variant;
    };
    std::vector<std::unique_ptr<Method>> methods;
    for (const Row& row : {Row{"mec1", "MEC, vanilla", "Algorithm 1, Fig. 2", Variant::algorithm_1},
                           Row{"mec2a", "MEC, Solution A", "Algorithm 2, lines 9-19, Fig. 3", Variant::solution_a},
                           Row{"mec2b", "MEC, Solution B", "Algorithm 2, lines 21-25, Fig. 3", Variant::solution_b},
                           Row{"mec2", "MEC, Solution A or B by T and |O| <= |L|", "Algorithm 2", Variant::choose}})
        methods.push_back(
            std::make_unique<Mec>(mec_info(row.id, row.title, row.follows, device), row.variant, program, pool));
    return methods;
}

}  // namespace convscope
