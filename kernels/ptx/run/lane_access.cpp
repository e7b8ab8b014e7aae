#include "kernels/ptx/run/lane_access.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <span>

#include "kernels/core/warp_request.h"
#include "kernels/ptx/run/decode.h"

namespace convscope::ptx {

namespace {
constexpr std::uint64_t first_page = 4096;  ///< where nothing lies: a null pointer with an index
}

const char* verb(AccessKind kind) {
    constexpr const char* verbs[] = {"reads", "writes", "updates"};
    return verbs[static_cast<std::size_t>(kind)];
}

void addresses_of(Warp& warp, const Op& op, std::uint64_t* addresses) {
    const std::uint64_t window = op.space == Space::shared  ? shared_window
                                 : op.space == Space::local ? local_window
                                                            : 0;
    const std::uint64_t kept = op.space == Space::shared ? 0xffffffff : ~std::uint64_t{0};
    if (op.wide) {
        const auto* base = warp.values<std::uint64_t>(op.a);
        for (unsigned lane = 0; lane < lanes; ++lane) addresses[lane] = ((base[lane] + op.bits) & kept) + window;
    } else {
        const auto* base = warp.values<std::uint32_t>(op.a);
        const auto offset = static_cast<std::uint32_t>(op.bits);
        for (unsigned lane = 0; lane < lanes; ++lane) addresses[lane] = (base[lane] + offset) + window;
    }
}

void count_request(Warp& warp, const Op& op, const std::uint64_t* addresses, unsigned bytes, AccessKind kind,
                   unsigned lanes_at_once) {
    BlockRun& block = warp.block();
    if (!block.counts_wanted() || op.space == Space::constant) return;  // which has a cache of its own
    const std::uint64_t segment = addresses[std::countr_zero(warp.mask)] >> segment_bits;
    if (segment == local_segment || segment == first_global_segment) return;  // not shared, not global: parameters
    const auto instruction = static_cast<std::size_t>(&op - block.program().ops.data());
    Counters& counters = block.counters();
    Traffic& traffic = (segment == shared_segment ? counters.shared : counters.global)[instruction];
    ++traffic.requests;
    if (segment == shared_segment) {
        const Wavefronts taken =
            wavefronts_of(addresses, warp.mask, bytes, kind == AccessKind::read, kind == AccessKind::update);
        traffic.wavefronts += taken.count;
        traffic.bank_conflicts += taken.conflicts;
    } else {
        for (unsigned first = 0; first < lanes; first += lanes_at_once)
            traffic.sectors += sectors_of(addresses, warp.mask & (~0u >> (lanes - lanes_at_once)) << first, bytes,
                                          kind == AccessKind::update);
        if (!block.lines_wanted()) return;
        constexpr unsigned word_bytes = 4, line_bytes = 128;
        traffic.lines += pieces_of(addresses, warp.mask, bytes, line_bytes);
        traffic.bytes_wanted += word_bytes * pieces_of(addresses, warp.mask, bytes, word_bytes);
    }
}

LaneAccess::LaneAccess(Warp& warp, const Op& op, unsigned bytes, AccessKind kind, std::uint32_t line, bool strong)
    : warp_(warp),
      block_(warp.block()),
      race_detector_(block_.race_detector()),
      op_(op),
      bytes_(bytes),
      kind_(kind),
      line_(line),
      marks_(strong || (op.checked && kind == AccessKind::read)),
      first_thread_(warp.thread(0)) {
    const unsigned number = warp.number();
    race_detector_.set_warp(number);
    if (op.fence != Fence::none) race_detector_.fence(number, warp.mask, op.fence == Fence::device);
    if (strong) warp.note_polling();
    if (op.is_volatile) marks_ |= AccessRecordParts::volatile_bit;
    if (kind != AccessKind::write) {
        if (strong) race_detector_.strong_access(number, warp.mask);
        if (kind == AccessKind::update && op.d != no_reg) marks_ |= AccessRecordParts::volatile_bit;
    } else if (op.is_volatile && !race_detector_.fence_stands(number)) {
        marks_ &= ~AccessRecordParts::strong_bit;
    }
    if (kind == AccessKind::write && !(marks_ & AccessRecordParts::strong_bit)) race_detector_.plain_write(number);
}

bool LaneAccess::relocate(unsigned lane, std::uint64_t address) {
    in_ = block_.locate(address, warp_.thread(lane));
    own_ = in_.array && in_.array->space == Space::local;
    if (in_.block && in_.block != &block_) [[unlikely]] {
        if (in_.block->ended()) {
            report_ended(lane, address);
            in_ = {};
            return false;
        }
        in_.block->note_remote(warp_.number(), record_of(lane, address - in_.begin));
    }
    const std::uint64_t offset = address - in_.begin;
    const bool inside = in_.array && offset < in_.array->bytes && in_.array->bytes - offset >= bytes_;
    if (inside && !in_.array->freed && (kind_ == AccessKind::read || in_.array->writable)) {
        if (!block_.launch().request.memory.empty())
            in_.array->note_use(kind_ == AccessKind::read    ? Array::was_read
                                : kind_ == AccessKind::write ? Array::was_written
                                                             : Array::was_read | Array::was_written);
        return true;
    }
    report_bounds(lane, address);
    in_ = {};
    return false;
}

void LaneAccess::report_bounds(unsigned lane, std::uint64_t address) const {
    const std::uint64_t offset = address - in_.begin;
    Finding found = finding(FindingKind::out_of_bounds, lane);
    const auto& foreign = block_.launch().request.foreign;
    const std::string what_else = !in_.array && address >= first_page && foreign ? foreign(address) : "";
    if (!what_else.empty()) {
        found.kind = FindingKind::host_pointer;
        found.what = fmt::format("{} {} bytes through {}", verb(kind_), bytes_, what_else);
    } else if (!in_.array) {
        found.what = fmt::format("{} {} bytes through {}", verb(kind_), bytes_,
                                 address < segment_middle ? "a null pointer" : "a pointer to no array");
    } else if (in_.array->freed) {
        found.kind = FindingKind::use_after_free;
        found.element = element(offset);
        found.what = fmt::format("{}; {} has been freed", verb(kind_), in_.array->name);
        std::uint64_t begin = 0;
        if (in_malloc_heap(address)) found.other = block_.launch().heap.find(address, begin)->freed_by;
        found.other_action = "freed it";
    } else if (offset < in_.array->bytes && in_.array->bytes - offset >= bytes_) {
        found.element = element(offset);
        found.what = fmt::format("{} what may only be read", verb(kind_));
    } else {
        const unsigned size = in_.array->element_size(op_.bytes);
        const bool outside = offset >= in_.array->bytes;
        found.element = element(offset);
        found.what = fmt::format("{}{}; {} has {} elements", verb(kind_),
                                 outside ? "" : fmt::format(" {} bytes, of which the end is outside", bytes_),
                                 in_.array->name, in_.array->bytes / size);
        if (in_.array->space == Space::shared && in_.array->bytes == 0)
            found.what += ": the launch gives no dynamic shared memory";
    }
    block_.report(std::move(found));
}

void LaneAccess::report_ended(unsigned lane, std::uint64_t address) const {
    Finding found = finding(FindingKind::out_of_bounds, lane);
    found.element = element(address - in_.begin);
    found.what = fmt::format("{} the shared memory of a block that has ended", verb(kind_));
    found.other = in_.block->has_left();
    found.other_action = "has left the kernel";
    block_.report(std::move(found));
}

Finding LaneAccess::finding(FindingKind kind, unsigned lane) const {
    Finding found;
    found.kind = kind;
    found.found = block_.location(warp_, lane, line_);
    return found;
}

void LaneAccess::report_misaligned(unsigned lane, std::uint64_t offset) const {
    Finding found = finding(FindingKind::misaligned, lane);
    found.element = element(offset);
    found.what =
        fmt::format("{} {} bytes at byte {}, which is not a multiple of {}", verb(kind_), bytes_, offset, bytes_);
    block_.report(std::move(found));
}

bool LaneAccess::begin_copy(unsigned lane, std::uint64_t address) {
    if (!relocate(lane, address)) return false;
    const std::uint64_t offset = address - in_.begin;
    if (address % bytes_ != 0) {
        report_misaligned(lane, offset);
        return false;
    }
    begin_at(lane, offset);
    return true;
}

void LaneAccess::begin_at(unsigned lane, std::uint64_t offset) {
    Array& array = *in_.array;
    if (const AccessRecord copy = copy_to(array, offset))
        report_incoming(lane, offset, copy);
    else
        note(array, offset, lane, bytes_);
    for (unsigned at = 0; at < bytes_; at += 4) array.incoming[(offset + at) / 4] = record_of(lane, offset);
}

void LaneAccess::land(unsigned lane, std::uint64_t address, const std::byte* content) {
    if (!relocate(lane, address)) return;
    const std::uint64_t offset = address - in_.begin;
    Array& array = *in_.array;
    std::memcpy(array.data + offset, content, bytes_);
    note_written(array, offset, bytes_);
    for (unsigned at = 0; at < bytes_; at += 4) {
        array.incoming[(offset + at) / 4] = 0;
        array.shadow[(offset + at) / 4].plain = record_of(lane, offset);
    }
}

void LaneAccess::keep_source(unsigned lane, const PendingCopy& copy) {
    const Located source = block_.locate(copy.from, warp_.thread(lane));
    if (!source.array || !source.array->writable) return;
    for (unsigned at = 0; at < copy.read; at += 4)
        block_.copied_from.emplace((copy.from + at) / 4, record_of(lane, copy.from - source.begin));
}

void LaneAccess::end_copy(unsigned lane, const PendingCopy& copy) {
    for (unsigned at = 0; at < copy.read; at += 4) {
        const auto [first, last] = block_.copied_from.equal_range((copy.from + at) / 4);
        const auto mine = std::find_if(first, last, [&](const auto& each) {
            return AccessRecordParts::of(each.second).thread == warp_.thread(lane);
        });
        if (mine != last) block_.copied_from.erase(mine);
    }
    if (copy.lands) land(lane, copy.to, std::as_bytes(std::span(copy.content)).data());
}

void LaneAccess::check_sources(unsigned lane, std::uint64_t address, std::uint64_t offset) const {
    for (unsigned at = 0; at < bytes_; at += 4) {
        const auto copy = block_.copied_from.find((address + at) / 4);
        if (copy == block_.copied_from.end()) continue;
        Finding found = finding(FindingKind::race, lane);
        found.element = element(offset);
        found.what = fmt::format("{} what a copy in flight reads", verb(kind_));
        found.other = block_.location_of(copy->second);
        found.other_action = "copies it";
        return block_.report(std::move(found));
    }
}

void LaneAccess::report_incoming(unsigned lane, std::uint64_t offset, AccessRecord copy) const {
    const bool reads = kind_ == AccessKind::read;
    Finding found = finding(reads ? FindingKind::uninitialised : FindingKind::race, lane);
    found.element = element(offset);
    found.what = fmt::format("{} what a copy in flight {}", verb(kind_), reads ? "has yet to bring" : "writes");
    found.other = block_.location_of(copy);
    found.other_action = "copies it";
    block_.report(std::move(found));
}

void LaneAccess::note_unwritten(unsigned lane, std::uint64_t offset) {
    if (follows_unwritten_) {
        unwritten_lanes_ |= 1u << lane;
        unwritten_[lane] = 0;
        for (unsigned at = 0; at < bytes_; ++at)
            if (!in_.array->is_written(offset + at, 1)) unwritten_[lane] |= 1u << at;
        return;
    }
    Finding found = finding(FindingKind::uninitialised, lane);
    found.element = element(offset);
    found.what = fmt::format("{} what nobody has written", verb(kind_));
    block_.report(std::move(found));
}

void LaneAccess::note_undefined(const std::uint64_t* addresses) {
    for (std::uint32_t left = unwritten_lanes_; left != 0; left &= left - 1) {
        const auto lane = static_cast<unsigned>(std::countr_zero(left));
        warp_.note_undefined(op_, lane, addresses[lane], unwritten_[lane]);
    }
}

void LaneAccess::report_race(unsigned lane, std::uint64_t offset, const RaceDetector::Race& race) const {
    Finding found = finding(FindingKind::race, lane);
    found.element = element(offset);
    found.other = block_.location_of(race.other);
    const bool same_block = found.other->block == found.found.block;
    const bool shared = in_.array->space == Space::shared;
    const AccessRecordParts other = AccessRecordParts::of(race.other);
    found.what =
        fmt::format("{} it{}, and {}", verb(kind_), marks_ == AccessRecordParts::async_bit ? " asynchronously" : "",
                    other.async            ? "nobody has waited until what was started has ended"
                    : same_block || shared ? "no barrier comes between"
                                           : "blocks of one launch have no order");
    found.other_action = !race.wrote ? "reads it" : other.strong ? "updates it" : "writes it";
    if (other.async) found.other_action += " asynchronously";
    block_.report(std::move(found));
}

}  // namespace convscope::ptx
