// A cooperative launch: all clusters of a grid, which most often are single blocks, live together on this host thread
// and take turns, so that each may wait for the others. What cooperative groups make grid.sync() of - an atomic
// addition to a word of the launch's, whose highest bit flips when the last block comes, and reads of it until then -
// is known by that word: who reads it sleeps, and when it flips all that was done before is ordered before all that
// comes.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "kernels/ptx/cluster_run.h"

namespace convscope::ptx {

class GridRun {
public:
    /// The clusters have so many numbers of workers in the race detector; where there are more clusters than that,
    /// several share one, and each runs until it waits.
    GridRun(LaunchState&, unsigned workers, Counters&);

    void run();

    /// Whether this is the word.
    bool has(std::uint64_t address) const { return address == launch_.grid_barrier; }
    std::uint32_t word() const { return word_; }
    /// A block adds to it; what it was before.
    std::uint32_t arrive(BlockRun&, std::uint32_t added);
    /// Whether the block has to sleep before it reads it.
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

/// What grid.sync() is made of, where the instruction is at that word; otherwise as without.
void arrive_at_grid(Warp&, const Op&);
void poll_grid(Warp&, const Op&);

}  // namespace convscope::ptx
