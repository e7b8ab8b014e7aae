// A block that runs on this host thread, with all state that its instructions need.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "kernels/core/launch.h"
#include "kernels/ptx/run/launch.h"
#include "kernels/ptx/run/launch_counts.h"
#include "kernels/ptx/run/mbarrier.h"
#include "kernels/ptx/run/memory.h"
#include "kernels/ptx/run/race_detector.h"
#include "kernels/ptx/run/warp.h"
#include "kernels/ptx/run/warp_tracer.h"
#include "kernels/ptx/text/finding.h"

namespace convscope::ptx {

class BlockRun;
class ClusterRun;
class GridRun;

/// State that all blocks of a launch share.
struct LaunchState {
    const Program& program;
    const LaunchRequest& request;
    const Dim3 cluster;  ///< blocks
    Arrays& arrays;
    MallocHeap& heap;
    std::size_t first_lent = 0;  ///< of 'arrays': from here on those of LaunchRequest::memory, in its order
    FindingList& findings;
    PrintedText& printed;
    BlockLog log;
    WarpTrace* trace = nullptr;  ///< where the launch asks for one
    std::atomic<bool> stop{false};
    std::atomic<bool> out_of_time{false}, too_many_findings{false};
    std::chrono::steady_clock::time_point deadline;
    unsigned grid_workers = 0;       ///< of a cooperative launch: GridRun's
    std::uint64_t grid_barrier = 0;  ///< of one: where the word is by which its blocks wait for each other
    GridRun* grid = nullptr;         ///< of one that runs

    /// The array of LaunchRequest::memory that contains the address or has it in the room around it; null: none.
    Array* lent_at(std::uint64_t address, std::uint64_t& begin);
    /// Checks the time limit, too.
    bool must_stop();
    void ran_out_of_time_at(const ThreadLocation&);
    /// Where a thread was when the time ran out, as the first one saw it.
    std::optional<ThreadLocation> reached = std::nullopt;
    std::mutex reached_mutex = {};
};

/// The array that contains an address.
struct Located {
    Array* array = nullptr;
    std::uint64_t begin = 0;    ///< address of the array's first byte
    BlockRun* block = nullptr;  ///< for shared memory: the block that owns it
};

class BlockRun {
public:
    BlockRun(LaunchState&, ClusterRun&, unsigned rank);

    /// Prepares to run the block with this number, in the order of the grid.
    void start(std::int64_t block);
    /// Lets each of its warps run for a while; false where none can.
    bool take_turn();
    bool ended() const { return live_threads_ == 0; }

    LaunchState& launch() { return launch_; }
    const Program& program() const { return launch_.program; }
    ClusterRun& cluster() { return cluster_; }
    unsigned rank() const { return rank_; }
    RaceDetector& race_detector();
    Counters& counters();
    const Dim3& index() const { return index_; }
    std::vector<std::unique_ptr<Warp>>& warps() { return warps_; }
    unsigned live_threads() const { return live_threads_; }
    const std::optional<ThreadLocation>& has_left() const { return has_left_; }
    bool counts_wanted() const { return launch_.request.counts; }
    bool lines_wanted() const { return launch_.request.lines; }

    /// Empty where no array is near the address.
    Located locate(std::uint64_t address, unsigned thread);
    /// The array that contains this byte of the block's shared memory; an empty one where there is none.
    Located locate_in_shared(std::uint64_t shared_offset);
    /// Records an access by a warp of another block to this one's shared memory.
    void note_remote(unsigned warp, AccessRecord access) { remote_[warp] = access; }

    // Barriers.
    /// 'threads' wait or arrive at a barrier of 'expected' threads; 0: all that are left in the block.
    void arrive(const Op&, std::uint32_t barrier, unsigned threads, unsigned expected, unsigned votes_true, bool waits,
                Warp&);
    void lanes_left(Warp&, std::uint32_t which, std::uint32_t line);

    std::uint32_t arrived_at_grid = 0;  ///< how often its barrier will have opened once all others are there, too
    bool copies_begun = false;          ///< a cp.async was in flight in this block
    /// Words that the cp.async in flight read, where somebody may write them: the word's address / 4, and the copy.
    std::unordered_multimap<std::uint64_t, AccessRecord> copied_from;

    Mbarriers mbarriers;

    // Findings.
    ThreadLocation location_of(const Warp&, const Warp::Group&) const;
    /// Describes the waiting threads when none can run: "bar[0]", and a sentence.
    std::string what_is_waited_for(const Warp::Group&) const;
    std::string why_it_waits(const Warp::Group&) const;
    ThreadLocation location(const Warp&, unsigned lane, std::uint32_t line) const;
    ThreadLocation location_of(AccessRecord) const;
    /// Reports that the warp does not end, and stops the launch.
    void report_endless(const Warp&, std::string what);
    void report(Finding finding) {
        if (!launch_.findings.add(std::move(finding))) launch_.stop = launch_.too_many_findings = true;
    }

private:
    struct Barrier {
        unsigned arrived = 0, expected = 0, votes = 0;
        ThreadLocation first;  ///< to come
        std::vector<RaceDetector::AtBarrier> warps;
    };
    void complete_if_ready(std::uint32_t barrier);
    void check_convergence(std::uint32_t barrier);
    void check_end(const Warp&, std::uint32_t line);

    LaunchState& launch_;
    ClusterRun& cluster_;
    const unsigned rank_;  ///< in its cluster
    Dim3 index_;
    Arrays shared_;
    std::vector<std::byte> local_data_;
    std::vector<std::uint8_t> local_written_;
    std::vector<Array> local_;  ///< by thread
    std::vector<std::unique_ptr<Warp>> warps_;
    std::vector<std::int64_t> left_;           ///< instructions that each warp may still run
    std::map<unsigned, AccessRecord> remote_;  ///< the latest access of a warp of another block to shared memory
    std::array<Barrier, 16> barriers_;
    std::optional<WarpTracer> tracer_;
    unsigned live_threads_ = 0;
    std::optional<ThreadLocation> has_left_;  ///< one that has left the kernel
};

}  // namespace convscope::ptx
