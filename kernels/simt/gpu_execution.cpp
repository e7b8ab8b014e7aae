#include "kernels/simt/gpu_execution.h"

#include <utility>

#include "kernels/core/error.h"
#include "kernels/method/restricts_weights.h"

namespace convscope {

GpuMemory::GpuMemory(Gpu& gpu, std::int64_t bytes) : gpu_(&gpu), bytes_(static_cast<std::size_t>(bytes)) {
    if (bytes_ > 0) memory_ = gpu.allocate(bytes_);
}

GpuMemory::GpuMemory(GpuMemory&& other) noexcept
    : gpu_(other.gpu_), memory_(std::exchange(other.memory_, nullptr)), bytes_(std::exchange(other.bytes_, 0)) {}

GpuMemory& GpuMemory::operator=(GpuMemory&& other) noexcept {
    std::swap(gpu_, other.gpu_);
    std::swap(memory_, other.memory_);
    std::swap(bytes_, other.bytes_);
    return *this;
}

GpuMemory::~GpuMemory() {
    if (memory_) gpu_->release(memory_);
}

GpuExecution::GpuExecution(const GpuMethod& method, const GpuPlan& plan, Gpu& gpu, std::unique_ptr<GpuProgram> program,
                           std::unique_ptr<GpuProgram> pool)
    : method_(method), plan_(plan), gpu_(gpu), program_(std::move(program)), pool_(std::move(pool)) {}

GpuExecution::~GpuExecution() {
    release();
}

void GpuExecution::allocate() {
    const ConvShape& shape = plan_.shape;
    constexpr std::int64_t element = sizeof(float);
    x_ = GpuMemory(gpu_, shape.x_elements() * element);
    w_ = GpuMemory(gpu_, shape.w_elements() * element);
    prepared_weights_ = GpuMemory(gpu_, method_.prepared_weight_bytes(shape));
    y_ = GpuMemory(gpu_, shape.y_elements() * element);
    conv_ = GpuMemory(gpu_, method_.conv_bytes(shape));
    workspace_ = GpuMemory(gpu_, method_.format_bytes(shape));
    buffers_ = {x_.floats(),
                w_.floats(),
                prepared_weights_.floats(),
                y_.floats(),
                pool_ ? conv_.floats() : y_.floats(),
                static_cast<std::byte*>(workspace_.get())};
    program_->bind(gpu_, buffers_);
}

void GpuExecution::stage_inputs(const Workload& workload) {
    const ConvShape& shape = plan_.shape;
    if (const Support taken = takes_weights(method_, workload.w, plan_.config); !taken)
        throw Error(ErrorKind::usage, taken.reason);
    const Layout layout = method_.info().layout;
    staged_x_ = to_layout(workload.x, layout);
    staged_w_ = to_layout(workload.w, Layout::nchw);
    staged_y_ = Tensor(shape.n, shape.k, shape.out_h(), shape.out_w(), layout);
}

void GpuExecution::upload() {
    gpu_.upload(x_.get(), staged_x_.data.data(), x_.bytes());
    gpu_.upload(w_.get(), staged_w_.data.data(), w_.bytes());
}

void GpuExecution::prepare_weights() {
    program_->prepare_weights(gpu_, buffers_);
}

void GpuExecution::poison_output() {
    constexpr int nan_byte = 0xff;
    gpu_.fill_bytes(y_.get(), nan_byte, y_.bytes());
    // The results of an earlier run in the workspace must not be able to stand in for this one's.
    if (conv_.bytes() > 0) gpu_.fill_bytes(conv_.get(), nan_byte, conv_.bytes());
    if (workspace_.bytes() > 0) gpu_.fill_bytes(workspace_.get(), nan_byte, workspace_.bytes());
}

void GpuExecution::run(StageClock* stages) {
    program_->run(gpu_, buffers_, stages);
    if (!pool_) return;
    mark(stages, "pool");
    pool_->run(gpu_, buffers_, nullptr);
}

void GpuExecution::synchronize() {
    gpu_.synchronize();
}

void GpuExecution::download() {
    gpu_.download(staged_y_.data.data(), y_.get(), y_.bytes());
}

Tensor GpuExecution::output() const {
    return to_layout(staged_y_, Layout::nchw);
}

void GpuExecution::release() {
    program_->unbind();
    for (GpuMemory* memory : {&x_, &w_, &prepared_weights_, &y_, &conv_, &workspace_}) *memory = GpuMemory();
    buffers_ = {};
}

std::int64_t GpuExecution::workspace_bytes() const {
    return method_.workspace_bytes(plan_.shape) + program_->bound_bytes();
}

std::int64_t GpuExecution::library_workspace_bytes() const {
    return program_->library_bytes() + (method_.uses_gemm() ? gpu_.gemm_workspace_bytes() : 0);
}

std::vector<KernelLaunch> GpuExecution::launches() const {
    std::vector<KernelLaunch> kernels = plan_.kernels;
    for (KernelLaunch& kernel : kernels) {
        const int registers =
            kernel.stage == "pool" && pool_ ? pool_->registers(kernel.kernel) : program_->registers(kernel.kernel);
        if (registers > 0) kernel.registers = registers;
    }
    return kernels;
}

}  // namespace convscope
