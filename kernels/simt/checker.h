// Watches a kernel while the executor runs it. Every access to memory in the checked dialect (dialect_checked.h) comes
// here first; the first thing found wrong ends the run with a Finding.
//
// It checks bounds and alignment of each access; that nobody reads a word which nobody wrote; that two threads
// which touch a word, one of them writing, are ordered by a barrier (or are both atomic); that all threads reach the
// same barriers; that a block ends.
//
// Order is told by stamps: a counter that goes on at each launch, block, barrier and __syncwarp. Blocks run one after
// the other, so a word touched since the launch began but before this block did was touched by another block. A
// __syncwarp orders the lanes that take part, and passes on what each of them was ordered with before; votes and
// shuffles order nothing.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <source_location>
#include <stop_token>
#include <string_view>
#include <vector>

#include "kernels/simt/executor.h"
#include "kernels/simt/finding.h"
#include "kernels/simt/kernel_argument.h"
#include "kernels/simt/recorder.h"
#include "kernels/simt/simulated_time.h"
#include "kernels/simt/source_table.h"
#include "kernels/simt/watched_memory.h"

namespace convscope::simt {

/// Bounds, alignment and barriers are always checked: the rest builds upon them.
struct CheckOptions {
    bool uninitialised = true;
    bool races = true;
    std::uint64_t step_limit = 1'000'000'000;  ///< accesses, multiply-adds and barriers of one block
    std::uint64_t order_seed = 0;              ///< threads in a random order of this seed; 0: by their index
    /// With a recorder: of the recorded kernel run the recorded block alone, then throw TraceComplete.
    bool only_recorded = false;
    /// With only_recorded: what a launch before the recorded one may take. More is an Error(usage).
    double max_seconds_before = max_simulated_seconds;
    std::stop_token stop;  ///< ends the run with an Error(failed)
};

/// Thrown when the requested trace is recorded; the rest of the kernel does not run.
struct TraceComplete {};

struct ElementType {
    std::uint8_t bytes = 4;     ///< of all its numbers
    bool real = true;           ///< floating-point numbers
    std::uint8_t elements = 1;  ///< up to 4 in a vector
};

/// An element as the kernel calls it: x[5].
struct ElementName {
    std::string array;
    std::int64_t index = 0;
};

class Checker {
public:
    CheckOptions options;
    Recorder* recorder = nullptr;  ///< not owned

    // Global memory, as the host sees it.
    void add(void* memory, std::size_t bytes, std::string name = {});
    void remove(void* memory) noexcept;
    /// The host, or a library, wrote these bytes.
    void mark_written(const void* from, std::size_t bytes);
    /// These bytes' values count no longer.
    void mark_unwritten(const void* from, std::size_t bytes);
    /// For what a library reads. Throws Finding when one of these bytes was not written.
    void require_written(const void* from, std::size_t bytes);
    /// Null when the address lies in no allocation.
    WatchedMemory* find(const void* address);

    // Told by the executor.
    /// 'arguments' are in the order of the kernel's parameters.
    void begin_launch(const KernelLaunch&, const std::vector<KernelArgument>& arguments);
    void begin_block(const Dim3& block);
    void end_launch() { recording_ = false; }
    void enter_thread(unsigned thread);
    /// The thread's own code starts; and the executor's goes on.
    void begin_thread() { inside_ = false; }
    void leave_thread() { inside_ = true; }
    /// While it lives, what runs is the executor, though a thread called it. Only the kernel's own code is recorded:
    /// the executor may call the library's functions as the linker took them from a kernel's file, where each piece of
    /// straight code reports itself.
    class Inside {
    public:
        /// Null where nothing is watched.
        explicit Inside(Checker* checker) : checker_(checker), outer_(checker && checker->inside_) {
            if (checker_) checker_->inside_ = true;
        }
        ~Inside() {
            if (checker_) checker_->inside_ = outer_;
        }
        Inside(const Inside&) = delete;
        Inside& operator=(const Inside&) = delete;

    private:
        Checker* checker_;
        const bool outer_;
    };
    void release_barrier() { barrier_since_ = ++now_; }
    /// Accesses, multiply-adds and barriers of the block so far.
    std::uint64_t steps() const { return options.step_limit - steps_behind_ - steps_left_; }
    /// These lanes of the warp have met in a __syncwarp; 'all' when they are all that it has.
    void release_warp(unsigned warp, std::uint32_t lanes, bool all);

    // Told by the checked dialect, from inside a thread.
    /// Cuts a shared array; 'memory' is its first byte. 'declaration' tells apart arrays that lie at the same place.
    WatchedMemory* shared_array(std::byte* memory, std::size_t bytes, const std::source_location& declaration,
                                bool dynamic, const char* name = nullptr);
    void load(WatchedMemory*, const void* address, ElementType, const std::source_location&);
    /// Before the store; 'value' points to what will be stored.
    void store(WatchedMemory*, const void* address, ElementType, const void* value, const std::source_location&);
    void atomic(WatchedMemory*, const void* address, ElementType, const std::source_location&);
    /// After atomic(): what the element holds now.
    void updated(ElementType, const void* value);
    void multiply_add(float result, const std::source_location&);
    /// A barrier or a warp-wide operation.
    void synchronise(EventKind, const std::source_location&);
    /// A piece of straight code begins. The compiler takes it that this does not throw.
    void pass(std::uintptr_t position) noexcept {
        if (recording_ && !inside_) [[unlikely]]
            recorder->add_basic_block(me_, position);
        if (--quiet_left_ == 0) [[unlikely]]
            end_quiet_loop();
    }
    void step(const std::source_location& at) {
        quiet_left_ = options.step_limit;
        last_step_ = at;
        if (--steps_left_ == 0) [[unlikely]]
            end_slice(at);
    }

private:
    Cell* locate(WatchedMemory*&, const void* address, unsigned size, const std::source_location&, const char* does);
    /// An array as the kernel was given it: what it is called, and where it lies.
    struct Extent {
        std::string_view name;
        const std::byte *first, *end;
    };
    Extent extent(const WatchedMemory&, const void* address) const;
    ElementName name(const WatchedMemory&, const void* address, unsigned size) const;
    TraceArray describe(const WatchedMemory&, const Extent&, ElementType) const;
    /// Its place in the trace. When it is touched for the first time, before that changes anything: notes what it
    /// holds.
    std::int16_t note_array(const WatchedMemory&, const void* address, ElementType);
    static double as_number(ElementType, const void* value);
    void record(EventKind, const WatchedMemory&, const void* address, ElementType, const void* value,
                const std::source_location&, const void* position);
    FoundElement found_element(const WatchedMemory&, const void* address, unsigned size) const;
    std::string element(const WatchedMemory&, const void* address, unsigned size) const;
    Index3 index_of(unsigned thread) const;
    bool conflicts(const Access& earlier, Space, std::uint16_t mine) const;
    void note_read(Cell&, std::uint16_t source);
    Dim3 block_at(std::uint32_t stamp) const;
    Side mine(const std::source_location&, const char* does) const;
    std::string story(const Side&) const;
    void renew_stamps();
    void begin_slice();
    void end_slice(const std::source_location&);

    /// 'does' is "reads", "writes" or "updates".
    [[noreturn]] void report_bounds(const WatchedMemory*, const void* address, unsigned size,
                                    const std::source_location&, const char* does) const;
    [[noreturn]] void report_misaligned(const WatchedMemory&, const void* address, unsigned size,
                                        const std::source_location&, const char* does) const;
    [[noreturn]] void report_unwritten(const WatchedMemory&, const void* address, unsigned size,
                                       const std::source_location&) const;
    [[noreturn]] void report_unwritten_operand(const WatchedMemory&, std::size_t word) const;
    [[noreturn]] void report_race(const WatchedMemory&, const void* address, unsigned size, const Access& earlier,
                                  const std::source_location&, const char* does) const;
    [[noreturn]] void report_too_much_shared(std::size_t bytes, const std::source_location&) const;
    [[noreturn]] void end_quiet_loop() noexcept;
    [[noreturn]] void report_endless(const std::source_location&) const;

    SourceTable sources_;
    std::map<const std::byte*, WatchedMemory> allocations_;
    std::deque<WatchedMemory> shared_;  ///< of the present launch; stable addresses
    struct SharedKey {
        std::uint16_t source;
        std::size_t offset, bytes;
    };
    std::vector<SharedKey> shared_keys_;
    std::vector<Cell> dynamic_cells_;
    std::byte* dynamic_begin_ = nullptr;

    KernelLaunch launch_;
    struct Parameter {
        const std::byte* first;
        std::string name;
    };
    std::vector<Parameter> parameters_;            ///< those that are pointers
    std::map<std::string, std::int64_t> numbers_;  ///< those that are whole numbers, as BlockTrace::arguments
    Dim3 block_;
    bool recording_ = false, inside_ = true;
    std::vector<std::uint32_t> block_starts_;  ///< stamps, in the order of the blocks
    std::uint16_t me_ = 0;
    std::uint64_t steps_left_ = 0;    ///< of this slice, at whose end somebody may stop the run
    std::uint64_t steps_behind_ = 0;  ///< those of later slices, until the block counts as endless
    std::uint64_t quiet_left_ = 0;    ///< pieces of straight code until a loop without a step counts as endless
    std::source_location last_step_;
    std::uint32_t now_ = 2;  ///< 1 is 'written by the host'
    std::uint32_t block_since_ = 2, barrier_since_ = 2;
    std::array<std::uint32_t, 2> written_since_{1, 2};  ///< by Space: older writes do not count as written
    std::array<std::uint32_t, 2> hazard_since_{2, 2};   ///< by Space: what is older is ordered before this launch
    std::array<std::uint32_t, 32> warp_since_{};
    /// By warp, of each lane and each other lane: what the other did before is ordered before what the lane does now.
    /// Empty until a __syncwarp of some lanes only. Stamps of earlier blocks are below all that is asked about.
    std::vector<std::array<std::array<std::uint32_t, 32>, 32>> lane_since_;
};

/// The checker of the launch that runs on this CPU thread.
extern constinit thread_local Checker* checker;

/// run_grid() on this CPU thread alone, one block after the other, watched. Throws Finding.
void run_grid_checked(const KernelLaunch&, const std::vector<KernelArgument>& arguments, Checker&,
                      const std::function<void()>& thread);

}  // namespace convscope::simt
