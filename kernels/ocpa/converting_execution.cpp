#include "kernels/ocpa/converting_execution.h"

#include <utility>

#include "kernels/core/error.h"
#include "kernels/simt/launch_plan.h"

namespace convscope {
namespace {

constexpr int nan_byte = 0xff;

}  // namespace

ConvertingExecution::ConvertingExecution(std::unique_ptr<Execution> inner, const ConvShape& shape, Layout layout,
                                         Gpu& gpu, const MapLaunchers& launchers)
    : inner_(std::move(inner)),
      maps_(dynamic_cast<ResidentMaps*>(inner_.get())),
      shape_(shape),
      layout_(layout),
      gpu_(gpu),
      launchers_(launchers) {
    if (!maps_) throw Error(ErrorKind::usage, "it does not say where its maps are on the GPU");
}

/// One channel, or maps of one place, are stored alike in both.
bool ConvertingExecution::converts() const {
    const bool same_x = shape_.c == 1 || shape_.h * shape_.w == 1;
    const bool same_y = shape_.k == 1 || shape_.out_h() * shape_.out_w() == 1;
    return maps_->map_layout() != layout_ && !(same_x && same_y);
}

void ConvertingExecution::allocate() {
    inner_->allocate();
    if (!converts()) return;
    x_ = GpuMemory(gpu_, shape_.x_elements() * float_bytes);
    y_ = GpuMemory(gpu_, shape_.y_elements() * float_bytes);
}

void ConvertingExecution::stage_inputs(const Workload& workload) {
    inner_->stage_inputs(workload);
    if (!converts()) return;
    staged_x_ = to_layout(workload.x, layout_);
    staged_y_ = Tensor(shape_.n, shape_.k, shape_.out_h(), shape_.out_w(), layout_);
}

void ConvertingExecution::upload() {
    inner_->upload();
    if (!converts()) return;
    gpu_.upload(x_.get(), staged_x_.data.data(), x_.bytes());
    gpu_.fill_bytes(maps_->device_x(), nan_byte, x_.bytes());
}

void ConvertingExecution::poison_output() {
    inner_->poison_output();
    if (converts()) gpu_.fill_bytes(y_.get(), nan_byte, y_.bytes());
}

void ConvertingExecution::run(StageClock* stages) {
    if (!converts()) return inner_->run(stages);
    mark(stages, "convert");
    launchers_.turn(gpu_, turned_x(), x_.floats(), maps_->device_x());
    inner_->run(stages);
    mark(stages, "convert");
    launchers_.turn(gpu_, turned_y(), maps_->device_y(), y_.floats());
}

void ConvertingExecution::download() {
    if (!converts()) return inner_->download();
    gpu_.download(staged_y_.data.data(), y_.get(), y_.bytes());
}

void ConvertingExecution::release() {
    inner_->release();
    x_ = GpuMemory();
    y_ = GpuMemory();
}

std::int64_t ConvertingExecution::workspace_bytes() const {
    return inner_->workspace_bytes() + static_cast<std::int64_t>(x_.bytes() + y_.bytes());
}

std::vector<KernelLaunch> ConvertingExecution::launches() const {
    std::vector<KernelLaunch> kernels = inner_->launches();
    if (!converts()) return kernels;
    kernels.insert(kernels.begin(), plan_turn(turned_x()));
    kernels.push_back(plan_turn(turned_y()));
    return kernels;
}

}  // namespace convscope
