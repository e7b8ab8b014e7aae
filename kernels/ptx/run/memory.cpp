#include "kernels/ptx/run/memory.h"

#include <fmt/format.h>

#include <bit>
#include <cstdlib>
#include <cstring>

#include "kernels/core/error.h"
#include "kernels/core/format_units.h"
#include "kernels/core/host_memory.h"

namespace convscope::ptx {

void Array::mark_written() const {
    std::memset(written, 15, words());
}

void Array::mark_written(std::uint64_t from, std::uint64_t count) const {
    const auto mark = [this](std::uint64_t at) {
        written[at / 4] = static_cast<std::uint8_t>(written[at / 4] | 1u << (at % 4));
    };
    const std::uint64_t end = from + count;
    for (; from < end && from % 4 != 0; ++from) mark(from);
    const std::uint64_t words_end = std::max(from, end / 4 * 4);
    std::memset(written + from / 4, 15, (words_end - from) / 4);
    for (from = words_end; from < end; ++from) mark(from);
}

bool Array::is_written(std::uint64_t from, std::uint64_t count) const {
    for (std::uint64_t at = from; at < from + count; ++at)
        if (written[at / 4] >> (at % 4) & 1) return true;
    return false;
}

void Array::forget_written(std::uint64_t from, std::uint32_t which) const {
    for (; which != 0; which &= which - 1) {
        const std::uint64_t at = from + static_cast<unsigned>(std::countr_zero(which));
        __atomic_fetch_and(&written[at / 4], static_cast<std::uint8_t>(~(1u << at % 4)), __ATOMIC_RELAXED);
    }
}

std::string Array::element(std::uint64_t offset, unsigned accessed) const {
    const auto size = static_cast<std::int64_t>(element_size(accessed));
    const auto at = static_cast<std::int64_t>(offset);
    return fmt::format("{}[{}]", name, (at >= 0 ? at : at - size + 1) / size);
}

void Arrays::Free::operator()(void* memory) const {
    std::free(memory);
}

void* Arrays::zeros(const std::string& name, std::uint64_t size) {
    void* memory = std::calloc(size, 1);  // pages that nobody touches cost nothing
    if (!memory) throw OutOfMemory(fmt::format("{} does not fit into the host's memory", name));
    owned_.emplace_back(memory);
    return memory;
}

Array& Arrays::add_lent(Array array) {
    array.used = 0;
    if (!array.freed) {
        const std::uint64_t words = array.words();
        array.shadow = static_cast<ShadowCell*>(zeros(array.name, words * sizeof(ShadowCell)));
        array.updates = static_cast<KeptAccesses*>(zeros(array.name, words * sizeof(KeptAccesses)));
    }
    arrays_.push_back(std::move(array));
    return arrays_.back();
}

Array& Arrays::add(std::string name, Space space, std::uint64_t bytes, bool watched) {
    const std::uint64_t words = bytes / 4 + 1;
    const bool shared = watched && space == Space::shared;
    const std::uint64_t known =
        1 + (watched ? sizeof(ShadowCell) + sizeof(KeptAccesses) : 0) + (shared ? sizeof(AccessRecord) : 0);
    const double needed = static_cast<double>(bytes) + static_cast<double>(words * known);
    if (bytes > max_array_bytes)
        throw OutOfMemory(fmt::format("{} takes {}, more than an array can have", name, format_bytes(needed)));
    require_host_memory(needed, fmt::format("{}, with what is known of each word,", name));
    Array array;
    array.space = space;
    array.bytes = bytes;
    array.data = static_cast<std::byte*>(zeros(name, 4 * words + 16));
    array.written = static_cast<std::uint8_t*>(zeros(name, words));
    if (watched) {
        array.shadow = static_cast<ShadowCell*>(zeros(name, words * sizeof(ShadowCell)));
        array.updates = static_cast<KeptAccesses*>(zeros(name, words * sizeof(KeptAccesses)));
    }
    if (shared) array.incoming = static_cast<AccessRecord*>(zeros(name, words * sizeof(AccessRecord)));
    array.name = std::move(name);
    arrays_.push_back(std::move(array));
    return arrays_.back();
}

}  // namespace convscope::ptx
