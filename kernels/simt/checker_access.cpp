// What happens at each access to memory. Compiled apart from the kernels, so that an access is one call there: its
// return address is the place of the access in the compiled kernel.
#include <cstring>

#include "kernels/simt/checker.h"

namespace convscope::simt {
namespace {

template <class T>
double read_as(const void* value) {
    T read;
    std::memcpy(&read, value, sizeof read);
    return static_cast<double>(read);
}

double as_number(ElementType type, const void* value) {
    if (!type.number) return 0;
    if (type.real) return type.bytes == 4 ? read_as<float>(value) : read_as<double>(value);
    return type.bytes == 4 ? read_as<std::int32_t>(value) : static_cast<double>(read_as<std::int64_t>(value));
}

}  // namespace

bool Checker::conflicts(const Access& earlier, Space space, std::uint16_t mine) const {
    if (earlier.thread & mine & Access::atomic) return false;
    if (earlier.stamp >= barrier_since_) {
        const unsigned other = earlier.thread & ~Access::flags;
        return other != me_ && (other / 32 != me_ / 32u || earlier.stamp >= warp_since_[me_ / 32]);
    }
    return earlier.stamp >= hazard_since_[static_cast<int>(space)] && earlier.stamp < block_since_;
}

Cell* Checker::locate(WatchedMemory*& memory, const void* address, unsigned size, const std::source_location& at,
                      const char* does) {
    step(at);
    if (!memory) [[unlikely]]
        memory = find(address);
    const auto offset = memory ? static_cast<std::size_t>(static_cast<const std::byte*>(address) - memory->begin) : 0;
    if (!memory || offset > memory->bytes || memory->bytes - offset < size) [[unlikely]]
        report_bounds(memory, address, size, at, does);
    if (reinterpret_cast<std::uintptr_t>(address) & (size - 1)) [[unlikely]]
        report_misaligned(*memory, address, size, at, does);
    return memory->cells + offset / 4;
}

void Checker::note_read(Cell& cell, std::uint16_t site) {
    Access& last = cell.read[0];
    if (last.thread != me_ || last.stamp < block_since_) cell.read[1] = last;
    last = {now_, me_, site};
}

void Checker::load(WatchedMemory* memory, const void* address, ElementType type, const std::source_location& at) {
    const unsigned size = type.bytes;
    Cell* const first = locate(memory, address, size, at, "reads");
    for (Cell* cell = first; cell < first + size / 4; ++cell) {
        if (options.uninitialised && cell->write.stamp < written_since_[static_cast<int>(memory->space)]) [[unlikely]]
            report_unwritten(*memory, address, size, at);
        if (!options.races) continue;
        if (conflicts(cell->write, memory->space, 0)) [[unlikely]]
            report_race(*memory, address, size, cell->write, at, "reads");
        note_read(*cell, sites_.id(at));
    }
    if (recording_) [[unlikely]]
        record(EventKind::load, *memory, address, type, address, at, __builtin_return_address(0));
}

void Checker::store(WatchedMemory* memory, const void* address, ElementType type, const void* value,
                    const std::source_location& at) {
    const unsigned size = type.bytes;
    Cell* const first = locate(memory, address, size, at, "writes");
    const std::uint16_t site = sites_.id(at);
    for (Cell* cell = first; cell < first + size / 4; ++cell) {
        if (options.races) {
            for (const Access* earlier : {&cell->write, &cell->read[0], &cell->read[1]})
                if (conflicts(*earlier, memory->space, 0)) [[unlikely]]
                    report_race(*memory, address, size, *earlier, at, "writes");
        }
        cell->write = {now_, static_cast<std::uint16_t>(me_ | Access::write), site};
    }
    if (recording_) [[unlikely]]
        record(EventKind::store, *memory, address, type, value, at, __builtin_return_address(0));
}

void Checker::atomic(WatchedMemory* memory, const void* address, ElementType type, const std::source_location& at) {
    const unsigned size = type.bytes;
    Cell* const first = locate(memory, address, size, at, "updates");
    for (Cell* cell = first; cell < first + size / 4; ++cell) {
        if (options.uninitialised && cell->write.stamp < written_since_[static_cast<int>(memory->space)])
            report_unwritten(*memory, address, size, at);
        if (options.races)
            for (const Access* earlier : {&cell->write, &cell->read[0], &cell->read[1]})
                if (conflicts(*earlier, memory->space, Access::atomic))
                    report_race(*memory, address, size, *earlier, at, "updates");
        cell->write = {now_, static_cast<std::uint16_t>(me_ | Access::write | Access::atomic), sites_.id(at)};
    }
    if (recording_) [[unlikely]]
        record(EventKind::atomic, *memory, address, type, address, at, __builtin_return_address(0));
}

void Checker::multiply_add(float result, const std::source_location& at) {
    step(at);
    if (recording_) [[unlikely]]
        recorder->add({.kind = EventKind::multiply_add,
                       .thread = me_,
                       .value = result,
                       .position = reinterpret_cast<std::uintptr_t>(__builtin_return_address(0))},
                      at);
}

void Checker::synchronise(EventKind kind, const std::source_location& at) {
    step(at);
    if (recording_) recorder->add({.kind = kind, .thread = me_}, at);
}

ElementName Checker::name(const WatchedMemory& memory, const void* address, unsigned size) const {
    const auto* byte = static_cast<const std::byte*>(address);
    const std::byte* first = memory.begin;
    std::string array = memory.name;
    // Several parameters may lie in one allocation, one behind the other.
    if (memory.space == Space::global)
        for (const Parameter& parameter : parameters_)
            if (parameter.first >= first && parameter.first <= byte) {
                first = parameter.first;
                array = parameter.name;
            }
    return {array.empty() ? "memory" : array, (byte - first) / static_cast<std::ptrdiff_t>(size)};
}

void Checker::record(EventKind kind, const WatchedMemory& memory, const void* address, ElementType type,
                     const void* value, const std::source_location& at, const void* position) {
    const ElementName element = name(memory, address, type.bytes);
    const auto byte = reinterpret_cast<std::uint64_t>(address);
    // Banks follow from the place in the block's shared memory.
    const bool dynamic = memory.space == Space::shared && !memory.owned;
    const std::uint64_t base = reinterpret_cast<std::uint64_t>(dynamic ? dynamic_begin_ : memory.begin);
    recorder->add({.kind = kind,
                   .bytes = type.bytes,
                   .real = type.real,
                   .thread = me_,
                   .array = recorder->array({element.array, memory.space}),
                   .index = element.index,
                   .address = memory.space == Space::shared ? byte - base : byte,
                   .value = as_number(type, value),
                   .position = reinterpret_cast<std::uintptr_t>(position)},
                  at);
}

}  // namespace convscope::simt
