// Reports the checker's accesses to the recorder.
#include <algorithm>
#include <array>
#include <cstring>

#include "kernels/simt/checker.h"

namespace convscope::simt {
namespace {

constexpr std::int64_t max_elements_copied = 1 << 18;  // of one array, to show what it held before

template <class T>
double read_as(const void* value) {
    T read;
    std::memcpy(&read, value, sizeof read);
    return static_cast<double>(read);
}

}  // namespace

double Checker::as_number(ElementType type, const void* value) {
    const bool words = type.bytes / type.elements == 4;
    if (type.real) return words ? read_as<float>(value) : read_as<double>(value);
    return words ? read_as<std::int32_t>(value) : static_cast<double>(read_as<std::int64_t>(value));
}

// Several parameters may lie in one allocation, one behind the other.
Checker::Extent Checker::extent(const WatchedMemory& memory, const void* address) const {
    Extent found{memory.name.empty() ? "memory" : std::string_view(memory.name), memory.begin,
                 memory.begin + memory.bytes};
    if (memory.space == Space::shared) return found;
    for (const Parameter& parameter : parameters_) {
        if (parameter.first < memory.begin || parameter.first >= memory.begin + memory.bytes) continue;
        if (parameter.first <= address) {
            if (parameter.first >= found.first) found = {parameter.name, parameter.first, found.end};
        } else {
            found.end = std::min(found.end, parameter.first);
        }
    }
    return found;
}

ElementName Checker::name(const WatchedMemory& memory, const void* address, unsigned size) const {
    const Extent array = extent(memory, address);
    return {std::string(array.name),
            (static_cast<const std::byte*>(address) - array.first) / static_cast<std::ptrdiff_t>(size)};
}

TraceArray Checker::describe(const WatchedMemory& memory, const Extent& extent, ElementType type) const {
    const std::size_t size = type.bytes / type.elements;
    TraceArray array{std::string(extent.name),
                     memory.space,
                     type.real,
                     (extent.end - extent.first) / static_cast<std::ptrdiff_t>(size),
                     {},
                     {}};
    if (!recorder->copies_memory() || array.elements > max_elements_copied) return array;
    const std::uint32_t since = written_since_[static_cast<int>(memory.space)];
    for (const std::byte* at = extent.first; at + size <= extent.end; at += size) {
        array.before.push_back(as_number({static_cast<std::uint8_t>(size), type.real, 1}, at));
        array.written.push_back(memory.cells[(at - memory.begin) / 4].write.stamp >= since);
    }
    return array;
}

std::int16_t Checker::note_array(const WatchedMemory& memory, const void* address, ElementType type) {
    const Extent where = extent(memory, address);
    const std::int16_t known = recorder->find_array(where.name, memory.space);
    return known >= 0 ? known : recorder->add_array(describe(memory, where, type));
}

void Checker::record(EventKind kind, const WatchedMemory& memory, const void* address, ElementType type,
                     const void* value, const std::source_location& at, const void* position) {
    const Extent where = extent(memory, address);
    const std::size_t size = type.bytes / type.elements;
    std::array<double, 4> values{};
    for (unsigned i = 0; i < type.elements; ++i)
        values[i] = as_number(type, static_cast<const std::byte*>(value) + i * size);
    const auto byte = reinterpret_cast<std::uint64_t>(address);
    // Banks follow from the place in the block's shared memory.
    const bool dynamic = memory.space == Space::shared && !memory.owned;
    const std::uint64_t base = reinterpret_cast<std::uint64_t>(dynamic ? dynamic_begin_ : memory.begin);
    recorder->add({.kind = kind,
                   .bytes = type.bytes,
                   .real = type.real,
                   .elements = type.elements,
                   .thread = me_,
                   .array = note_array(memory, address, type),
                   .index = (static_cast<const std::byte*>(address) - where.first) / static_cast<std::ptrdiff_t>(size),
                   .address = memory.space == Space::shared ? byte - base : byte,
                   .value = values[0],
                   .position = reinterpret_cast<std::uintptr_t>(position)},
                  at, std::span(values).subspan(1, type.elements - 1u));
}

}  // namespace convscope::simt
