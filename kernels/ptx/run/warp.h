// A warp of a running block.
//
// Its lanes run in lockstep, as groups: lanes at the same instruction are one group. The group that is furthest behind
// runs first, so that lanes which took different ways meet again where these ways do. A group that goes round and round
// while others could run gives way to them after some time: lanes may wait for one another.
#pragma once

#include <bit>
#include <cstdint>
#include <deque>
#include <unordered_map>
#include <vector>

#include "kernels/ptx/run/program.h"
#include "kernels/ptx/run/undefined_registers.h"

namespace convscope::ptx {

class BlockRun;
class WarpTracer;

constexpr unsigned lanes = 32;
constexpr std::uint32_t all_lanes = ~0u;

/// A cp.async that has not been waited for.
struct PendingCopy {
    std::uint64_t to = 0, from = 0;
    std::uint32_t line = 0;
    std::uint8_t bytes = 0, read = 0;  ///< in shared memory; of them from 'from'
    bool lands = false;                ///< 'to' can be written
    std::uint8_t content[16] = {};
};

/// One lane's cp.async copies, numbered from 1.
struct LaneCopies {
    std::uint64_t begun = 0;           ///< the latest
    std::deque<PendingCopy> pending;   ///< up to it
    std::deque<std::uint64_t> groups;  ///< of those that were committed, oldest first, the last copy
};

/// Groups of bulk copies or of wgmma products, oldest first; each covers all that was started before 'epoch'.
struct StartedGroups {
    struct Group {
        std::uint32_t epoch;
        bool reads = false;  ///< shared memory, and nobody has waited until that is over
    };
    std::vector<Group> committed;
    bool reads = false;      ///< of what is not committed
    std::uint32_t line = 0;  ///< of the latest
};

/// State of a warpgroup (wgmma).
struct WgmmaState {
    bool fenced = false;                   ///< a wgmma.fence has been executed
    std::vector<std::uint32_t> committed;  ///< groups: what was started before the epoch is in it
    struct PendingAccumulator {
        std::uint32_t group, line;
    };
    std::unordered_map<std::uint32_t, PendingAccumulator> pending;  ///< by their registers' offsets
};

class Warp {
public:
    Warp(BlockRun& block, unsigned index, unsigned threads);

    /// Prepares for a new block.
    void start();
    /// Null: nothing is traced. Not owned.
    void trace_with(WarpTracer* tracer) {
        tracer_ = tracer;
        attended_ = needs_attention();
    }
    /// Runs up to 'budget' instructions, or until no group of it can run. Returns the rest of the budget.
    std::int64_t run(std::int64_t budget);
    bool can_run() const { return active_ != 0; }
    bool ended() const { return live_ == 0; }

    // For the functions of instructions.
    std::uint32_t mask = 0;  ///< lanes that execute the present instruction
    template <class T>
    T* values(std::uint32_t reg_offset) {
        return reinterpret_cast<T*>(file_ + reg_offset);
    }
    std::uint32_t& predicate(std::uint32_t reg_offset) { return *values<std::uint32_t>(reg_offset); }
    void set_predicate(std::uint32_t reg_offset, std::uint32_t value) {
        std::uint32_t& old = predicate(reg_offset);
        old = (old & ~mask) | (value & mask);
    }

    const Program& program() const { return program_; }
    BlockRun& block() { return block_; }
    unsigned index() const { return index_; }
    unsigned number() const { return number_; }  ///< in its cluster
    unsigned thread(unsigned lane) const { return lanes * index_ + lane; }
    std::uint32_t live() const { return live_; }
    std::uint32_t existing() const { return existing_; }
    std::uint32_t active() const { return active_; }

    /// The lanes of 'taken' go on at 'target'.
    void branch(std::uint32_t taken, std::uint32_t target);
    void exit_lanes(std::uint32_t which);
    std::uint32_t pc() const { return pc_; }  ///< of the next instruction
    /// True when all live lanes of 'members' are here. Otherwise the running group waits for them before this
    /// instruction, which it will execute again.
    bool gather(std::uint32_t members);
    /// The same for the masks in a register. A lane whose own mask leaves it out is a finding.
    bool gather_members(const Op&, std::uint32_t reg_offset);
    /// The running group waits at the block's barrier.
    void wait_at_barrier(std::uint32_t barrier);
    /// The waiting group goes on; 'votes' of 'voters' threads voted true.
    void leave_barrier(std::uint32_t barrier, unsigned votes, unsigned voters);
    /// The running group waits until something has happened, and runs the present instruction again. 'barrier': the
    /// address of the mbarrier whose phase it waits for, or one of these.
    static constexpr std::uint32_t cluster_barrier = 0, warpgroup = 1, grid_barrier = 2;
    void wait_for_event(std::uint32_t barrier);
    void wake();
    /// Threads that wait for an mbarrier go on without it; returns whether any did.
    bool give_up_waiting();
    /// Returns once whether the present lanes do.
    bool gives_up();
    void note_polling() {
        polled_ = true;
        ++polls_;
    }
    std::uint64_t polls() const { return polls_; }  ///< accesses by which it may wait for another thread

    struct Group {
        enum class State : std::uint8_t { ready, gathering, at_barrier, at_event };
        std::uint32_t pc, mask;
        State state;
        std::uint32_t barrier = 0;
    };
    const std::vector<Group>& waiting() const { return parked_; }

    LaneCopies copies[lanes];
    StartedGroups bulk[lanes];
    bool bulk_begun = false;  ///< there was a bulk copy, or a group of them
    WgmmaState wgmma;
    UndefinedRegisters undefined;
    /// As UndefinedRegisters::loaded(); without registers, those of a plain load.
    void note_undefined(const Op&, unsigned lane, std::uint64_t address, std::uint32_t bytes);
    void note_undefined(const Op&, unsigned lane, std::uint64_t address, std::uint32_t bytes,
                        std::span<const std::uint32_t> registers, unsigned bytes_each);
    /// The register at this offset is an accumulator that is pending until the groups before 'group' have been waited
    /// for.
    void note_accumulator(std::uint32_t reg_offset, std::uint32_t line);
    void forget_accumulators(std::uint32_t group);

private:
    static constexpr std::uint32_t no_pc = ~0u;

    std::uint32_t idle_multiplications(const Op&);
    void attend(const Op&);
    bool needs_attention() const { return tracer_ || !wgmma.pending.empty() || undefined.any(); }
    void check_accumulators(const Op&);
    void park(Group);
    void regroup();
    void choose_next();
    void find_reconvergence();
    void note_backward_branch();

    BlockRun& block_;
    const Program& program_;
    const unsigned index_, number_;
    std::vector<std::byte> memory_;
    std::byte* file_ = nullptr;  ///< aligned, in memory_
    std::uint32_t existing_ = 0, live_ = 0, active_ = 0;
    std::uint32_t pc_ = 0;
    std::uint32_t reconvergence_pc_ = no_pc;  ///< the nearest instruction, at or after pc_, where another group stands
    std::vector<Group> parked_;
    std::uint32_t rounds_ = 0;  ///< backward branches while others could run
    std::uint64_t polls_ = 0;
    bool polled_ = false;  ///< memory that another lane may change, since the last of them
    WarpTracer* tracer_ = nullptr;
    bool attended_ = false;        ///< something is to be done before each instruction
    std::uint32_t giving_up_ = 0;  ///< lanes
    bool waits_ = false;           ///< the present instruction has to be run again
    bool prioritised_ = false;     ///< may run although others are further behind
};

}  // namespace convscope::ptx
