#include "app/user_kernel/recorded_kernel.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "app/user_kernel/number_bytes.h"
#include "kernels/core/error.h"

namespace convscope::app {
namespace {

ptx::KernelText read_text_of(const UserKernel& kernel, const std::string& source, const std::string& file) {
    const ptx::Function& entry = *kernel.module.find(kernel.symbol);
    const auto placed = std::ranges::find_if(entry.code, [](const auto& each) { return each.source.file != 0; });
    const unsigned line = placed == entry.code.end() ? 0 : placed->source.line;
    const auto entries = entry_names(kernel.module);
    const auto name = std::ranges::find(entries, kernel.symbol, &EntryName::symbol);
    if (name == entries.end()) throw Error(ErrorKind::failed, "what is kept of this launch names no kernel");
    ptx::KernelText text;
    try {
        if (auto read = ptx::read_kernel_text(source, file, name->base, {}, line)) text = std::move(*read);
    } catch (const Error&) {  // its comment is for 'convscope kernel'
    }
    text.name = name->shown;
    const std::size_t count = entry.parameters.size();
    if (text.parameters.size() != count) text.parameters.assign(count, {});
    const auto types = parameter_types(kernel.symbol);
    for (std::size_t i = 0; i < count; ++i) {
        ptx::ParameterText& parameter = text.parameters[i];
        if (parameter.name.empty()) parameter.name = fmt::format("argument {}", i + 1);
        // The compiler's name of the kernel has the type that a template or a header calls T.
        if (types.size() == count && !element_type(parameter.type))
            parameter = {parameter.name, types[i].type, types[i].pointer, types[i].constant};
    }
    return text;
}

/// The element type of an array, by the parameter or the variable of its name.
std::string numpy_type(const ptx::KernelText& text, const RecordedLaunch::Array& array) {
    std::string cuda;
    const auto parameter = std::ranges::find(text.parameters, array.name, &ptx::ParameterText::name);
    if (parameter != text.parameters.end()) cuda = parameter->type;
    if (const auto variable = text.variables.find(array.name); variable != text.variables.end())
        cuda = variable->second;
    const auto type = element_type(cuda);
    const std::string numpy = type ? type->numpy : array.bytes % 4 == 0 ? "u4" : "u1";
    return array.bytes % static_cast<std::uint64_t>(numpy[1] - '0') == 0 ? numpy : "u1";
}

std::unique_ptr<RecordedMemory> memory_of(RecordedLaunch&& launch, const ptx::KernelText& text) {
    auto made = std::make_unique<RecordedMemory>();
    for (const RecordedLaunch::Array& each : launch.memory) {
        NpyBytes& array = made->arrays.emplace_back(NpyBytes{numpy_type(text, each), {}, {}});
        std::vector<std::uint8_t>& written = made->written.emplace_back();
        if (!each.freed) {
            array.data.resize(each.bytes);
            std::ranges::copy(each.data, array.data.begin());
            written.resize(each.bytes / 4 + 1, 15);
            std::memcpy(written.data(), each.written.data(), each.written.size());
        }
        array.shape = {static_cast<std::int64_t>(each.bytes / array.element_bytes())};
        ptx::LentArray& lent = made->lent.emplace_back();
        lent.address = each.address;
        lent.room = each.room;
        lent.array.name = each.name;
        lent.array.space = each.constant ? ptx::Space::constant : ptx::Space::global;
        lent.array.bytes = each.bytes;
        lent.array.element_bytes = each.element_bytes;
        lent.array.writable = each.writable;
        lent.array.freed = each.freed;
        if (each.freed) continue;
        lent.array.data = array.data.data();
        lent.array.written = written.data();
    }
    made->launch = std::move(launch);
    return made;
}

/// "d_x, 1000 elements" of a pointer, "1000" of a number.
std::string argument_text(const ptx::ParameterText& parameter, const std::vector<std::byte>& bytes,
                          const RecordedMemory& memory) {
    std::uint64_t address = 0;
    if (parameter.pointer && bytes.size() == sizeof address) {
        std::memcpy(&address, bytes.data(), sizeof address);
        for (std::size_t i = 0; i < memory.lent.size(); ++i) {
            const ptx::LentArray& lent = memory.lent[i];
            if (address - lent.address >= std::max<std::uint64_t>(lent.array.bytes, 1)) continue;
            if (lent.array.freed) return "freed";
            const std::string all = fmt::format("{} elements", memory.arrays[i].shape.front());
            return address == lent.address ? all : fmt::format("byte {} of {}", address - lent.address, all);
        }
        return address == 0 ? "null" : "no allocation";
    }
    const auto type = element_type(parameter.type);
    if (type && type->lanes == 1 && bytes.size() == static_cast<std::size_t>(type->numpy[1] - '0'))
        return number_text(type->numpy, bytes.data());
    return fmt::format("{} bytes", bytes.size());
}

}  // namespace

std::unique_ptr<PreparedKernel> prepare_recorded(RecordedLaunch&& launch, const std::string& source,
                                                 const std::string& file) {
    auto kernel = std::make_shared<UserKernel>();
    kernel->ptx = std::move(launch.ptx);
    kernel->symbol = launch.symbol;
    kernel->module = ptx::read_module(kernel->ptx, "the program's PTX");
    const ptx::Function* const entry = kernel->module.find(launch.symbol);
    if (!entry || launch.variables.size() != kernel->module.variables.size())
        throw Error(ErrorKind::failed, "what is kept of this launch is not of its program");
    kernel->program = ptx::make_program(kernel->module, *entry, launch.variables);
    kernel->text = read_text_of(*kernel, source, file);
    for (std::size_t i = 0; i < kernel->program.parameters.size(); ++i)
        if (i >= launch.arguments.size() || launch.arguments[i].size() != kernel->program.parameters[i].bytes)
            throw Error(ErrorKind::failed, "what is kept of this launch has not the kernel's arguments");

    auto prepared = std::make_unique<PreparedKernel>();
    prepared->memory = memory_of(std::move(launch), kernel->text);
    const RecordedLaunch& of = prepared->memory->launch;
    KernelArguments& made = prepared->arguments;
    made.take_launch(of.grid, of.block, of.cluster, of.shared_bytes, Origin::given);
    const auto state = [&](const std::string& name, const std::string& type, std::string text, bool array = false) {
        made.states.push_back({name, type, array, Origin::given, std::move(text), {}, {}});
    };
    for (std::size_t i = 0; i < kernel->program.parameters.size(); ++i) {
        const ptx::ParameterText& parameter = kernel->text.parameters[i];
        made.list.emplace_back().value = of.arguments[i];
        state(parameter.name, parameter.type, argument_text(parameter, of.arguments[i], *prepared->memory),
              parameter.pointer);
    }
    prepared->kernel = std::move(kernel);
    return prepared;
}

void note_changes(RecordedMemory& memory) {
    memory.changes.assign(memory.arrays.size(), {});
    for (std::size_t i = 0; i < memory.arrays.size(); ++i) {
        const std::span<const std::byte> before = memory.launch.memory[i].data;
        const NpyBytes& now = memory.arrays[i];
        const std::size_t bytes = now.element_bytes();
        for (std::size_t at = 0; at + bytes <= before.size(); at += bytes)
            if (std::memcmp(now.data.data() + at, before.data() + at, bytes) != 0 && memory.changes[i].count++ == 0)
                memory.changes[i].first = at / bytes;
    }
}

}  // namespace convscope::app
