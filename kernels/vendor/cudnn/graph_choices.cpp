#include "kernels/vendor/cudnn/graph_choices.h"

#include <fmt/format.h>

#include <limits>
#include <optional>

#include "kernels/core/error.h"
#include "kernels/layers/shape_fields.h"
#include "kernels/vendor/cudnn/trial.h"

namespace convscope::cudnn {
namespace {

/// That run, of each layout's list. Making a plan may compile a kernel, and what the heuristics put further down was
/// never faster.
constexpr std::size_t tried_engines = 4;

}  // namespace

/// Hands the engines of both layouts to 'attempt' until it returns false, or some of each layout have run; what it
/// throws says that one does not. The fallbacks are tried where nothing better runs in that layout. Returns the last
/// failure.
template <class Try>
std::string GraphChoices::try_engines(cudnnHandle_t handle, const ConvShape& shape, const Try& attempt) const {
    std::string failure = "it offers none";
    for (const Layout layout : {Layout::nhwc, Layout::nchw}) {
        std::size_t ran = 0;
        try {
            const ConvolutionGraph graph(handle, shape, dtype_, layout, form_);
            for (const cudnnBackendHeurMode_t heuristics : {CUDNN_HEUR_MODE_A, CUDNN_HEUR_MODE_FALLBACK}) {
                const std::vector<Engine> engines = graph.engines(heuristics);
                for (std::size_t i = 0; i < engines.size() && ran < tried_engines; ++i) {
                    try {
                        if (!attempt(Choice{layout, heuristics, i}, engines[i])) return failure;
                        ++ran;
                    } catch (const Error& error) {  // it rejects, or its workspace does not fit
                        failure = error.what();
                    }
                }
                if (ran > 0) break;
            }
        } catch (const OutOfMemory&) {
            throw;
        } catch (const Error& error) {
            failure = error.what();
        }
    }
    return failure;
}

std::string GraphChoices::none(const ConvShape& shape, const std::string& why) const {
    return fmt::format("no {} of cuDNN runs {} in {} ({})", form_ == GraphForm::fused ? "fused form" : "engine",
                       to_string(shape), to_string(dtype_), why);
}

Support GraphChoices::ask(cudnnHandle_t handle, const ConvShape& shape) const {
    bool found = false;
    const std::string failure = try_engines(handle, shape, [&](const Choice&, const Engine& engine) {
        const GraphPlan plan(handle, engine);
        found = true;
        return false;
    });
    return found ? Support{} : Support::no(none(shape, failure));
}

Support GraphChoices::supports(const ConvShape& shape) const {
    const std::string key = key_of(shape);
    {
        const std::lock_guard lock(mutex_);
        if (const auto known = answers_.find(key); known != answers_.end()) return known->second;
    }
    Support answer;
    try {
        ask_cudnn([&](cudnnHandle_t handle) { answer = ask(handle, shape); });
    } catch (const Error& error) {
        return Support::no(fmt::format("cuDNN could not be queried: {}", error.what()));
    }
    const std::lock_guard lock(mutex_);
    return answers_.emplace(key, answer).first->second;
}

GraphChoices::Choice GraphChoices::fastest(Gpu& gpu, cudnnHandle_t handle, const ConvShape& shape) const {
    const std::int64_t element = element_bytes(dtype_);
    TrialMemory x(gpu, element * shape.x_elements()), w(gpu, element * shape.w_elements());
    const TrialMemory y(gpu, element * shape.y_elements());
    const TrialMemory conv(gpu, shape.pooled() ? element * shape.conv_elements() : 0);
    x.fill_with_numbers(dtype_);
    w.fill_with_numbers(dtype_);

    std::optional<Choice> best;
    double best_us = std::numeric_limits<double>::infinity();
    const std::string failure = try_engines(handle, shape, [&](const Choice& choice, const Engine& engine) {
        const GraphPipeline pipeline(handle, shape, dtype_, choice.layout, form_, engine);
        const TrialMemory workspace(gpu, pipeline.workspace_bytes());
        const Buffers buffers{x.get(), w.get(), y.get(), conv.get(), workspace.get()};
        pipeline.prepare(gpu, buffers);
        const double us = time_us(gpu, [&] { pipeline.enqueue(handle, buffers, nullptr); });
        if (us < best_us) {
            best = choice;
            best_us = us;
        }
        return true;
    });
    if (!best) throw Error(ErrorKind::failed, none(shape, failure));
    return *best;
}

GraphChoices::Choice GraphChoices::choose(Gpu& gpu, cudnnHandle_t handle, const std::string& device,
                                          const ConvShape& shape) const {
    const std::pair key(device, key_of(shape));
    {
        const std::lock_guard lock(mutex_);
        if (const auto found = chosen_.find(key); found != chosen_.end()) return found->second;
    }
    const Choice choice = fastest(gpu, handle, shape);
    const std::lock_guard lock(mutex_);
    chosen_.insert_or_assign(key, choice);
    return choice;
}

std::unique_ptr<Pipeline> GraphChoices::make_pipeline(Gpu& gpu, cudnnHandle_t handle, const std::string& device,
                                                      const ConvShape& shape) const {
    const Choice choice = choose(gpu, handle, device, shape);
    const ConvolutionGraph graph(handle, shape, dtype_, choice.layout, form_);
    const std::vector<Engine> engines = graph.engines(choice.heuristics);
    if (choice.engine >= engines.size())
        throw Error(ErrorKind::failed, "cuDNN lists fewer engines than when the fastest was chosen");
    return std::make_unique<GraphPipeline>(handle, shape, dtype_, choice.layout, form_, engines[choice.engine]);
}

}  // namespace convscope::cudnn
