#include "kernels/cpu/cpu_execution.h"

#include <cstring>
#include <stdexcept>

#include "kernels/cpu/pool_cpu.h"

namespace convscope {

CpuExecution::CpuExecution(const ConvShape& shape, Layout layout, bool fuses_pooling)
    : shape_(shape),
      layout_(layout),
      separate_pooling_(shape.pooled() && !fuses_pooling),
      x_(shape.x_elements()),
      w_(shape.w_elements()),
      y_(shape.y_elements()),
      unpooled_(separate_pooling_ ? shape.conv_elements() : 0) {
    use_workspace(unpooled_);
}

void CpuExecution::allocate() {
    for (AlignedBuffer<float>* buffer : {&x_, &w_, &y_}) buffer->allocate();
    for (RawBuffer* buffer : workspace_) buffer->allocate();
    for (RawBuffer* buffer : weights_) buffer->allocate();
}

void CpuExecution::stage_inputs(const Workload& workload) {
    if (workload.x.elements() != shape_.x_elements() || workload.w.elements() != shape_.w_elements())
        throw std::logic_error("stage_inputs: the workload has another shape than the execution");
    staged_x_ = to_layout(workload.x, layout_);
    staged_w_ = to_layout(workload.w, Layout::nchw);
    staged_y_ = Tensor(shape_.n, shape_.k, shape_.out_h(), shape_.out_w(), layout_);
}

void CpuExecution::upload() {
    std::memcpy(x_.data(), staged_x_.data.data(), static_cast<std::size_t>(x_.bytes()));
    std::memcpy(w_.data(), staged_w_.data.data(), static_cast<std::size_t>(w_.bytes()));
}

void CpuExecution::poison_output() {
    constexpr int nan_byte = 0xff;
    std::memset(y_.data(), nan_byte, static_cast<std::size_t>(y_.bytes()));
    // Results of an earlier run, or of an earlier owner of the memory, must not be able to stand in for this run's.
    for (const RawBuffer* buffer : workspace_) buffer->fill_bytes(nan_byte);
}

void CpuExecution::run(StageClock* stages) {
    convolve(separate_pooling_ ? unpooled_.data() : y_.data(), stages);
    if (!separate_pooling_) return;
    mark(stages, "pool");
    relu_max_pool(shape_, layout_, unpooled_.data(), y_.data());
}

void CpuExecution::download() {
    std::memcpy(staged_y_.data.data(), y_.data(), static_cast<std::size_t>(y_.bytes()));
}

Tensor CpuExecution::output() const {
    return to_layout(staged_y_, Layout::nchw);
}

void CpuExecution::release() {
    for (RawBuffer* buffer : workspace_) buffer->release();
    for (RawBuffer* buffer : weights_) buffer->release();
    for (AlignedBuffer<float>* buffer : {&x_, &w_, &y_}) buffer->release();
}

std::int64_t CpuExecution::workspace_bytes() const {
    std::int64_t bytes = 0;
    for (const RawBuffer* buffer : workspace_) bytes += buffer->bytes();
    return bytes;
}

}  // namespace convscope
