// Records the trace of a chosen block, or, derived from, of one block after the other.
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
    virtual ~Recorder() = default;

    /// Empty until the block has begun.
    const std::optional<BlockTrace>& trace() const { return trace_; }

    bool wants(const KernelLaunch& launch) const { return !trace_ && launch.kernel == kernel_; }
    const Dim3& block() const { return block_; }

    // Told by the checker.
    virtual bool begin_block(const KernelLaunch&, const Dim3& block);  ///< whether this is to be recorded
    void add(TraceEvent, const std::source_location&);
    /// The compiler takes it that this does not throw; the next add() does where there is no room.
    void add_passage(unsigned thread, std::uintptr_t position);
    std::int16_t array(const TraceArray&);

protected:
    /// For a class that chooses the blocks itself, in begin_block().
    explicit Recorder(std::size_t most_events) : Recorder({}, {}, most_events) {}
    /// What comes now belongs to this block; what was recorded before goes.
    void start(const KernelLaunch&, const Dim3& block);

private:
    bool full() const { return trace_->events.size() >= most_events_; }
    std::uint16_t source(const std::source_location&);

    const std::string kernel_;
    const Dim3 block_;
    const std::size_t most_events_;
    std::optional<BlockTrace> trace_;
};

}  // namespace convscope::simt
