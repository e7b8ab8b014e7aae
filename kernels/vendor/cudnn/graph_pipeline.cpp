#include "kernels/vendor/cudnn/graph_pipeline.h"

#include <fmt/format.h>

namespace convscope::cudnn {
namespace {

/// "engine 6, winograd, NHWC"
std::string describe(Layout layout, const Engine& engine) {
    return fmt::format("engine {}{}{}, {}", engine.index, engine.winograd ? ", winograd" : "",
                       engine.fft ? ", fft" : "", layout == Layout::nhwc ? "NHWC" : "NCHW");
}

}  // namespace

GraphPipeline::GraphPipeline(cudnnHandle_t handle, const ConvShape& shape, DType dtype, Layout layout, GraphForm form,
                             const Engine& engine)
    : shape_(shape),
      dtype_(dtype),
      layout_(layout),
      form_(form),
      plan_(handle, engine),
      choice_(describe(layout, engine)),
      summation_(engine.winograd || engine.fft ? Summation::transform : Summation::direct) {
    if (shape.pooled()) pooling_.emplace(shape, dtype, layout);
}

void GraphPipeline::prepare(Gpu& gpu, const Buffers& buffers) const {
    if (fused()) gpu.fill_bytes(bias(buffers), 0, static_cast<std::size_t>(bias_bytes()));
}

void GraphPipeline::enqueue(cudnnHandle_t handle, const Buffers& buffers, StageClock* stages) const {
    void* conv = pooling_ ? buffers.conv : buffers.y;
    if (stages) stages->mark("multiply");
    plan_.enqueue(handle, {buffers.x, buffers.w, fused() ? bias(buffers) : nullptr, conv, buffers.workspace});
    if (!pooling_) return;
    if (stages) stages->mark("pool");
    if (!fused()) pooling_->rectify(handle, conv);
    pooling_->pool(handle, conv, buffers.y);
}

}  // namespace convscope::cudnn
