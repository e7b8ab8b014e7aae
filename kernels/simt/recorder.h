// Records the trace of a chosen block.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "kernels/simt/trace.h"
#include "kernels/simt/watched_memory.h"

namespace convscope::simt {

class Recorder {
public:
    /// The block of the first launch of this kernel. More than 'most_events' are an Error(usage): too large to trace.
    Recorder(std::string kernel, const Dim3& block, std::size_t most_events);

    /// Empty until the block has begun.
    const std::optional<BlockTrace>& trace() const { return trace_; }

    bool wants(const KernelLaunch& launch) const { return !trace_ && launch.kernel == kernel_; }
    const Dim3& block() const { return block_; }

    // Told by the checker.
    bool begin_block(const KernelLaunch&, const Dim3& block);  ///< whether this is the one
    void add(TraceEvent, const std::source_location&);
    /// The compiler takes it that this does not throw; the next add() does where there is no room.
    void add_passage(unsigned thread, std::uintptr_t position);
    std::int16_t array(const TraceArray&);

private:
    bool full() const { return trace_->events.size() >= most_events_; }
    std::uint16_t source(const std::source_location&);

    const std::string kernel_;
    const Dim3 block_;
    const std::size_t most_events_;
    std::optional<BlockTrace> trace_;
};

}  // namespace convscope::simt
