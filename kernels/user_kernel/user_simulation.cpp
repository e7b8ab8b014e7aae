#include "kernels/user_kernel/user_simulation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <span>

#include "kernels/core/error.h"
#include "kernels/ptx/run/launch.h"
#include "kernels/ptx/toolchain/compile.h"
#include "kernels/user_kernel/user_execution.h"

namespace convscope {
void UserSimulation::setup() {
    module_ = ptx::read_module(launch_.ptx, launch_.id + ".ptx");
    program_ = ptx::make_program(module_, *module_.find(launch_.symbol));
    try {
        if (const auto assembled = ptx::assemble({launch_.ptx, launch_.symbol}, stop_))
            registers_ = assembled->registers;
    } catch (const Error&) {  // then there is no occupancy, and a row all the same
        if (stop_.stop_requested()) throw;
    }
}

std::vector<KernelLaunch> UserSimulation::launches() const {
    if (registers_ == 0) return {};
    KernelLaunch launch = kernel_launch(launch_);
    launch.shared_bytes += program_.static_shared_bytes;
    launch.registers = registers_;
    return {launch};
}

void UserSimulation::run(StageClock*) {
    std::vector<std::string> arrays;
    for (const UserArgument& argument : launch_.arguments) arrays.push_back(argument.bytes);
    ptx::LaunchRequest request;
    request.grid = launch_.grid;
    request.block = launch_.block;
    request.shared_bytes = launch_.shared_bytes;
    request.cluster = launch_.cluster;
    std::vector<UserVariable> variables = launch_.variables;
    for (UserVariable& variable : variables)
        request.variables[variable.name] = std::as_writable_bytes(std::span(variable.bytes));
    request.counts = true;
    request.stop = stop_;
    for (std::size_t i = 0; i < arrays.size(); ++i) {
        const UserArgument& argument = launch_.arguments[i];
        const auto bytes = std::as_writable_bytes(std::span(arrays[i]));
        if (argument.role == UserRole::value) {
            request.arguments.emplace_back().value.assign(bytes.begin(), bytes.end());
            continue;
        }
        const ptx::ArrayArgument array{.name = argument.name,
                                       .data = bytes,
                                       .element_bytes = argument.element_bytes,
                                       .written = argument.written,
                                       .writable = argument.writable};
        if (argument.pointer)
            request.arguments.at(argument.pointer->argument).members.push_back({argument.pointer->offset, array});
        else
            request.arguments.emplace_back().array = array;
    }
    const ptx::LaunchResult result = ptx::run(program_, request);
    if (!result.failure.empty()) throw Error(ErrorKind::failed, result.failure);
    if (!result.findings.empty()) {
        const std::size_t more = result.findings.size() - 1;
        throw Error(ErrorKind::wrong, result.findings.front().line(module_) +
                                          (more > 0 ? fmt::format("; and {} more findings", more) : std::string()));
    }
    cost_ = ptx::run_cost_of(result.counts);
    for (std::size_t i = 0; i < arrays.size(); ++i)
        if (launch_.arguments[i].role == UserRole::y) std::memcpy(y_.data.data(), arrays[i].data(), arrays[i].size());
}

}  // namespace convscope
