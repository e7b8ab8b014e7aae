#include "kernels/cpu/grouped_execution.h"

namespace convscope {

GroupedExecution::GroupedExecution(const ConvShape& shape, const MakeGroup& make) : shape_(shape) {
    for (std::int64_t group = 0; group < shape.groups; ++group) groups_.push_back(make(one_group(shape)));
}

void GroupedExecution::setup() {
    for (const auto& group : groups_) group->setup();
}

void GroupedExecution::allocate() {
    for (const auto& group : groups_) group->allocate();
}

void GroupedExecution::stage_inputs(const Workload& workload) {
    for (std::size_t i = 0; i < groups_.size(); ++i)
        groups_[i]->stage_inputs(group_of(workload, static_cast<std::int64_t>(i)));
}

void GroupedExecution::upload() {
    for (const auto& group : groups_) group->upload();
}

void GroupedExecution::prepare_weights() {
    for (const auto& group : groups_) group->prepare_weights();
}

void GroupedExecution::poison_output() {
    for (const auto& group : groups_) group->poison_output();
}

void GroupedExecution::run(StageClock* stages) {
    for (const auto& group : groups_) group->run(stages);
}

void GroupedExecution::download() {
    for (const auto& group : groups_) group->download();
}

Tensor GroupedExecution::output() const {
    Tensor y(shape_.n, shape_.k, shape_.out_h(), shape_.out_w());
    for (std::size_t i = 0; i < groups_.size(); ++i) put_group(y, static_cast<std::int64_t>(i), groups_[i]->output());
    return y;
}

void GroupedExecution::release() {
    for (const auto& group : groups_) group->release();
}

void GroupedExecution::teardown() {
    for (const auto& group : groups_) group->teardown();
}

std::int64_t GroupedExecution::workspace_bytes() const {
    std::int64_t bytes = 0;
    for (const auto& group : groups_) bytes += group->workspace_bytes();
    return bytes;
}

std::int64_t GroupedExecution::library_workspace_bytes() const {
    std::int64_t bytes = 0;
    for (const auto& group : groups_) bytes += group->library_workspace_bytes();
    return bytes;
}

}  // namespace convscope
