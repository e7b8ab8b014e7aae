// Runs at each access to memory. Compiled apart from the kernels, so that an access is one call there: its
// return address is the place of the access in the compiled kernel.
#include "kernels/simt/checker.h"

namespace convscope::simt {

bool Checker::conflicts(const Access& earlier, Space space, std::uint16_t mine) const {
    if (earlier.thread & mine & Access::atomic) return false;
    if (earlier.stamp >= barrier_since_) {
        const unsigned other = earlier.thread & ~Access::flags;
        const unsigned warp = me_ / 32u;
        if (other == me_) return false;
        if (other / 32 != warp) return true;
        return earlier.stamp >= warp_since_[warp] &&
               (lane_since_.empty() || earlier.stamp >= lane_since_[warp][me_ % 32u][other % 32]);
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

void Checker::note_read(Cell& cell, std::uint16_t source) {
    Access& last = cell.read[0];
    if (last.thread != me_ || last.stamp < block_since_) cell.read[1] = last;
    last = {now_, me_, source};
}

void Checker::load(WatchedMemory* memory, const void* address, ElementType type, const std::source_location& at) {
    const Inside inside(this);
    const unsigned size = type.bytes;
    Cell* const first = locate(memory, address, size, at, "reads");
    for (Cell* cell = first; cell < first + size / 4; ++cell) {
        if (options.uninitialised && cell->write.stamp < written_since_[static_cast<int>(memory->space)]) [[unlikely]]
            report_unwritten(*memory, address, size, at);
        if (!options.races) continue;
        if (conflicts(cell->write, memory->space, 0)) [[unlikely]]
            report_race(*memory, address, size, cell->write, at, "reads");
        note_read(*cell, sources_.id(at));
    }
    if (recording_) [[unlikely]]
        record(EventKind::load, *memory, address, type, address, at, __builtin_return_address(0));
}

void Checker::store(WatchedMemory* memory, const void* address, ElementType type, const void* value,
                    const std::source_location& at) {
    const Inside inside(this);
    const unsigned size = type.bytes;
    Cell* const first = locate(memory, address, size, at, "writes");
    const std::uint16_t source = sources_.id(at);
    if (recording_) [[unlikely]]
        note_array(*memory, address, type);
    for (Cell* cell = first; cell < first + size / 4; ++cell) {
        if (options.races) {
            for (const Access* earlier : {&cell->write, &cell->read[0], &cell->read[1]})
                if (conflicts(*earlier, memory->space, 0)) [[unlikely]]
                    report_race(*memory, address, size, *earlier, at, "writes");
        }
        cell->write = {now_, static_cast<std::uint16_t>(me_ | Access::write), source};
    }
    if (recording_) [[unlikely]]
        record(EventKind::store, *memory, address, type, value, at, __builtin_return_address(0));
}

void Checker::atomic(WatchedMemory* memory, const void* address, ElementType type, const std::source_location& at) {
    const Inside inside(this);
    const unsigned size = type.bytes;
    Cell* const first = locate(memory, address, size, at, "updates");
    if (recording_) [[unlikely]]
        note_array(*memory, address, type);
    for (Cell* cell = first; cell < first + size / 4; ++cell) {
        if (options.uninitialised && cell->write.stamp < written_since_[static_cast<int>(memory->space)])
            report_unwritten(*memory, address, size, at);
        if (options.races)
            for (const Access* earlier : {&cell->write, &cell->read[0], &cell->read[1]})
                if (conflicts(*earlier, memory->space, Access::atomic))
                    report_race(*memory, address, size, *earlier, at, "updates");
        cell->write = {now_, static_cast<std::uint16_t>(me_ | Access::write | Access::atomic), sources_.id(at)};
    }
    if (recording_) [[unlikely]]
        record(EventKind::atomic, *memory, address, type, address, at, __builtin_return_address(0));
}

void Checker::updated(ElementType type, const void* value) {
    const Inside inside(this);
    if (recording_) [[unlikely]]
        recorder->add_result(as_number(type, value));
}

void Checker::multiply_add(float result, const std::source_location& at) {
    const Inside inside(this);
    step(at);
    if (recording_) [[unlikely]]
        recorder->add({.kind = EventKind::multiply_add,
                       .thread = me_,
                       .value = result,
                       .position = reinterpret_cast<std::uintptr_t>(__builtin_return_address(0))},
                      at);
}

void Checker::synchronise(EventKind kind, const std::source_location& at) {
    const Inside inside(this);
    step(at);
    if (recording_) recorder->add({.kind = kind, .thread = me_}, at);
}

}  // namespace convscope::simt
