// The sentences of the checker.
#include <fmt/format.h>

#include <algorithm>
#include <exception>

#include "kernels/simt/checker.h"

namespace convscope::simt {
namespace {

const char* verb(const Access& access) {
    if (access.thread & Access::atomic) return "updates";
    return access.thread & Access::write ? "writes" : "reads";
}

}  // namespace

FoundElement Checker::found_element(const WatchedMemory& memory, const void* address, unsigned size) const {
    const ElementName named = name(memory, address, size);
    return {memory.space, named.array, named.index};
}

std::string Checker::element(const WatchedMemory& memory, const void* address, unsigned size) const {
    const FoundElement found = found_element(memory, address, size);
    return fmt::format("{} {}[{}]", found.space == Space::shared ? "shared" : "global", found.array, found.index);
}

Index3 Checker::index_of(unsigned thread) const {
    const auto x = static_cast<unsigned>(launch_.block.x), y = static_cast<unsigned>(launch_.block.y);
    return {thread % x, thread / x % y, thread / x / y};
}

Dim3 Checker::block_at(std::uint32_t stamp) const {
    const auto after = std::upper_bound(block_starts_.begin(), block_starts_.end(), stamp);
    const auto block = static_cast<std::int64_t>(after - block_starts_.begin()) - 1;
    const Dim3& grid = launch_.grid;
    return {block % grid.x, block / grid.x % grid.y, block / (grid.x * grid.y)};
}

Side Checker::mine(const std::source_location& at, const char* does) const {
    return {block_, index_of(me_), at, does};
}

std::string Checker::story(const Side& side) const {
    return fmt::format("kernel {}, {}: {} {}", launch_.kernel, name_of_block(side.block), name_of(side.thread),
                       side.does);
}

void Checker::report_bounds(const WatchedMemory* memory, const void* address, unsigned size,
                            const std::source_location& at, const char* does) const {
    const Side side = mine(at, does);
    if (!memory)
        throw Finding(FindingKind::out_of_bounds,
                      fmt::format("{} through a {} at {}", story(side),
                                  address ? "pointer to no memory of the simulated GPU" : "null pointer", place(at)),
                      side);
    throw Finding(FindingKind::out_of_bounds,
                  fmt::format("{} {} at {}, out of bounds: it has {} elements", story(side),
                              element(*memory, address, size), place(at), memory->bytes / size),
                  side);
}

void Checker::report_too_much_shared(std::size_t bytes, const std::source_location& at) const {
    const Side side = mine(at, "takes");
    throw Finding(FindingKind::out_of_bounds,
                  fmt::format("{} {} bytes of shared memory at {}, out of bounds: the launch has {}", story(side),
                              bytes, place(at), launch_.shared_bytes),
                  side);
}

void Checker::report_misaligned(const WatchedMemory& memory, const void* address, unsigned size,
                                const std::source_location& at, const char* does) const {
    const Side side = mine(at, does);
    const auto offset = static_cast<const std::byte*>(address) - memory.begin;
    throw Finding(FindingKind::misaligned,
                  fmt::format("{} {} bytes at byte {} of {} {} at {}, misaligned: the address must be a multiple of {}",
                              story(side), size, offset, memory.space == Space::shared ? "shared" : "global",
                              memory.name.empty() ? "memory" : memory.name, place(at), size),
                  side);
}

void Checker::report_unwritten(const WatchedMemory& memory, const void* address, unsigned size,
                               const std::source_location& at) const {
    const Side side = mine(at, "reads");
    throw Finding(FindingKind::uninitialised,
                  fmt::format("{} {} at {}, uninitialised: nobody has written it", story(side),
                              element(memory, address, size), place(at)),
                  side, {}, found_element(memory, address, size));
}

void Checker::report_unwritten_operand(const WatchedMemory& memory, std::size_t word) const {
    throw Finding(FindingKind::uninitialised,
                  fmt::format("a matrix product reads {}, uninitialised: nobody has written it",
                              element(memory, memory.begin + 4 * word, 4)),
                  {});
}

void Checker::report_race(const WatchedMemory& memory, const void* address, unsigned size, const Access& earlier,
                          const std::source_location& at, const char* does) const {
    const Side side = mine(at, does);
    const Side other{block_at(earlier.stamp), index_of(earlier.thread & ~Access::flags),
                     sources_.location(earlier.source), verb(earlier)};
    const bool same_block = other.block == side.block;
    throw Finding(
        FindingKind::race,
        fmt::format("{} {} at {}, a data race: {}{} {} it at {}, and {}", story(side), element(memory, address, size),
                    place(at), same_block ? "" : name_of_block(other.block) + " ", name_of(other.thread), other.does,
                    place(other.at), same_block ? "no barrier comes between" : "blocks of one launch have no order"),
        side, other, found_element(memory, address, size));
}

void Checker::report_endless(const std::source_location& at) const {
    const Side side = mine(at, "spins");
    throw Finding(
        FindingKind::endless,
        fmt::format("{} at {}: the block has not ended after {} steps", story(side), place(at), options.step_limit),
        side);
}

void Checker::end_quiet_loop() noexcept {
    const Side side = mine(last_step_, "spins");
    const std::string after = last_step_.line() > 0 ? "after " + place(last_step_) : "before its first access";
    leak(std::make_exception_ptr(
        Finding(FindingKind::endless,
                fmt::format("{} {}: a loop that touches no memory has not ended after {} rounds", story(side), after,
                            options.step_limit),
                side)));
}

}  // namespace convscope::simt
