#include "kernels/ptx/run/async_access.h"

#include <fmt/format.h>

namespace convscope::ptx {

std::byte* AsyncAccess::reach(unsigned lane, std::uint64_t address) {
    if (!relocate(lane, address)) return nullptr;
    const std::uint64_t offset = address - in_.begin;
    Array& array = *in_.array;
    if (const AccessRecord copy = copy_to(array, offset)) {
        report_incoming(lane, offset, copy);
    } else {
        if (kind_ == AccessKind::read && !was_written(array, offset, bytes_)) note_unwritten(lane, offset);
        if (array.shadow) {
            note(array, offset, lane, bytes_);
            if (kind_ == AccessKind::read) check_published(lane, offset);
        }
    }
    if (kind_ != AccessKind::read) note_written(array, offset, bytes_);
    return array.data + offset;
}

void AsyncAccess::check_published(unsigned lane, std::uint64_t offset) {
    for (unsigned at = 0; at < bytes_; at += 4) {
        const std::uint64_t word = (offset + at) / 4;
        AccessRecord write = in_.array->shadow[word].plain;
        for (const AccessRecord update : in_.array->updates[word])
            if (race_detector_.unpublished(update)) write = update;
        if (!race_detector_.unpublished(write)) continue;
        Finding found = finding(FindingKind::race, lane);
        found.element = element(offset + at);
        found.what = "reads it asynchronously, and no fence.proxy.async comes between";
        found.other = block_.location_of(write);
        found.other_action = "writes it";
        return block_.report(std::move(found));
    }
}

bool AsyncAccess::begin(unsigned lane, std::uint64_t address) {
    if (!relocate(lane, address)) return false;
    const std::uint64_t offset = address - in_.begin;
    if (!in_.array->incoming) {
        report_bounds(lane, address);
        return false;
    }
    block_.copies_begun = in_.block->copies_begun = true;
    begin_at(lane, offset);
    return true;
}

}  // namespace convscope::ptx
