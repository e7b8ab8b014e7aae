// A block's trace as something to walk through: one instruction of one warp at a time, forwards, backwards, or to any
// place at once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "kernels/simt/block_cost.h"
#include "kernels/simt/replay_state.h"
#include "kernels/simt/trace.h"

namespace convscope::simt {

/// One instruction of one warp: what its active lanes did at once. A barrier is a step of each warp that comes to it.
struct ReplayStep {
    EventKind kind = EventKind::load;  ///< never basic_block
    unsigned warp = 0;
    unsigned phase = 0;                     ///< barriers of the block that lie before it
    std::uint32_t lanes = 0;                ///< a bit for each active lane
    std::uint16_t source = 0;               ///< index into BlockTrace::sources
    std::int16_t array = -1;                ///< index into BlockTrace::arrays; -1 where none is touched
    std::span<const std::uint32_t> events;  ///< of each active lane, ascending: index into BlockTrace::events
    std::int64_t request = -1;              ///< index into BlockCost::requests; -1 where it is no access to memory
};

/// Owns the trace. Steps are in lockstep order: barrier phase after barrier phase, in a phase warp after warp. Memory
/// grows with the trace alone, and no state costs more than one walk over its stores. Not thread-safe.
class Replay {
public:
    explicit Replay(BlockTrace);
    Replay(Replay&&) = default;
    Replay& operator=(Replay&&) = default;

    const BlockTrace& trace() const { return trace_; }
    const BlockCost& cost() const { return cost_; }

    std::size_t size() const { return steps_.size(); }
    const ReplayStep& at(std::size_t step) const { return steps_[step]; }

    // Each takes a number of steps done, from 0 to size(), and gives another.
    /// The first at which the next barrier has been passed; size() where none comes.
    std::size_t next_barrier(std::size_t done) const;
    /// The last before it at which a barrier has just been passed; 0 where there was none.
    std::size_t previous_barrier(std::size_t done) const;

    /// The state of memory and threads after so many steps: the same on every way there. Valid until the next call.
    const ReplayState& state(std::size_t steps_done);

private:
    /// An element that a step leaves with another value, and how to take that back.
    struct Write {
        std::uint32_t step, event;
        std::uint16_t element;  ///< of a vector
        std::int16_t array;
        std::uint32_t place;     ///< ArrayState::elements_
        std::uint32_t previous;  ///< write to the same place; none: as the block found it
    };
    static constexpr std::uint32_t none = ~0u;
    /// The steps of one thread, in its order: numbers of steps, and of its events of one kind.
    struct Path {
        std::vector<std::uint32_t> steps, events;
        std::vector<std::uint32_t> multiply_adds;        ///< places in the two above
        std::vector<std::vector<std::uint32_t>> stores;  ///< by array: steps
    };

    void put_in_order();
    void follow_threads();
    void follow_writes();
    ArrayState found(std::size_t array) const;
    ElementState left_by(const Write&) const;
    void move_memory(std::size_t done);
    void tell_threads(std::size_t done);

    BlockTrace trace_;
    BlockCost cost_;
    std::vector<std::uint32_t> lane_events_;  ///< ReplayStep::events point here
    std::vector<ReplayStep> steps_;
    std::vector<std::size_t> phase_starts_;  ///< the first step of each phase but the first
    std::vector<Path> paths_;
    std::vector<Write> writes_;
    std::vector<ArrayState> before_;  ///< as the block found them
    ReplayState state_;
    std::size_t writes_done_ = 0;
};

}  // namespace convscope::simt
