// A cluster of blocks that run together on this host thread, turn by turn. Most kernels have clusters of one block.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "kernels/ptx/run/block_run.h"

namespace convscope::ptx {

class ClusterRun {
public:
    ClusterRun(LaunchState&, unsigned worker, Counters&);

    /// Runs one cluster; 'cluster' counts in the grid's order.
    void run(std::int64_t cluster);

    // For running several clusters in turns.
    void place(std::int64_t cluster);
    /// Starts a new history: all earlier accesses belong to other blocks. 'epoch' is the last one of its worker.
    void watch_from(std::uint32_t epoch);
    /// Lets each of its warps run for a while; false where none can.
    bool take_turn();
    bool can_run() const;
    bool ended() const;
    bool give_up_waiting();
    void report_stuck();

    RaceDetector& race_detector() { return race_detector_; }
    Counters& counters() { return counters_; }
    unsigned size() const { return static_cast<unsigned>(blocks_.size()); }
    BlockRun& block(unsigned rank) { return *blocks_[rank]; }

    /// Records that something has happened that another thread may wait for.
    void note_progress() { ++progress_; }
    /// Threads that wait for a phase of an mbarrier, or at the cluster's barrier, check it again.
    void wake();

    // barrier.cluster
    /// 'orders': the threads' accesses so far come before those of the waiting ones.
    void arrive(Warp&, const Op&, bool orders);
    void wait(Warp&, const Op&);
    void lanes_left() { open_if_ready(); }

private:
    void open_if_ready();

    LaunchState& launch_;
    const Dim3 shape_;
    RaceDetector race_detector_;
    Counters& counters_;
    std::vector<std::int64_t> indices_;  ///< of its blocks
    std::vector<std::unique_ptr<BlockRun>> blocks_;
    std::uint64_t progress_ = 0, stuck_at_ = 0;

    unsigned arrived_ = 0;                 ///< at the cluster's barrier
    std::vector<std::uint32_t> came_;      ///< lanes of each warp that have arrived
    std::vector<std::uint32_t> may_pass_;  ///< that the last opening was for, and that have not waited yet
    VectorClock arriving_, opened_;
};

}  // namespace convscope::ptx
