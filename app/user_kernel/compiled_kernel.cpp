#include "app/user_kernel/compiled_kernel.h"

#include <fmt/format.h>

#include <cstring>
#include <utility>

#include "kernels/core/error.h"
#include "kernels/simt/kernel_sources.h"

namespace convscope::app {
namespace {

/// The source says what the parameters are called, the compiler's name of the kernel of what types they are.
ptx::KernelText text_of(const CompiledLaunch& launch) {
    ptx::KernelText text;
    text.name = launch.kernel;
    text.line = simt::place_of_kernel(launch.kernel).line;
    text.parameters = parameter_types(launch.symbol);
    text.parameters.resize(launch.arguments.size());
    const std::vector<std::string> names = simt::parameter_names(launch.kernel);
    for (std::size_t i = 0; i < text.parameters.size(); ++i) {
        text.parameters[i].name = names.size() == text.parameters.size() ? names[i] : fmt::format("argument {}", i + 1);
        text.parameters[i].pointer = launch.arguments[i].array;
    }
    return text;
}

NpyBytes flat_array(const std::string& cuda_type, std::vector<std::byte> data) {
    const auto type = element_type(cuda_type);
    NpyBytes array{type ? type->numpy : "f4", {}, std::move(data)};
    array.shape = {static_cast<std::int64_t>(array.data.size() / array.element_bytes())};
    return array;
}

std::string value_text(const std::string& type, const std::vector<std::byte>& bytes) {
    if (type == "int" && bytes.size() == sizeof(int)) {
        int value = 0;
        std::memcpy(&value, bytes.data(), sizeof value);
        return std::to_string(value);
    }
    if (type == "bool" && bytes.size() == 1) return bytes[0] == std::byte{0} ? "false" : "true";
    return fmt::format("{} bytes", bytes.size());
}

}  // namespace

CompiledRun run_compiled(const KernelCall& call, double max_seconds, const std::stop_token& stop) {
    std::string reason;
    CompiledMethods* methods = compiled_methods(&reason);
    if (!methods) throw Error(ErrorKind::not_found, reason);
    validate(*call.layer);
    return methods->run(call.method, make_workload(*call.layer), call.entry, max_seconds, stop);
}

std::unique_ptr<PreparedKernel> prepare_compiled(CompiledLaunch&& launch) {
    auto kernel = std::make_shared<UserKernel>();
    kernel->ptx = std::move(launch.ptx);
    kernel->symbol = launch.symbol;
    kernel->module = ptx::read_module(kernel->ptx, launch.kernel + ".ptx");
    kernel->program = ptx::make_program(kernel->module, *kernel->module.find(launch.symbol));
    kernel->text = text_of(launch);

    auto prepared = std::make_unique<PreparedKernel>();
    KernelArguments& made = prepared->arguments;
    made.take_launch(launch.grid, launch.block, launch.cluster, launch.shared_bytes, Origin::layer);
    const auto state = [&](const std::string& name, const std::string& type, std::string text, bool array = false) {
        made.states.push_back({name, type, array, Origin::layer, std::move(text), {}, {}});
    };
    for (std::size_t i = 0; i < launch.arguments.size(); ++i) {
        CompiledLaunch::Argument& given = launch.arguments[i];
        const ptx::ParameterText& parameter = kernel->text.parameters[i];
        ptx::Argument& argument = made.list.emplace_back();
        if (!given.array) {
            state(parameter.name, parameter.type, value_text(parameter.type, given.bytes));
            argument.value = std::move(given.bytes);
            continue;
        }
        KernelArray& array = made.arrays[parameter.name];
        array.array = flat_array(parameter.type, std::move(given.bytes));
        array.history = std::move(given.written);
        argument.tensor = given.tensor;
        argument.array = ptx::ArrayArgument{.name = parameter.name,
                                            .data = array.array.data,
                                            .element_bytes = static_cast<unsigned>(array.array.element_bytes()),
                                            .history = array.history,
                                            .misaligned_bytes = given.misaligned_bytes};
        state(parameter.name, parameter.type, to_string(array.array.shape), true);
    }
    prepared->kernel = std::move(kernel);
    return prepared;
}

}  // namespace convscope::app
