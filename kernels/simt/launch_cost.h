// The cost of whole launches: each block is traced, its cost added up, its trace dropped before the next.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/simt/block_cost.h"
#include "kernels/simt/recorder.h"

namespace convscope::simt {

/// The sums over all blocks of one launch: what a GPU's counters give for a kernel.
struct LaunchCost {
    KernelLaunch launch;
    MemoryCost global_loads, global_stores, global_atomics;
    MemoryCost shared_loads, shared_stores, shared_atomics;
    std::int64_t multiply_adds = 0;          ///< of single threads
    std::int64_t multiply_instructions = 0;  ///< of warps
    std::int64_t barriers = 0;               ///< that blocks passed

    void add(const BlockCost&);
};

/// Counts every launch that runs while it is the Checker's recorder; CheckOptions::only_recorded has to be off. A block
/// of more than 'max_events' steps is an Error(usage), and so are more than 'max_events_in_all' of all blocks.
class LaunchCounter final : public Recorder {
public:
    static constexpr std::size_t default_max_events = 8'000'000;  ///< 400 MB of one block's trace
    static constexpr std::size_t any_number = ~std::size_t{0};

    explicit LaunchCounter(std::size_t max_events = default_max_events, std::size_t max_events_in_all = any_number)
        : Recorder(max_events), max_events_in_all_(max_events_in_all) {}

    bool begin_block(const KernelLaunch&, const Dim3& block) override;
    /// The launches until now, in order. A block that a Finding ended counts as far as it came.
    const std::vector<LaunchCost>& launches();

private:
    void close_block();

    const std::size_t max_events_in_all_;
    std::size_t events_ = 0;  ///< of the blocks that are counted
    std::vector<LaunchCost> launches_;
    bool open_ = false;  ///< the trace holds a block that is not counted yet
};

}  // namespace convscope::simt
