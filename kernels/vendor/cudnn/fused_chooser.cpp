#include "kernels/vendor/cudnn/fused_chooser.h"

#include <fmt/format.h>

#include <limits>

#include "kernels/core/error.h"
#include "kernels/vendor/cudnn/trial.h"

namespace convscope::cudnn {
namespace {

/// Of each layout's list. Making a plan may compile a kernel, and what the heuristics put further down was never
/// faster.
constexpr std::size_t tried_engines = 4;

/// The engines of both layouts, with the last failure where there is none.
template <class Visit>
std::string each_layout(cudnnHandle_t handle, const ConvShape& shape, DType dtype, const Visit& visit) {
    std::string failure = "it offers no engine";
    for (const Layout layout : {Layout::nhwc, Layout::nchw}) {
        try {
            if (!visit(layout, FusedGraph(handle, shape, dtype, layout).engines(dtype))) break;
        } catch (const OutOfMemory&) {
            throw;
        } catch (const Error& error) {
            failure = error.what();
        }
    }
    return failure;
}

}  // namespace

Support has_fused_form(cudnnHandle_t handle, const ConvShape& shape, DType dtype) {
    bool found = false;
    const std::string failure = each_layout(handle, shape, dtype, [&](Layout, const std::vector<Engine>& engines) {
        if (!engines.empty()) {
            const FusedPlan plan(handle, engines.front());  // throws where the engine rejects after all
            found = true;
        }
        return !found;
    });
    if (found) return {};
    return Support::no(fmt::format("cuDNN has no fused form for {} ({})", to_string(shape), failure));
}

FusedChoice fastest_fused(Gpu& gpu, cudnnHandle_t handle, const ConvShape& shape, DType dtype) {
    const std::int64_t element = element_bytes(dtype);
    TrialMemory x(gpu, element * shape.x_elements()), w(gpu, element * shape.w_elements());
    const TrialMemory y(gpu, element * shape.y_elements()), conv(gpu, element * shape.conv_elements());
    x.fill_with_numbers(dtype);
    w.fill_with_numbers(dtype);

    FusedChoice best;
    double best_us = std::numeric_limits<double>::infinity();
    auto try_engine = [&](Layout layout, const Engine& engine, std::size_t number) {
        const FusedPipeline pipeline(handle, shape, dtype, layout, engine);
        const TrialMemory workspace(gpu, pipeline.workspace_bytes());
        const Buffers buffers{x.get(), w.get(), y.get(), conv.get(), workspace.get()};
        pipeline.prepare(gpu, buffers);
        const double us = time_us(gpu, [&] { pipeline.enqueue(handle, buffers, nullptr); });
        if (us >= best_us) return;
        best = {layout, number};
        best_us = us;
    };
    const std::string failure =
        each_layout(handle, shape, dtype, [&](Layout layout, const std::vector<Engine>& engines) {
            for (std::size_t i = 0; i < std::min(tried_engines, engines.size()); ++i) {
                try {
                    try_engine(layout, engines[i], i);
                } catch (const Error&) {
                    continue;  // an engine that rejects, or whose workspace does not fit
                }
            }
            return true;
        });
    if (best_us == std::numeric_limits<double>::infinity())
        throw Error(ErrorKind::failed, fmt::format("no fused form of cuDNN ran ({})", failure));
    return best;
}

}  // namespace convscope::cudnn
