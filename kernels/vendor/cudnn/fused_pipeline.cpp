#include "kernels/vendor/cudnn/fused_pipeline.h"

#include <fmt/format.h>

namespace convscope::cudnn {
namespace {

/// "engine 6, winograd, NHWC"
std::string describe(Layout layout, const Engine& engine) {
    return fmt::format("engine {}{}{}, {}", engine.index, engine.winograd ? ", winograd" : "",
                       engine.fft ? ", fft" : "", layout == Layout::nhwc ? "NHWC" : "NCHW");
}

}  // namespace

FusedPipeline::FusedPipeline(cudnnHandle_t handle, const ConvShape& shape, DType dtype, Layout layout,
                             const Engine& engine)
    : shape_(shape),
      dtype_(dtype),
      layout_(layout),
      plan_(handle, engine),
      choice_(describe(layout, engine)),
      summation_(engine.winograd || engine.fft ? Summation::transform : Summation::direct),
      pooling_(shape, dtype, layout) {}

void FusedPipeline::prepare(Gpu& gpu, const Buffers& buffers) const {
    gpu.fill_bytes(bias(buffers), 0, static_cast<std::size_t>(element_bytes(dtype_) * shape_.k));
}

void FusedPipeline::enqueue(cudnnHandle_t handle, const Buffers& buffers, StageClock* stages) const {
    if (stages) stages->mark("multiply");
    plan_.enqueue(handle, {buffers.x, buffers.w, bias(buffers), buffers.conv, buffers.workspace});
    if (stages) stages->mark("pool");
    pooling_.pool(handle, buffers.conv, buffers.y);
}

}  // namespace convscope::cudnn
