#include "kernels/vendor/cudnn/execution.h"

#include <cuda_fp16.h>

#include <algorithm>
#include <cstring>

#include "kernels/core/error.h"
#include "kernels/vendor/cudnn/chooser.h"

namespace convscope::cudnn {
namespace {

/// Elements as the device takes them: FP32, or rounded to FP16.
std::vector<std::byte> pack(const std::vector<float>& values, DType dtype) {
    if (dtype != DType::f16) {
        std::vector<std::byte> bytes(values.size() * sizeof(float));
        std::memcpy(bytes.data(), values.data(), bytes.size());
        return bytes;
    }
    std::vector<std::byte> bytes(values.size() * sizeof(__half));
    auto* halves = reinterpret_cast<__half*>(bytes.data());
    std::transform(values.begin(), values.end(), halves, [](float value) { return __float2half_rn(value); });
    return bytes;
}

void unpack(const std::vector<std::byte>& bytes, DType dtype, std::vector<float>& values) {
    if (dtype != DType::f16) {
        std::memcpy(values.data(), bytes.data(), bytes.size());
        return;
    }
    const auto* halves = reinterpret_cast<const __half*>(bytes.data());
    std::transform(halves, halves + values.size(), values.begin(), [](__half value) { return __half2float(value); });
}

constexpr int poison = 0xFF;  // every byte of a NaN, in FP32 and in FP16

}  // namespace

CudnnExecution::CudnnExecution(const CudnnMethod& method, const ConvShape& shape, Device& device)
    : method_(method), shape_(shape), device_(device.info().id), gpu_(*device.gpu()) {}

void CudnnExecution::setup() {
    auto* stream = static_cast<cudaStream_t>(gpu_.stream());
    handle_.emplace();
    CONVSCOPE_CUDNN(cudnnSetStream(handle_->get(), stream));
    std::optional<Choice> choice = method_.chosen(device_, shape_);
    if (!choice) {
        choice = fastest(gpu_, handle_->get(), shape_, method_.info().dtype, method_.candidates());
        method_.choose(device_, shape_, *choice);
    }
    pipeline_.emplace(shape_, method_.info().dtype, *choice);
    std::int64_t workspace_bytes = 0;
    CONVSCOPE_CUDNN(pipeline_->query(handle_->get(), workspace_bytes));
    pipeline_->set_workspace(workspace_bytes);
}

void CudnnExecution::allocate() {
    const auto bytes = [&](std::int64_t elements) {
        return static_cast<std::size_t>(elements * pipeline_->element_bytes());
    };
    x_ = gpu_.allocate(bytes(shape_.x_elements()));
    w_ = gpu_.allocate(bytes(shape_.w_elements()));
    y_ = gpu_.allocate(bytes(shape_.y_elements()));
    if (shape_.pooled()) conv_ = gpu_.allocate(static_cast<std::size_t>(pipeline_->conv_bytes()));
    if (pipeline_->workspace_bytes() > 0)
        workspace_ = gpu_.allocate(static_cast<std::size_t>(pipeline_->workspace_bytes()));
}

void CudnnExecution::stage_inputs(const Workload& workload) {
    const Layout layout = pipeline_->choice().layout;
    const DType dtype = method_.info().dtype;
    staged_x_ = pack(to_layout(workload.x, layout).data, dtype);
    staged_w_ = pack(to_layout(workload.w, layout).data, dtype);
    staged_y_.resize(static_cast<std::size_t>(shape_.y_elements() * pipeline_->element_bytes()));
}

void CudnnExecution::upload() {
    gpu_.upload(x_, staged_x_.data(), staged_x_.size());
    gpu_.upload(w_, staged_w_.data(), staged_w_.size());
}

void CudnnExecution::poison_output() {
    gpu_.fill_bytes(y_, poison, staged_y_.size());
    if (conv_) gpu_.fill_bytes(conv_, poison, static_cast<std::size_t>(pipeline_->conv_bytes()));
}

void CudnnExecution::run(StageClock* stages) {
    gpu_.stream();  // makes this device the thread's current one
    pipeline_->enqueue(handle_->get(), {x_, w_, y_, conv_, workspace_}, stages);
}

void CudnnExecution::download() {
    gpu_.download(staged_y_.data(), y_, staged_y_.size());
}

Tensor CudnnExecution::output() const {
    Tensor y(shape_.n, shape_.k, shape_.out_h(), shape_.out_w(), pipeline_->choice().layout);
    unpack(staged_y_, method_.info().dtype, y.data);
    return to_layout(y, Layout::nchw);
}

void CudnnExecution::release() {
    for (void** memory : {&x_, &w_, &y_, &conv_, &workspace_}) {
        gpu_.release(*memory);
        *memory = nullptr;
    }
}

void CudnnExecution::teardown() {
    pipeline_.reset();
    handle_.reset();
}

std::int64_t CudnnExecution::workspace_bytes() const {
    return pipeline_ ? pipeline_->workspace_bytes() + pipeline_->conv_bytes() : 0;
}

}  // namespace convscope::cudnn
