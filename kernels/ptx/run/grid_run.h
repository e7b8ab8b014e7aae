// A cooperative launch: all clusters of a grid, usually single blocks, live together on this host thread and take
// turns, so that each may wait for the others. Cooperative groups implement grid.sync() by an atomic addition to a word
// of the launch, whose highest bit flips when the last block arrives, and reads of it until then. The executor
// recognises that word: a reader sleeps, and the flip orders all that was done before it before all that comes after.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "kernels/ptx/run/cluster_run.h"

namespace convscope::ptx {

class GridRun {
public:
    /// The clusters use 'workers' numbers in the race detector; where there are more clusters than that, several share
    /// one, and each runs until it waits.
    GridRun(LaunchState&, unsigned workers, Counters&);

    void run();

    /// Whether the address is that of the barrier's word.
    bool has(std::uint64_t address) const { return address == launch_.grid_barrier; }
    std::uint32_t word() const { return word_; }
    /// A block adds to the word; returns the value from before.
    std::uint32_t arrive(BlockRun&, std::uint32_t added);
    /// Whether the block must sleep before it reads the word.
    bool must_wait(const BlockRun&) const;

private:
    void open(BlockRun& last);
    void begin_phase(std::size_t cluster);
    bool take_turns(std::size_t cluster);
    bool give_up_waiting();
    void forget_history();
    void report_stuck();

    LaunchState& launch_;
    const unsigned workers_;
    std::vector<std::unique_ptr<ClusterRun>> clusters_;
    std::vector<std::uint32_t> epochs_;    ///< of each worker, the last that was used
    std::vector<bool> in_phase_;           ///< of each cluster: it has run since the barrier opened
    std::uint32_t word_ = 0, opened_ = 0;  ///< the word; how often it has flipped
};

/// The two halves of grid.sync(), where the instruction is at that word; otherwise the instructions run as usual.
void arrive_at_grid(Warp&, const Op&);
void poll_grid(Warp&, const Op&);

}  // namespace convscope::ptx
