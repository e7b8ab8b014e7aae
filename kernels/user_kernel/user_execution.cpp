#include "kernels/user_kernel/user_execution.h"

#include <cstring>
#include <utility>

namespace convscope {
namespace {

std::string bytes_of(const Tensor& tensor) {
    return {reinterpret_cast<const char*>(tensor.data.data()), tensor.data.size() * sizeof(float)};
}

}  // namespace

UserExecution::UserExecution(UserLaunch launch, Tensor y, Gpu& gpu)
    : launch_(std::move(launch)), y_(std::move(y)), gpu_(gpu) {}

void UserExecution::setup() {
    kernel_ = gpu_.load_kernel(launch_.ptx, launch_.symbol);
}

void UserExecution::allocate() {
    for (const UserArgument& argument : launch_.arguments)
        memory_.emplace_back(gpu_,
                             argument.role == UserRole::value ? 0 : static_cast<std::int64_t>(argument.bytes.size()));
    for (const GpuMemory& memory : memory_) addresses_.push_back(memory.get());
    for (std::size_t i = 0; i < memory_.size(); ++i) {
        UserArgument& argument = launch_.arguments[i];
        if (argument.pointer) {
            std::string& structure = launch_.arguments.at(argument.pointer->argument).bytes;
            std::memcpy(structure.data() + argument.pointer->offset, &addresses_[i], sizeof addresses_[i]);
            continue;
        }
        parameters_.push_back(argument.role == UserRole::value ? static_cast<void*>(argument.bytes.data())
                                                               : static_cast<void*>(&addresses_[i]));
    }
}

void UserExecution::upload() {
    for (std::size_t i = 0; i < memory_.size(); ++i)
        if (launch_.arguments[i].role != UserRole::y) upload(i);
}

void UserExecution::poison_output() {
    for (std::size_t i = 0; i < memory_.size(); ++i)
        if (launch_.arguments[i].role == UserRole::y || launch_.arguments[i].role == UserRole::array) upload(i);
    for (const UserVariable& variable : launch_.variables)
        gpu_.upload(kernel_->variable(variable.symbol), variable.bytes.data(), variable.bytes.size());
}

void UserExecution::upload(std::size_t at) {
    if (memory_[at].bytes() > 0)
        gpu_.upload(memory_[at].get(), launch_.arguments[at].bytes.data(), memory_[at].bytes());
}

void UserExecution::run(StageClock* stages) {
    if (stages) stages->mark("multiply");
    kernel_->launch({launch_.grid, launch_.block, launch_.cluster, launch_.shared_bytes, launch_.cooperative},
                    parameters_);
}

void UserExecution::download() {
    for (std::size_t i = 0; i < memory_.size(); ++i)
        if (launch_.arguments[i].role == UserRole::y)
            gpu_.download(y_.data.data(), memory_[i].get(), memory_[i].bytes());
}

std::vector<std::string> UserExecution::download_arrays() const {
    std::vector<std::string> arrays(memory_.size());
    for (std::size_t i = 0; i < memory_.size(); ++i) {
        arrays[i].resize(memory_[i].bytes());
        if (!arrays[i].empty()) gpu_.download(arrays[i].data(), memory_[i].get(), arrays[i].size());
    }
    for (const UserVariable& variable : launch_.variables) {
        std::string& bytes = arrays.emplace_back(variable.bytes.size(), '\0');
        gpu_.download(bytes.data(), kernel_->variable(variable.symbol), bytes.size());
    }
    return arrays;
}

void UserExecution::release() {
    memory_.clear();
    addresses_.clear();
    parameters_.clear();
}

std::vector<KernelLaunch> UserExecution::launches() const {
    KernelLaunch launch = kernel_launch(launch_);
    launch.shared_bytes += kernel_->static_shared_bytes();
    launch.registers = kernel_->registers();
    return {launch};
}

void take_inputs(UserLaunch& launch, const Workload& workload) {
    for (UserArgument& argument : launch.arguments) {
        if (argument.role == UserRole::x) argument.bytes = bytes_of(workload.x);
        if (argument.role == UserRole::w) argument.bytes = bytes_of(workload.w);
    }
}

std::int64_t workspace_bytes(const UserLaunch& launch) {
    std::int64_t bytes = 0;
    for (const UserArgument& argument : launch.arguments)
        if (argument.role == UserRole::array) bytes += static_cast<std::int64_t>(argument.bytes.size());
    return bytes;
}

KernelLaunch kernel_launch(const UserLaunch& launch) {
    const std::string name = launch.id.substr(launch.id.find('/') + 1);
    return {name, "multiply", launch.grid, launch.block, launch.shared_bytes, 0};
}

}  // namespace convscope
