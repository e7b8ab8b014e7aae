// Records the trace of a chosen block, or, derived from, of one block after the other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "kernels/simt/trace.h"
#include "kernels/simt/watched_memory.h"

namespace convscope::simt {

class Recorder {
public:
    /// The block of the first launch of this kernel. More than 'max_events' are an Error(usage): too large to trace.
    Recorder(std::string kernel, const Dim3& block, std::size_t max_events);
    virtual ~Recorder() = default;

    /// Empty until the block has begun.
    const std::optional<BlockTrace>& trace() const { return trace_; }
    /// The trace, which there must be; afterwards there is none.
    BlockTrace take() { return *std::exchange(trace_, std::nullopt); }

    bool wants(const KernelLaunch& launch) const { return !trace_ && launch.kernel == kernel_; }
    const std::string& kernel() const { return kernel_; }
    const Dim3& block() const { return block_; }
    /// Whether arrays come with what they held before.
    bool copies_memory() const { return copies_memory_; }

    // Told by the checker.
    virtual bool begin_block(const KernelLaunch&, const Dim3& block);  ///< whether this is to be recorded
    void set_arguments(std::map<std::string, std::int64_t> numbers) { trace_->arguments = std::move(numbers); }
    /// 'more' are the other elements of a vector.
    void add(TraceEvent, const std::source_location&, std::span<const double> more = {});
    /// The last event was an atomic, and this is what it leaves.
    void add_result(double value);
    /// The compiler takes it that this does not throw; the next add() does where there is no room.
    void add_basic_block(unsigned thread, std::uintptr_t position);
    /// -1 for an array that is not known yet.
    std::int16_t find_array(std::string_view name, Space) const;
    std::int16_t add_array(TraceArray);

protected:
    /// For a class that chooses the blocks itself, in begin_block().
    explicit Recorder(std::size_t max_events) : Recorder({}, {}, max_events) { copies_memory_ = false; }
    /// Begins this block; the events recorded before are dropped.
    void start(const KernelLaunch&, const Dim3& block);

private:
    bool full() const { return trace_->events.size() >= max_events_; }
    std::uint16_t source(const std::source_location&);

    const std::string kernel_;
    const Dim3 block_;
    const std::size_t max_events_;
    bool copies_memory_ = true;
    std::optional<BlockTrace> trace_;
};

}  // namespace convscope::simt
