// Who did what to a word, and whether two accesses are ordered.
//
// Order is told by epochs and vector clocks: each host thread counts its epochs on at each block, barrier and
// __syncwarp. Two threads of a block, or of a cluster of blocks, are ordered by a barrier that the one arrived at and
// the other waited at, or by several of them in a row: each warp knows for every other up to which epoch that has been.
// Lanes of a warp are also ordered by a __syncwarp. Two warps are also ordered where one has executed a memory fence
// after its access, and the other since then an atomic or volatile access: it may have seen a flag. Threads of blocks
// that are in no cluster together are ordered where one block has executed a fence of the device after its access, and
// the other such an access.
//
// What a warp starts and does not wait for, bulk copies and the products of a warpgroup, is of another proxy: its
// accesses are ordered before those of whoever knows that it has ended, and it sees what threads wrote where a
// fence.proxy.async comes between.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <optional>
#include <vector>

#include "kernels/core/launch.h"
#include "kernels/ptx/memory.h"

namespace convscope::ptx {

/// Read as a whole or not at all: other host threads write it meanwhile.
struct AccessRecordParts {
    std::uint32_t epoch;   ///< 27 bits
    std::uint32_t worker;  ///< 6 bits; of a host thread that runs clusters, one for each of their blocks
    std::uint32_t thread;  ///< 10 bits; linear index in its block
    bool async;            ///< by what the thread has started
    std::uint32_t site;    ///< 15 bits; index of Program::lines
    std::uint32_t bytes;   ///< 4 bits: which bytes of the word
    bool strong;           ///< atomic or volatile

    static AccessRecordParts of(AccessRecord r) {
        return {static_cast<std::uint32_t>(r >> 37),
                static_cast<std::uint32_t>(r >> 31 & 63),
                static_cast<std::uint32_t>(r >> 21 & 1023),
                (r & async_bit) != 0,
                static_cast<std::uint32_t>(r >> 5 & 32767),
                static_cast<std::uint32_t>(r >> 1 & 15),
                (r & 1) != 0};
    }
    static constexpr AccessRecord async_bit = AccessRecord{1} << 20;
};
constexpr std::uint32_t max_sites = 1u << 15;
constexpr unsigned max_workers = 63;
constexpr std::uint32_t max_epoch = (1u << 27) - 1;

/// The blocks that the workers of a launch ran, for the other side of a race.
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

/// What is known to be over, by the warps of a cluster: what is older than the epoch. Three parts, an entry for each
/// warp: what the warp did itself; what it has started; of what it did, what a fence.proxy.async has come after.
using VectorClock = std::vector<std::uint32_t>;

/// A host thread's: of the cluster that it runs, which most often is one block. Warps are numbered through the cluster.
class RaceDetector {
public:
    RaceDetector(unsigned first_worker, BlockLog& log) : first_worker_(first_worker), log_(log) {}

    /// 'blocks' in the order of their ranks, each of so many warps.
    void begin_cluster(const std::vector<std::int64_t>& blocks, unsigned warps);
    /// What a warp has done at a barrier that opens.
    struct AtBarrier {
        std::uint32_t arrived = 0;  ///< lanes
        bool waits = false;
        std::uint32_t done = 0;  ///< of one that did not wait: what is older was before
    };
    /// A warp goes on after it has arrived: what it does from now on is not ordered by that barrier.
    std::uint32_t arrive() { return next_epoch(); }
    /// Of the block whose first warp this is.
    void barrier(unsigned first_warp, const std::vector<AtBarrier>& warps);
    void sync_warp(unsigned warp) { warp_since_[warp] = next_epoch(); }
    /// 'device': of the whole device, else of the block.
    void fence(unsigned warp, bool device);

    VectorClock empty_clock() const { return VectorClock(3 * std::size_t{total_}); }
    /// What the warp has done, and knows to be over, goes into 'clock'.
    void release(unsigned warp, VectorClock& clock);
    /// From now on the warp knows what is in 'clock'.
    void acquire(unsigned warp, const VectorClock& clock);
    /// What the warp has started, before 'epoch', is over for who acquires 'clock'.
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
    /// What an asynchronous read of the present warp may not see yet: no fence of the proxy came after it.
    bool unpublished(AccessRecord write) const;
    /// Whether this access, of a warp of the cluster, is ordered before what 'clock' knows.
    bool known(AccessRecord access, const VectorClock& clock) const;
    const VectorClock& clock(unsigned warp) const { return since_[warp]; }

    /// Whose accesses come now.
    void set_warp(unsigned warp) {
        warp_ = warp;
        if (total_ != warps_) worker_ = first_worker_ + warp / warps_;
        ordered_before_ = all_since_[warp];
    }
    void strong_access(unsigned warp) {
        saw_strong_ = true;
        strong_at_[warp] = epoch_;
    }

    /// 'marks': AccessRecordParts::async_bit, and 1 where it is strong.
    AccessRecord record(unsigned thread, std::uint32_t site, std::uint32_t bytes, AccessRecord marks) const {
        return AccessRecord{epoch_} << 37 | AccessRecord{worker_} << 31 | AccessRecord{thread} << 21 |
               AccessRecord{site} << 5 | bytes << 1 | marks;
    }
    /// The earlier access that 'mine' is a race with, if there is one.
    struct Race {
        AccessRecord other = 0;
        bool wrote = false;  ///< the other
    };
    /// What is 'shared' is the present cluster's alone.
    Race note_read(ShadowCell& cell, AccessRecord mine, bool shared) const {
        Race race{0, true};
        for (const AccessRecord* earlier : {&cell.plain, &cell.write})
            if (const AccessRecord write = load(*earlier); conflicts(write, mine, shared)) race.other = write;
        const AccessRecord last = load(cell.read[0]);
        if ((last ^ mine) & who) store(cell.read[1], last);
        store(cell.read[0], mine);
        return race;
    }
    Race note_write(ShadowCell& cell, AccessRecord mine, bool shared) const {
        Race race;
        for (const AccessRecord* earlier : {&cell.read[1], &cell.read[0], &cell.plain, &cell.write})
            if (const AccessRecord other = load(*earlier); conflicts(other, mine, shared))
                race = {other, earlier == &cell.plain || earlier == &cell.write};
        // Atomics of the one who wrote do not hide the write from those of others.
        const AccessRecord last = load(cell.write);
        if (!(mine & 1))
            store(cell.plain, 0);
        else if (last && !(last & 1))
            store(cell.plain, last);
        store(cell.write, mine);
        return race;
    }
    const BlockLog& log() const { return log_; }

private:
    static constexpr AccessRecord who = (AccessRecord{0x1ffff})
                                        << 20;  ///< worker, thread, and whether it has only started it
    static constexpr AccessRecord which_worker = AccessRecord{63} << 31;
    static AccessRecord load(const AccessRecord& r) { return __atomic_load_n(&r, __ATOMIC_RELAXED); }
    static void store(AccessRecord& r, AccessRecord value) { __atomic_store_n(&r, value, __ATOMIC_RELAXED); }

    bool conflicts(AccessRecord earlier, AccessRecord mine, bool shared) const {
        if (earlier == 0 || (earlier & mine & 1) != 0) return false;
        const auto epoch = static_cast<std::uint32_t>(earlier >> 37);
        if (epoch < begin_) return !shared && unordered(earlier, mine);
        // What is not the thread's own, as far as the other has not only started it.
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
    unsigned warps_ = 1, total_ = 1;  ///< of a block, of the cluster
    unsigned warp_ = 0, worker_ = 0;  ///< of set_warp()
    std::uint32_t epoch_ = 0, begin_ = 1;
    std::uint32_t ordered_before_ = 1;  ///< what the block did before this epoch is, for the warp of set_warp()
    bool saw_strong_ = false;
    // By warp:
    std::vector<std::uint32_t> strong_at_;            ///< its latest atomic or volatile access
    std::vector<std::vector<std::uint32_t>> fences_;  ///< what is older was before that fence
    std::vector<VectorClock> since_;                  ///< what it knows to be over
    /// What is older is ordered before what it does: of all warps of its block, of its own lanes.
    std::vector<std::uint32_t> all_since_, warp_since_;
};

}  // namespace convscope::ptx
