#include "kernels/vendor/cudnn/algorithm_chooser.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>

#include "kernels/core/error.h"
#include "kernels/vendor/cudnn/algorithm_pipeline.h"
#include "kernels/vendor/cudnn/staging.h"
#include "kernels/vendor/cudnn/trial.h"

namespace convscope::cudnn {
namespace {

/// On filters above 3x3 the error of cuDNN 9.14's non-fused Winograd is beyond any bound that an FP32 result is held
/// to (up to 1 % of an element, on an NVIDIA H100): a baseline has to be right.
bool too_inexact(const Choice& choice, const ConvShape& shape) {
    return choice.algorithm->id == CUDNN_CONVOLUTION_FWD_ALGO_WINOGRAD_NONFUSED && std::max(shape.r, shape.s) > 3;
}

}  // namespace

Choice fastest(Gpu& gpu, cudnnHandle_t handle, const ConvShape& shape, DType dtype,
               const std::vector<Choice>& candidates) {
    const std::int64_t element = element_bytes(dtype);
    TrialMemory x(gpu, element * shape.x_elements()), w(gpu, element * shape.w_elements());
    TrialMemory y(gpu, element * shape.y_elements());
    TrialMemory conv(gpu, shape.pooled() ? element * shape.conv_elements() : 0);
    x.fill_with_numbers(dtype);
    w.fill_with_numbers(dtype);

    std::optional<Choice> best;
    double best_us = std::numeric_limits<double>::infinity();
    std::string last_failure = "it supports none";
    for (const Choice& candidate : candidates) {
        if (too_inexact(candidate, shape)) continue;
        try {
            AlgorithmPipeline pipeline(shape, dtype, candidate);
            if (pipeline.query(handle) != CUDNN_STATUS_SUCCESS) continue;
            const TrialMemory workspace(gpu, pipeline.workspace_bytes());
            const Buffers buffers{x.get(), w.get(), y.get(), conv.get(), workspace.get()};
            const double us = time_us(gpu, [&] { pipeline.enqueue(handle, buffers, nullptr); });
            if (us >= best_us) continue;
            best = candidate;
            best_us = us;
        } catch (const Error& failure) {
            last_failure = fmt::format("{}: {}", to_string(candidate), failure.what());
        }
    }
    if (!best) throw Error(ErrorKind::failed, fmt::format("no algorithm of cuDNN ran ({})", last_failure));
    return *best;
}

}  // namespace convscope::cudnn
