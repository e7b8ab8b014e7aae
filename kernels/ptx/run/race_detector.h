// Records the accesses to each word and decides whether two of them are ordered, by epochs and vector clocks.
//
// Epochs and vector clocks decide the order: each host thread counts its epochs on at each block, barrier and
// __syncwarp. Two threads of a block, or of a cluster of blocks, are ordered by a barrier that the one arrived at and
// the other waited at, or by several of them in a row: each warp knows for every other up to which epoch that holds.
// Lanes of a warp are also ordered by a __syncwarp. Two warps, or two lanes, are also ordered where one has executed a
// memory fence after its access, and the other since then an atomic update or a volatile read: it may have seen a flag.
// Threads of blocks that are in no cluster together are ordered where one block has executed a fence of the device
// after its access, and the other such an access.
//
// 'volatile' by itself orders the lanes of a warp alone. A volatile write behind a fence, with no other write between,
// is one that sets a flag, and counts as atomic; so does every volatile read.
//
// Two of a word's atomic writes are kept, and two of its reads: from different blocks if possible, else from different
// warps that no barrier has ordered since, else from different lanes. A later write then races with one of them, or
// with none at all. A third access matters only where something other than __syncthreads and __syncwarp orders threads
// (fences, mbarriers, barriers of some threads): there the accesses of the cluster's own threads are kept, too.
//
// Work that a warp starts and does not wait for, bulk copies and the products of a warpgroup, belongs to another proxy:
// its accesses are ordered before those of a thread that knows that it has ended, and it sees threads' writes where a
// fence.proxy.async comes between.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdint>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <vector>

#include "kernels/core/launch.h"
#include "kernels/ptx/run/memory.h"

namespace convscope::ptx {

/// Read as a whole or not at all: other host threads write it meanwhile.
struct AccessRecordParts {
    std::uint32_t epoch;   ///< 27 bits
    std::uint32_t worker;  ///< 6 bits; of a host thread that runs clusters, one for each of their blocks
    std::uint32_t thread;  ///< 10 bits; linear index in its block
    bool async;            ///< by what the thread has started
    std::uint32_t line;    ///< 14 bits; index of Program::lines
    std::uint32_t bytes;   ///< 4 bits: which bytes of the word
    bool is_volatile;      ///< or an atomic update whose result is used
    bool strong;           ///< atomic, or counts as such

    static AccessRecordParts of(AccessRecord r) {
        return {static_cast<std::uint32_t>(r >> 37),
                static_cast<std::uint32_t>(r >> 31 & 63),
                static_cast<std::uint32_t>(r >> 21 & 1023),
                (r & async_bit) != 0,
                static_cast<std::uint32_t>(r >> 6 & 16383),
                static_cast<std::uint32_t>(r >> 2 & 15),
                (r & volatile_bit) != 0,
                (r & strong_bit) != 0};
    }
    static constexpr AccessRecord async_bit = AccessRecord{1} << 20, volatile_bit = 2, strong_bit = 1;
};
constexpr std::uint32_t max_source_lines = 1u << 14;
constexpr unsigned max_workers = 63;
constexpr std::uint32_t max_epoch = (1u << 27) - 1;

/// The blocks that the workers of a launch ran, to name the other side of a race.
class BlockLog {
public:
    BlockLog(unsigned workers, const Dim3& grid) : grid_(grid), logs_(workers) {}
    void begin(unsigned worker, std::uint32_t epoch, std::int64_t block);
    void fence(unsigned worker, std::uint32_t epoch);
    Dim3 block_at(unsigned worker, std::uint32_t epoch) const;
    /// Whether the block that made this access has executed a memory fence since.
    bool fenced(unsigned worker, std::uint32_t epoch) const;

private:
    struct Run {
        std::uint32_t begin, last_fence;
        std::int64_t block;  ///< in the order of the grid
    };
    const Run& run_at(unsigned worker, std::uint32_t epoch) const;

    const Dim3 grid_;
    mutable std::mutex mutex_;
    std::vector<std::vector<Run>> logs_;
};

/// The accesses known to be over, for the warps of a cluster: all older than the epoch. Three parts, an entry per
/// warp: the warp's own accesses; those that it has started; its accesses that a fence.proxy.async has followed.
using VectorClock = std::vector<std::uint32_t>;

/// Belongs to one host thread: watches the cluster that it runs, usually one block. Warps are numbered through the
/// cluster.
class RaceDetector {
public:
    /// 'partly_ordered': Program::partly_ordered.
    RaceDetector(unsigned first_worker, BlockLog& log, bool partly_ordered)
        : first_worker_(first_worker), log_(log), keeps_all_(partly_ordered) {}

    /// 'blocks' in the order of their ranks, each of so many warps. 'after': an epoch that was used already.
    void begin_cluster(const std::vector<std::int64_t>& blocks, unsigned warps, std::uint32_t after = 0);
    std::uint32_t epoch() const { return epoch_; }
    /// A warp at a barrier that opens.
    struct AtBarrier {
        std::uint32_t arrived = 0;  ///< lanes
        bool waits = false;
        std::uint32_t done = 0;  ///< of one that did not wait: what is older was before
    };
    /// A warp that arrives and goes on: this barrier does not order its later accesses. Returns the new epoch.
    std::uint32_t arrive() { return next_epoch(); }
    /// 'first_warp' selects the block.
    void barrier(unsigned first_warp, const std::vector<AtBarrier>& warps);
    void sync_warp(unsigned warp) { warp_since_[warp] = next_epoch(); }
    /// 'mask': the lanes. 'device': the fence is of the whole device, else of the block.
    void fence(unsigned warp, std::uint32_t mask, bool device);
    /// Whether the warp has executed a fence and written nothing since but flags.
    bool fence_stands(unsigned warp) const { return fence_stands_[warp] != 0; }
    void plain_write(unsigned warp) { fence_stands_[warp] = 0; }

    VectorClock empty_clock() const { return VectorClock(3 * std::size_t{total_}); }
    /// Adds the warp's accesses, and those that it knows to be over, to 'clock'.
    void release(unsigned warp, VectorClock& clock);
    /// From now on the warp knows 'clock'.
    void acquire(unsigned warp, const VectorClock& clock);
    /// Accesses that the warp has started before 'epoch' are over for a warp that acquires 'clock'.
    void end_started(unsigned warp, std::uint32_t epoch, VectorClock& clock) const {
        std::uint32_t& known = clock[total_ + warp];
        known = std::max(known, epoch);
    }
    /// From now on 'warp' knows it.
    void end_started(unsigned warp, unsigned starter, std::uint32_t epoch) {
        end_started(starter, epoch, since_[warp]);
    }
    /// fence.proxy.async
    void fence_proxy(unsigned warp);
    /// Whether an asynchronous read of the present warp may miss this write: no fence of the proxy came after it.
    bool unpublished(AccessRecord write) const;
    /// Whether this access, by a warp of the cluster, is ordered before 'clock'.
    bool known(AccessRecord access, const VectorClock& clock) const;
    const VectorClock& clock(unsigned warp) const { return since_[warp]; }

    /// Selects the warp whose accesses follow.
    void set_warp(unsigned warp) {
        warp_ = warp;
        if (total_ != warps_) worker_ = first_worker_ + warp / warps_;
        ordered_before_ = all_since_[warp];
    }
    /// These lanes may have seen a flag.
    void strong_access(unsigned warp, std::uint32_t mask) {
        saw_strong_ = true;
        strong_at_[warp] = epoch_;
        for (; mask != 0; mask &= mask - 1)
            strong_at_of_lane_[32 * warp + static_cast<unsigned>(std::countr_zero(mask))] = epoch_;
    }

    /// 'marks': the bits of AccessRecordParts that apply.
    AccessRecord record(unsigned thread, std::uint32_t line, std::uint32_t bytes, AccessRecord marks) const {
        return AccessRecord{epoch_} << 37 | AccessRecord{worker_} << 31 | AccessRecord{thread} << 21 |
               AccessRecord{line} << 6 | bytes << 2 | marks;
    }
    /// The earlier access that races with 'mine', if any.
    struct Race {
        AccessRecord other = 0;
        bool wrote = false;  ///< the other
    };
    /// 'updates': the atomic writes, null where there are none. 'shared': the memory is the present cluster's alone.
    Race note_read(ShadowCell& cell, const KeptAccesses* updates, AccessRecord mine, bool shared) {
        Race race{0, true};
        if (updates) look_at(*updates, mine, shared, race.other);
        if (const AccessRecord write = load(cell.plain); conflicts(write, mine, shared)) race.other = write;
        keep(cell.read, mine, shared);
        return race;
    }
    /// 'updates' is not null where 'mine' is atomic.
    Race note_write(ShadowCell& cell, KeptAccesses* updates, AccessRecord mine, bool shared) {
        Race race;
        look_at(cell.read, mine, shared, race.other);
        AccessRecord wrote = 0;
        if (updates) look_at(*updates, mine, shared, wrote, saw_all(load((*updates)[0]), mine));
        if (const AccessRecord write = load(cell.plain); conflicts(write, mine, shared)) wrote = write;
        if (wrote != 0) race = {wrote, true};
        if (mine & AccessRecordParts::strong_bit) {
            keep(*updates, mine, shared);
            return race;
        }
        store(cell.plain, mine);
        // Whatever was ordered before this write is ordered before its successors; other bytes are not affected.
        if ((mine & all_bytes) == all_bytes) {
            forget(cell.read);
            if (updates) forget(*updates);
        }
        return race;
    }
    const BlockLog& log() const { return log_; }

private:
    static constexpr AccessRecord who = (AccessRecord{0x1ffff})
                                        << 20;  ///< worker, thread, and whether it has only started it
    static constexpr AccessRecord which_epoch = AccessRecord{max_epoch} << 37, which_worker = AccessRecord{63} << 31,
                                  which_warp = which_worker | AccessRecord{31} << 26, all_bytes = 15 << 2;
    static AccessRecord load(const AccessRecord& r) { return __atomic_load_n(&r, __ATOMIC_RELAXED); }
    static void store(AccessRecord& r, AccessRecord value) { __atomic_store_n(&r, value, __ATOMIC_RELAXED); }

    void look_at(const KeptAccesses& kept, AccessRecord mine, bool shared, AccessRecord& race,
                 bool at_own_alone = false) const {
        if (load(kept[0]) == 0) return;
        for (const AccessRecord& one : kept)
            if (const AccessRecord other = load(one);
                other != 0 && (!at_own_alone || in_cluster(other)) && conflicts(other, mine, shared))
                race = other;
        if (!others_.empty()) [[unlikely]]
            look_at_others(kept, mine, shared, race, at_own_alone);
    }
    void look_at_others(const KeptAccesses&, AccessRecord mine, bool shared, AccessRecord& race,
                        bool at_own_alone) const;
    /// The latest update of the word is the cluster's own, gave what others' updates had made of it, and is ordered
    /// before the write 'mine': so are theirs, as where the block that takes the last ticket sets the counter back.
    /// One that comes later is a race with 'mine'.
    bool saw_all(AccessRecord latest, AccessRecord mine) const {
        constexpr AccessRecord gives = AccessRecordParts::strong_bit | AccessRecordParts::volatile_bit;
        return (latest & (gives | AccessRecordParts::async_bit)) == gives && in_cluster(latest) &&
               (((latest ^ mine) & who) == 0 || known(latest, since_[warp_]));
    }
    bool in_cluster(AccessRecord r) const {
        return r >> 37 >= begin_ && static_cast<unsigned>(r >> 31 & 63) - first_worker_ < blocks_;
    }
    /// Whoever races with 'mine' does with one of these two: the one is the present cluster's, and the other is not;
    /// or nothing has ordered them, and they are of two warps, or of two lanes of the warp of 'mine'.
    bool tell_all(AccessRecord latest, AccessRecord before, AccessRecord mine) const {
        constexpr AccessRecord async = AccessRecordParts::async_bit, strong = AccessRecordParts::strong_bit;
        if (((latest | before) & (async | (~mine & strong))) != 0 || (mine & ~(latest & before) & all_bytes) != 0 ||
            before == 0 || keeps_all_ || !in_cluster(latest))
            return false;
        if (!in_cluster(before)) return true;
        const AccessRecord differs = latest ^ before;
        return ((differs | (latest ^ mine)) & which_epoch) == 0 &&
               ((differs & which_warp) != 0 || ((differs & who) != 0 && ((latest ^ mine) & which_warp) == 0));
    }
    /// The same of most: all three of one block, and nothing has ordered them.
    bool tell_all_at_once(AccessRecord latest, AccessRecord before, AccessRecord mine) const {
        constexpr AccessRecord marks = AccessRecordParts::async_bit | AccessRecordParts::strong_bit;
        return (((latest ^ mine) | (before ^ mine)) & (which_epoch | which_worker)) == 0 &&
               ((latest ^ before) & which_warp) != 0 && ((latest | before) & marks) == 0 &&
               (mine & ~(latest & before) & all_bytes) == 0 && !keeps_all_;
    }
    /// 'mine' is the latest.
    void keep(KeptAccesses& kept, AccessRecord mine, bool shared) {
        AccessRecord latest = load(kept[0]), before = load(kept[1]);
        if (tell_all_at_once(latest, before, mine)) return;
        if (shared) {  // what an earlier block did there tells nothing
            if (!in_cluster(latest)) latest = 0;
            if (!in_cluster(before)) before = 0;
        }
        if (tell_all(latest, before, mine)) return;
        const AccessRecord differs = latest ^ mine;
        if (latest != 0 && (differs & (which_epoch | who | AccessRecordParts::strong_bit)) == 0)
            mine |= latest & all_bytes;  // the thread has not met anybody since
        else if (latest >> 37 < begin_ || (differs & (who | AccessRecordParts::strong_bit)) != 0 ||
                 (latest & ~mine & all_bytes) != 0)
            if (latest != 0) keep_one_of(kept, latest, before, mine);
        store(kept[0], mine);
    }
    void keep_one_of(KeptAccesses& kept, AccessRecord latest, AccessRecord before, AccessRecord mine) {
        if (before == 0) return store(kept[1], latest);
        const unsigned far = distance(before, mine), near = distance(latest, mine);
        if (near >= far) store(kept[1], latest);
        if (keeps_all_ && std::min(near, far) != 0) [[unlikely]]
            keep_other(kept, near >= far ? before : latest, mine);
    }
    void keep_other(const KeptAccesses&, AccessRecord dropped, AccessRecord mine);
    /// How much 'earlier' tells in addition to 'mine', which comes after it: 0 where everyone who races with it does
    /// with 'mine'.
    unsigned distance(AccessRecord earlier, AccessRecord mine) const {
        if (earlier == 0) return 0;
        // A plain access races with whatever an atomic one races with, and with more.
        const unsigned plain = earlier & AccessRecordParts::strong_bit ? 0 : 1;
        const auto epoch = static_cast<std::uint32_t>(earlier >> 37);
        if (!in_cluster(earlier)) return 6 + plain;  // another block
        const AccessRecord differs = earlier ^ mine;
        const bool same_warp = (differs & which_warp) == 0;
        // Most: another thread of the block, and nothing has ordered them since.
        if ((differs & (which_epoch | which_worker)) == 0 && (differs & who) != 0) return (same_warp ? 2 : 4) + plain;
        const bool ordered = known(earlier, since_[warp_]) || (same_warp && !(earlier & AccessRecordParts::async_bit) &&
                                                               (epoch < warp_since_[warp_] || (differs & who) == 0));
        const bool covered =
            (earlier & ~mine & all_bytes) == 0 && (plain == 0 || !(mine & AccessRecordParts::strong_bit));
        if (ordered && covered) return 0;
        return (same_warp || ordered ? 2 : 4) + plain;
    }
    void forget(KeptAccesses& kept) {
        for (AccessRecord& one : kept)
            if (load(one) != 0) store(one, 0);
        if (!others_.empty()) [[unlikely]]
            others_.erase(kept);
    }

    bool conflicts(AccessRecord earlier, AccessRecord mine, bool shared) const {
        if (earlier == 0 || (earlier & mine & AccessRecordParts::strong_bit) != 0) return false;
        const auto epoch = static_cast<std::uint32_t>(earlier >> 37);
        if (epoch < begin_) return !shared && unordered(earlier, mine);
        // An earlier access of the same thread is no conflict, unless the thread only started it.
        const AccessRecord differs = earlier ^ (mine & ~AccessRecordParts::async_bit);
        if ((differs & who) == 0) return false;
        if (epoch < ordered_before_ && (differs & (which_worker | AccessRecordParts::async_bit)) == 0)
            return false;  // most
        return unordered(earlier, mine);
    }
    bool unordered(AccessRecord earlier, AccessRecord mine) const;
    std::uint32_t next_epoch();
    void learn(unsigned warp);

    const unsigned first_worker_;
    BlockLog& log_;
    const bool keeps_all_;
    unsigned warps_ = 1, blocks_ = 1, total_ = 1;  ///< of a block; of the cluster
    unsigned warp_ = 0, worker_ = 0;               ///< of set_warp()
    std::uint32_t epoch_ = 0, begin_ = 1;
    std::uint32_t ordered_before_ = 1;  ///< what the block did before this epoch is, for the warp of set_warp()
    bool saw_strong_ = false;
    // By warp:
    std::vector<std::uint32_t> strong_at_;          ///< its latest atomic update or volatile read
    std::vector<std::uint32_t> strong_at_of_lane_;  ///< likewise, of each lane
    struct MemoryFence {
        std::uint32_t epoch, mask;  ///< what these lanes did before the epoch was before the fence
    };
    std::vector<std::vector<MemoryFence>> fences_;
    std::vector<std::uint8_t> fence_stands_;
    std::vector<VectorClock> since_;  ///< what it knows to be over
    /// Accesses older than these are ordered before its own: by all warps of its block; by its own lanes.
    std::vector<std::uint32_t> all_since_, warp_since_;
    /// Accesses of the present cluster that are not among the two that a word keeps.
    std::unordered_map<const AccessRecord*, std::vector<AccessRecord>> others_;
};

}  // namespace convscope::ptx
