// Who did what to a word, and whether two accesses are ordered.
//
// Order is told by stamps: each host thread ('worker') counts them on at each block, barrier and __syncwarp. Two
// threads of a block are ordered by a barrier that the one arrived at and the other waited at, or by several of them in
// a row: each warp knows for every other up to which stamp that has been. Lanes of a warp are also ordered by a
// __syncwarp. Two
// warps of a block are also ordered where one has executed a memory fence after its access, and the other since then an
// atomic or volatile access: it may have seen a flag. Threads of different blocks are ordered where one block has
// executed a fence of the device after its access, and the other such an access.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <optional>
#include <vector>

#include "kernels/core/launch.h"
#include "kernels/ptx/memory.h"

namespace convscope::ptx {

/// Read as a whole or not at all: other host threads write it meanwhile.
struct RecordParts {
    std::uint32_t stamp;   ///< 27 bits
    std::uint32_t worker;  ///< 6 bits
    std::uint32_t thread;  ///< 10 bits; linear index in its block
    std::uint32_t site;    ///< 16 bits; index of Program::lines
    std::uint32_t bytes;   ///< 4 bits: which bytes of the word
    bool strong;           ///< atomic or volatile

    static RecordParts of(Record r) {
        return {static_cast<std::uint32_t>(r >> 37),        static_cast<std::uint32_t>(r >> 31 & 63),
                static_cast<std::uint32_t>(r >> 21 & 1023), static_cast<std::uint32_t>(r >> 5 & 65535),
                static_cast<std::uint32_t>(r >> 1 & 15),    (r & 1) != 0};
    }
};
constexpr unsigned max_workers = 63;
constexpr std::uint32_t max_stamp = (1u << 27) - 1;

/// The blocks that the workers of a launch ran, for the other side of a race.
class BlockLog {
public:
    BlockLog(unsigned workers, const Dim3& grid) : grid_(grid), logs_(workers) {}
    void begin(unsigned worker, std::uint32_t stamp, std::int64_t block);
    void fence(unsigned worker, std::uint32_t stamp);
    Dim3 block_at(unsigned worker, std::uint32_t stamp) const;
    /// Whether the block that made this access has executed a memory fence since.
    bool fenced(unsigned worker, std::uint32_t stamp) const;

private:
    struct Run {
        std::uint32_t begin, last_fence;
        std::int64_t block;  ///< in the order of the grid
    };
    const Run& run_at(unsigned worker, std::uint32_t stamp) const;

    const Dim3 grid_;
    mutable std::mutex mutex_;
    std::vector<std::vector<Run>> logs_;
};

/// One worker's.
class Watch {
public:
    Watch(unsigned worker, BlockLog& log) : worker_(worker), log_(log) {}

    void begin_block(std::int64_t block, unsigned warps);
    /// What a warp has done at a barrier that opens.
    struct AtBarrier {
        std::uint32_t arrived = 0;  ///< lanes
        bool waits = false;
        std::uint32_t done = 0;  ///< of one that did not wait: what is older was before
    };
    /// A warp goes on after it has arrived: what it does from now on is not ordered by that barrier.
    std::uint32_t arrive() { return next_stamp(); }
    void barrier(const std::vector<AtBarrier>& warps);
    void sync_warp(unsigned warp) { warp_since_[warp] = next_stamp(); }
    /// 'device': of the whole device, else of the block.
    void fence(unsigned warp, bool device);
    /// Whose accesses come now.
    void set_warp(unsigned warp) { ordered_before_ = all_since_[warp]; }
    void strong_access(unsigned warp) {
        saw_strong_ = true;
        strong_at_[warp] = stamp_;
    }

    Record record(unsigned thread, std::uint32_t site, std::uint32_t bytes, bool strong) const {
        return Record{stamp_} << 37 | Record{worker_} << 31 | Record{thread} << 21 | Record{site} << 5 | bytes << 1 |
               Record{strong};
    }
    /// The earlier access that 'mine' is a race with, if there is one.
    struct Race {
        Record other = 0;
        bool wrote = false;  ///< the other
    };
    /// What is 'shared' is the present block's alone.
    Race note_read(Cell& cell, Record mine, bool shared) const {
        const Record write = load(cell.write);
        const Race race{conflicts(write, mine, shared) ? write : 0, true};
        const Record last = load(cell.read[0]);
        if ((last ^ mine) & who) store(cell.read[1], last);
        store(cell.read[0], mine);
        return race;
    }
    Race note_write(Cell& cell, Record mine, bool shared) const {
        Race race;
        for (const Record* earlier : {&cell.read[1], &cell.read[0], &cell.write})
            if (const Record other = load(*earlier); conflicts(other, mine, shared))
                race = {other, earlier == &cell.write};
        store(cell.write, mine);
        return race;
    }
    const BlockLog& log() const { return log_; }

private:
    static constexpr Record who = (Record{0xffff}) << 21;  ///< worker and thread
    static constexpr Record which_worker = Record{63} << 31;
    static Record load(const Record& r) { return __atomic_load_n(&r, __ATOMIC_RELAXED); }
    static void store(Record& r, Record value) { __atomic_store_n(&r, value, __ATOMIC_RELAXED); }

    bool conflicts(Record earlier, Record mine, bool shared) const {
        if (earlier == 0 || (earlier & mine & 1) != 0) return false;
        const auto stamp = static_cast<std::uint32_t>(earlier >> 37);
        if (stamp < block_begin_) return !shared && unordered(earlier, mine);
        if (((earlier ^ mine) & who) == 0) return false;
        if (stamp < ordered_before_ && ((earlier ^ mine) & which_worker) == 0) return false;  // most are
        return unordered(earlier, mine);
    }
    bool unordered(Record earlier, Record mine) const;
    std::uint32_t next_stamp();

    const unsigned worker_;
    BlockLog& log_;
    std::uint32_t stamp_ = 0, block_begin_ = 1;
    std::uint32_t ordered_before_ = 1;  ///< what the block did before this stamp is, for the warp of set_warp()
    bool saw_strong_ = false;
    std::vector<std::uint32_t> strong_at_;            ///< by warp: its latest atomic or volatile access
    std::vector<std::vector<std::uint32_t>> fences_;  ///< by warp: what is older was before that fence
    /// By warp: what is older is ordered before what it does. Of each other warp, of all of them, and of its own lanes.
    std::vector<std::vector<std::uint32_t>> since_;
    std::vector<std::uint32_t> all_since_, warp_since_;
};

}  // namespace convscope::ptx
