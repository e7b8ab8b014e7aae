#include "app/user_kernel/gpu_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <span>

#include "kernels/core/error.h"

namespace convscope::app {
namespace {

std::string text_of(std::span<const std::byte> bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

UserRole role_of(const KernelArguments& arguments, const std::string& name) {
    if (name == arguments.input) return UserRole::x;
    if (name == arguments.weights) return UserRole::w;
    return name == arguments.output ? UserRole::y : UserRole::array;
}

}  // namespace

std::string architecture_of(const DeviceInfo& info) {
    std::string digits = info.compute_capability;
    std::erase(digits, '.');
    // From 9.0 on an 'a' lets a kernel use what only this very capability has: wgmma, for one.
    return digits + (info.model.cc_major >= 9 ? "a" : "");
}

UserLaunch user_launch(const PreparedKernel& prepared, const KernelCall& call) {
    const KernelArguments& arguments = prepared.arguments;
    UserLaunch launch{"own/" + prepared.kernel->text.name,
                      whole_defines(call),
                      prepared.kernel->ptx,
                      prepared.kernel->symbol,
                      arguments.grid,
                      arguments.block,
                      arguments.shared_bytes,
                      {}};
    const ptx::Module& module = prepared.kernel->module;
    const ptx::Function& kernel = *module.find(launch.symbol);
    if (arguments.cluster != kernel.cluster) launch.cluster = arguments.cluster;
    launch.cooperative = module.uses_grid(kernel);
    for (const auto& [name, bytes] : arguments.variables)
        launch.variables.push_back({name, module.find_variable(name)->name, text_of(bytes)});
    const auto add_array = [&](const ptx::ArrayArgument& array, std::optional<UserArgument::Pointer> pointer) {
        launch.arguments.push_back({array.name, role_of(arguments, array.name), text_of(array.data),
                                    array.element_bytes, array.written, array.writable, pointer});
    };
    std::vector<std::string> names(arguments.list.size());  // of values; of a structure none
    for (const ptx::ParameterText& parameter : prepared.kernel->text.parameters)
        if (!parameter.member) names[parameter.parameter] = parameter.name;
    for (std::size_t i = 0; i < arguments.list.size(); ++i) {
        const ptx::Argument& argument = arguments.list[i];
        if (argument.tensor && launch.rejected.empty())
            launch.rejected =
                fmt::format("'{}' is a tensor map, which only 'kernel' on the simulated GPU makes", names[i]);
        if (argument.array)
            add_array(*argument.array, std::nullopt);
        else
            launch.arguments.push_back({names[i], UserRole::value, text_of(argument.value)});
    }
    for (std::size_t i = 0; i < arguments.list.size(); ++i)
        for (const ptx::Argument::Member& member : arguments.list[i].members)
            add_array(member.array, UserArgument::Pointer{i, member.offset});
    return launch;
}

UserLaunch without_layer(UserLaunch launch) {
    for (UserArgument& argument : launch.arguments)
        if (argument.role != UserRole::value && argument.role != UserRole::array) argument.bytes.clear();
    return launch;
}

UserRunResult run_on_gpu(PreparedKernel& prepared, const UserLaunch& launch, const std::string& device,
                         const MeasureOptions& options, bool timed, const std::stop_token& stop) {
    if (!launch.rejected.empty()) throw Error(ErrorKind::usage, launch.rejected);
    constexpr std::chrono::seconds longest_silence{30};
    UserRunResult result = run_user_isolated({device, launch, options, timed}, stop, longest_silence);
    for (std::size_t i = 0; i < launch.arguments.size(); ++i) {
        if (launch.arguments[i].role == UserRole::value) continue;
        std::vector<std::byte>& data = prepared.arguments.arrays.at(launch.arguments[i].name).array.data;
        std::memcpy(data.data(), result.arrays.at(i).data(), data.size());
    }
    for (std::size_t i = 0; i < launch.variables.size(); ++i)
        std::ranges::copy(std::as_bytes(std::span(result.arrays.at(launch.arguments.size() + i))),
                          prepared.arguments.variables.at(launch.variables[i].name).begin());
    return result;
}

bool computes_layer(const PreparedKernel& prepared) {
    const KernelArguments& arguments = prepared.arguments;
    const auto is_layers = [&](const std::string& name) {
        const auto state = std::ranges::find(arguments.states, name, &ArgumentState::name);
        return !name.empty() && state->origin == Origin::layer;
    };
    return is_layers(arguments.input) && is_layers(arguments.weights) && is_layers(arguments.output);
}

PointRequest point_of(const Registry& registry, const WorkloadSpec& spec, std::vector<UserLaunch> variants,
                      const std::string& device, const MeasureOptions& options) {
    PointRequest request{spec, device, {}, options};
    for (UserLaunch& variant : variants) {
        request.candidates.push_back({variant.id, {{}, {}, {variant.tunables.begin(), variant.tunables.end()}}});
        variant = without_layer(std::move(variant));
    }
    request.own = std::move(variants);
    for (const Method* method : registry.methods(DeviceKind::cuda))
        if (method->info().vendor_best && method->supports(request.spec.shape))
            request.candidates.push_back({method->info().id, {}});
    return request;
}

}  // namespace convscope::app
