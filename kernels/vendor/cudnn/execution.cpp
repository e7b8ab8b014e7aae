#include "kernels/vendor/cudnn/execution.h"

#include "kernels/core/error.h"
#include "kernels/vendor/cudnn/staging.h"

namespace convscope::cudnn {

CudnnExecution::CudnnExecution(const PipelineMethod& method, const ConvShape& shape, Device& device)
    : method_(method), shape_(shape), device_(device.info().id), gpu_(*device.gpu()) {}

void CudnnExecution::setup() {
    auto* stream = static_cast<cudaStream_t>(gpu_.stream());
    handle_.emplace();
    CONVSCOPE_CUDNN(cudnnSetStream(handle_->get(), stream));
    pipeline_ = method_.make_pipeline(gpu_, handle_->get(), device_, shape_);
}

void CudnnExecution::allocate() {
    const auto bytes = [&](std::int64_t elements) {
        return static_cast<std::size_t>(elements * element_bytes(method_.info().dtype));
    };
    x_ = gpu_.allocate(bytes(shape_.x_elements()));
    w_ = gpu_.allocate(bytes(shape_.w_elements()));
    y_ = gpu_.allocate(bytes(shape_.y_elements()));
    if (pipeline_->conv_bytes() > 0) conv_ = gpu_.allocate(static_cast<std::size_t>(pipeline_->conv_bytes()));
    if (pipeline_->workspace_bytes() > 0)
        workspace_ = gpu_.allocate(static_cast<std::size_t>(pipeline_->workspace_bytes()));
    pipeline_->prepare(gpu_, {x_, w_, y_, conv_, workspace_});
}

void CudnnExecution::stage_inputs(const Workload& workload) {
    const Layout layout = pipeline_->layout();
    const DType dtype = method_.info().dtype;
    staged_x_ = pack(to_layout(workload.x, layout).data, dtype);
    staged_w_ = pack(to_layout(workload.w, layout).data, dtype);
    staged_y_.resize(static_cast<std::size_t>(shape_.y_elements() * element_bytes(method_.info().dtype)));
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
    Tensor y(shape_.n, shape_.k, shape_.out_h(), shape_.out_w(), pipeline_->layout());
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

}  // namespace convscope::cudnn
