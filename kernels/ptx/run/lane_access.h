// Checks and records the lanes' memory accesses by one instruction. An access that fails is a finding and has no
// effect.
#pragma once

#include <cstdint>

#include "kernels/ptx/run/block_run.h"

namespace convscope::ptx {

enum class AccessKind : std::uint8_t { read, write, update };
const char* verb(AccessKind);  ///< "reads"

/// Generic addresses of all lanes, from the instruction's address operand.
void addresses_of(Warp&, const Op&, std::uint64_t* addresses);
/// Counts the request, where counts are wanted. In global memory each sector counts once per 'lanes_at_once'
/// neighbouring lanes.
void count_request(Warp&, const Op&, const std::uint64_t* addresses, unsigned bytes, AccessKind,
                   unsigned lanes_at_once = lanes);

class LaneAccess {
public:
    /// 'bytes' per lane.
    LaneAccess(Warp& warp, const Op& op, unsigned bytes, AccessKind kind)
        : LaneAccess(warp, op, bytes, kind, op.line, op.strong || kind == AccessKind::update) {}
    LaneAccess(Warp& warp, const Op& op, unsigned bytes, AccessKind kind, std::uint32_t line, bool strong);

    /// The lane's bytes; null where they must not be touched. 'Bytes' repeats the constructor's number, for callers
    /// whose code is compiled for that size.
    template <unsigned Bytes = 0>
    std::byte* reach(unsigned lane, std::uint64_t address) {
        const unsigned bytes = Bytes ? Bytes : bytes_;
        std::uint64_t offset = address - in_.begin;
        if (!in_.array || offset >= in_.array->bytes || in_.array->bytes - offset < bytes || own_) [[unlikely]] {
            if (!relocate(lane, address)) return nullptr;
            offset = address - in_.begin;
        }
        if ((address & (bytes - 1)) != 0) [[unlikely]] {
            report_misaligned(lane, offset);
            return nullptr;
        }
        Array& array = *in_.array;
        if (const AccessRecord copy = copy_to(array, offset)) [[unlikely]] {
            report_incoming(lane, offset, copy);
        } else {
            if (kind_ != AccessKind::write && !was_written(array, offset, bytes)) [[unlikely]]
                note_unwritten(lane, offset);
            if (array.shadow) note(array, offset, lane, bytes);
        }
        if (kind_ != AccessKind::read) {
            note_written(array, offset, bytes);
            if (!block_.copied_from.empty()) [[unlikely]]
                check_sources(lane, address, offset);
        }
        return array.data + offset;
    }

    /// Reading unwritten bytes is not yet a finding: the registers that receive them are tracked.
    LaneAccess& follow_unwritten() {
        follows_unwritten_ = true;
        return *this;
    }
    /// The lane's bytes that nobody has written, a bit each.
    std::uint32_t unwritten(unsigned lane) const { return unwritten_lanes_ >> lane & 1 ? unwritten_[lane] : 0; }
    /// The lane reads the same bytes as the lane before.
    void repeat(unsigned lane) {
        if (unwritten_lanes_ >> (lane - 1) & 1) [[unlikely]] {
            unwritten_lanes_ |= 1u << lane;
            unwritten_[lane] = unwritten_[lane - 1];
        }
    }
    /// Called after all lanes: marks the results that hold unwritten bytes.
    void mark_results(const std::uint64_t* addresses) {
        if (unwritten_lanes_ != 0) [[unlikely]]
            note_undefined(addresses);
    }

    // cp.async.
    /// Marks the lane's bytes at 'address' as being written from now on. False where they must not be touched.
    bool begin_copy(unsigned lane, std::uint64_t address);
    /// Until end_copy() nobody may write what it reads.
    void keep_source(unsigned lane, const PendingCopy&);
    /// The copy has been waited for.
    void end_copy(unsigned lane, const PendingCopy&);
    /// Writes the bytes of a copy that has arrived.
    void land(unsigned lane, std::uint64_t address, const std::byte* content);

protected:
    /// An access that the thread starts and does not wait for.
    LaneAccess(Warp& warp, const Op& op, unsigned bytes, AccessKind kind, bool async)
        : LaneAccess(warp, op, bytes, kind, op.line, false) {
        if (async) marks_ = AccessRecordParts::async_bit;
    }
    bool relocate(unsigned lane, std::uint64_t address);
    /// Marks these bytes of the found array as being written from now on.
    void begin_at(unsigned lane, std::uint64_t offset);
    AccessRecord record_of(unsigned lane, std::uint64_t offset) const { return record_of(lane, offset, bytes_); }
    AccessRecord record_of(unsigned lane, std::uint64_t offset, unsigned bytes) const {
        return race_detector_.record(first_thread_ + lane, line_, bits_of(offset, bytes), marks_);
    }
    /// The copy in flight to one of these words.
    AccessRecord copy_to(const Array& array, std::uint64_t offset) const {
        if (!array.incoming || !block_.copies_begun) return 0;
        AccessRecord copy = 0;
        for (unsigned at = 0; at < bytes_ && copy == 0; at += 4) copy = array.incoming[(offset + at) / 4];
        return copy;
    }
    static std::uint32_t bits_of(std::uint64_t offset, unsigned bytes) {
        return bytes >= 4 ? 15u : ((1u << bytes) - 1) << (offset % 4);
    }
    static bool was_written(const Array& array, std::uint64_t offset, unsigned bytes) {
        const std::uint32_t bits = bits_of(offset, bytes);
        bool all = true;
        for (unsigned at = 0; at < bytes; at += 4) all &= (array.written[(offset + at) / 4] & bits) == bits;
        return all;
    }
    static void note_written(Array& array, std::uint64_t offset, unsigned bytes) {
        const std::uint32_t bits = bits_of(offset, bytes);
        for (unsigned at = 0; at < bytes; at += 4) {
            std::uint8_t& word = array.written[(offset + at) / 4];
            if ((word & bits) != bits) __atomic_fetch_or(&word, static_cast<std::uint8_t>(bits), __ATOMIC_RELAXED);
        }
    }
    void note(Array& array, std::uint64_t offset, unsigned lane, unsigned bytes) {
        const bool shared = array.space == Space::shared;
        const AccessRecord mine = record_of(lane, offset, bytes);
        if (kind_ != AccessKind::read && (marks_ & AccessRecordParts::strong_bit))
            __atomic_store_n(&array.updated, true, __ATOMIC_RELAXED);
        const bool updated = __atomic_load_n(&array.updated, __ATOMIC_RELAXED);
        for (unsigned at = 0; at < bytes; at += 4) {
            const std::uint64_t word = (offset + at) / 4;
            ShadowCell& cell = array.shadow[word];
            KeptAccesses* const updates = updated ? &array.updates[word] : nullptr;
            const RaceDetector::Race race = kind_ == AccessKind::read
                                                ? race_detector_.note_read(cell, updates, mine, shared)
                                                : race_detector_.note_write(cell, updates, mine, shared);
            if (race.other != 0) [[unlikely]]
                report_race(lane, offset, race);
        }
    }

    Finding finding(FindingKind, unsigned lane) const;
    std::string element(std::uint64_t offset) const { return in_.array->element(offset, op_.bytes); }
    void report_bounds(unsigned lane, std::uint64_t address) const;
    void report_ended(unsigned lane, std::uint64_t address) const;
    void report_misaligned(unsigned lane, std::uint64_t offset) const;
    void check_sources(unsigned lane, std::uint64_t address, std::uint64_t offset) const;
    void report_incoming(unsigned lane, std::uint64_t offset, AccessRecord copy) const;
    void note_unwritten(unsigned lane, std::uint64_t offset);
    void note_undefined(const std::uint64_t* addresses);
    void report_race(unsigned lane, std::uint64_t offset, const RaceDetector::Race&) const;

    Warp& warp_;
    BlockRun& block_;
    RaceDetector& race_detector_;
    const Op& op_;
    const unsigned bytes_;
    const AccessKind kind_;
    const std::uint32_t line_;
    AccessRecord marks_;     ///< strong, or asynchronous
    unsigned first_thread_;  ///< of the warp that the accesses count as
    Located in_{};
    bool own_ = false;  ///< in_ is a thread's own memory: the next lane has another
    bool follows_unwritten_ = false;
    std::uint32_t unwritten_lanes_ = 0;  ///< whose bytes are, some of them
    std::uint32_t unwritten_[lanes];     ///< of these lanes, a bit for each such byte
};

}  // namespace convscope::ptx
