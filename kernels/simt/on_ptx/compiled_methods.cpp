#include "kernels/registry/compiled_methods.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <memory>
#include <utility>

#include "kernels/core/error.h"
#include "kernels/measure/verify.h"
#include "kernels/ocpa/layer_choice.h"
#include "kernels/reference/reference_result.h"
#include "kernels/simt/gpu_registration.h"
#include "kernels/simt/on_ptx/on_ptx.h"
#include "kernels/simt/on_ptx/ptx_gpu.h"
#include "kernels/simt/on_ptx/watched_execution.h"

namespace convscope::on_ptx {
namespace {

/// "union1_sum", and "union1_sum (2)" for the second of them.
std::string name_among(const std::vector<std::string>& before, const std::string& kernel) {
    std::string name = kernel;
    for (int i = 2; std::ranges::find(before, name) != before.end(); ++i) name = fmt::format("{} ({})", kernel, i);
    return name;
}

class OnPtx final : public CompiledMethods {
public:
    OnPtx() { on_sim::register_gpu_methods(simulated_); }

    std::vector<std::string> ids() const override {
        std::vector<std::string> ids;
        for (const Method* method : device_.registry.methods(DeviceKind::cuda))
            if (!simulated_.find(method->info().id, DeviceKind::sim) && !times_candidates(*method))
                ids.push_back(method->info().id);
        return ids;
    }

    std::string reason(const std::string& id, const ConvShape& shape) const override {
        return device_.registry.get(id, DeviceKind::cuda).supports(shape).reason;
    }

    std::unique_ptr<CompiledExecution> instantiate(const std::string& id, const ConvShape& shape,
                                                   const LaunchConfig& config) override {
        return std::make_unique<WatchedExecution>(device_.registry.get(id, DeviceKind::cuda), shape, config);
    }

    CompiledRun run(const std::string& id, const Workload& workload, const std::string& kernel, double max_seconds,
                    const std::stop_token& stop) override {
        const Method& method = device_.registry.get(id, DeviceKind::cuda);
        const ConvShape& shape = workload.spec.shape;
        if (const std::string why = reason(id, shape); !why.empty()) throw Error(ErrorKind::usage, why);
        PtxGpu& gpu = *device_.gpu;
        CompiledRun run;
        CompiledLaunch candidate;
        using Rank = std::pair<std::int64_t, std::int64_t>;
        constexpr Rank none{-1, -1}, named{INT64_MAX, 0};
        Rank best = none;
        bool prepares = true;  // the weights: what is launched meanwhile is shown on request only
        const auto rank = [&] {
            const ptx::LaunchCounts& counts = gpu.launches.back().counts;
            if (run.kernels.back() == kernel) return named;
            return prepares
                       ? none
                       : Rank{counts.by_kind[static_cast<std::size_t>(ptx::Kind::matrix)], counts.thread_instructions};
        };
        std::size_t taken = 0;
        const auto take = [&] {  // the launch before, whose counts are known now
            if (taken == run.kernels.size()) return;
            taken = run.kernels.size();
            for (const std::string& finding : gpu.launches.back().findings)
                if (run.difference.empty()) run.difference = fmt::format("{}: {}", run.kernels.back(), finding);
            if (const Rank its = rank(); its > best) {
                best = its;
                run.chosen = run.kernels.size() - 1;
                run.launch = std::move(candidate);
            }
        };
        const auto deadline = std::chrono::steady_clock::now() + std::chrono::duration<double>(max_seconds);
        gpu.launches.clear();
        gpu.stop = stop;
        gpu.before = [&](CompiledLaunch launch) {
            take();
            run.kernels.push_back(name_among(run.kernels, launch.kernel));
            candidate = std::move(launch);
            gpu.max_seconds = std::chrono::duration<double>(deadline - std::chrono::steady_clock::now()).count();
            if (gpu.max_seconds <= 0)
                throw Error(ErrorKind::failed, fmt::format("{} did not end within {} s", id, max_seconds));
        };
        const std::unique_ptr<PtxGpu, void (*)(PtxGpu*)> reset(&gpu, [](PtxGpu* used) {
            used->before = nullptr;
            used->launches.clear();
        });
        const auto execution = method.instantiate(shape, {}, device_.device());
        execution->setup();
        execution->allocate();
        execution->stage_inputs(workload);
        execution->upload();
        execution->prepare_weights();
        take();
        prepares = false;
        execution->poison_output();
        execution->run();
        execution->download();
        take();
        const ReferenceResult reference = reference_result(workload, stop);
        const Verification result =
            verify(execution->output(), reference.y, reference.scale, shape, method.info().dtype,
                   summation_of(method.info(), *execution), reference.largest_scale);
        run.error = result.max_rel_err;
        run.tolerance = result.tolerance;
        if (!result.ok) run.difference = result.reason;
        return run;
    }

private:
    PtxDevice device_;
    Registry simulated_;
};

}  // namespace

std::unique_ptr<CompiledMethods> make_compiled_methods() {
    return std::make_unique<OnPtx>();
}

}  // namespace convscope::on_ptx
