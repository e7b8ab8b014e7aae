// Runs the threads of one block at a time, each as a fiber.
#pragma once

#include <boost/context/fiber.hpp>
#include <cstddef>
#include <exception>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "kernels/simt/executor.h"
#include "kernels/simt/finding.h"
#include "kernels/simt/stack_switch.h"

namespace convscope::simt {

class Checker;

/// Used by one CPU thread; keeps its fibers from block to block. A block's fibers never change their CPU thread.
class BlockRunner {
public:
    BlockRunner();
    ~BlockRunner();
    BlockRunner(const BlockRunner&) = delete;
    BlockRunner& operator=(const BlockRunner&) = delete;

    /// From now on the checker is told what happens, and threads run in the order it asks for.
    void watch(Checker& watching) { checker_ = &watching; }

    /// Runs one block to its end. Throws what a thread threw, or Error(failed) when no thread can go on.
    void run(const KernelLaunch&, const Dim3& block, const std::function<void()>& thread);

    // Called from inside a fiber.
    void wait_for_block(std::source_location at);
    std::uint64_t warp_exchange(const WarpRequest&);
    [[noreturn]] void leak(std::exception_ptr error) noexcept;
    unsigned lane() const { return current_ % warp_size; }
    std::byte* dynamic_shared() { return dynamic_shared_.get(); }
    void* static_shared(const void* declaration, std::size_t bytes);

private:
    static constexpr unsigned warp_size = 32;
    using Fiber = boost::context::fiber;

    enum class State { ready, at_block_barrier, in_warp_operation, leaked, done };
    struct Thread {
        State state = State::ready;
        Index3 index;
        int worker = -1;      ///< the fiber it runs on; -1 before it starts and after it has ended
        WarpRequest request;  ///< valid in_warp_operation; 'at' also at_block_barrier
        std::uint64_t result = 0;
    };
    /// A fiber that runs thread after thread. 'context' is where to resume it.
    struct Worker {
        Fiber context;
        StackBounds stack;
    };
    /// Thrown inside a suspended thread when its block is given up: unwinds the kernel's frames.
    struct Abandoned {};
    struct StaticArray {
        const void* declaration;
        std::unique_ptr<std::byte[]> memory;
    };

    void prepare(const KernelLaunch&, const Dim3& block);
    void choose_order(const Dim3& block);
    bool run_warp(unsigned first);
    void resume(unsigned thread);
    int idle_worker();
    void enter(Worker&);
    void leave(Worker&);
    Fiber work(Worker&, Fiber scheduler);
    void suspend(State);
    void complete_warp_operation(unsigned first, unsigned mask);
    bool release_block_barrier();
    void abandon_block();
    [[noreturn]] void report_divergence() const;
    bool one_barrier() const;
    Side side_of(unsigned thread) const;

    const std::function<void()>* body_ = nullptr;
    std::string kernel_;
    std::vector<Thread> threads_;
    std::vector<unsigned> order_;  ///< of the threads; those of a warp lie together
    std::vector<unsigned> warps_;  ///< the first thread of each, in order
    Checker* checker_ = nullptr;
    unsigned current_ = 0, done_ = 0;
    Fiber scheduler_;
    std::vector<std::unique_ptr<Worker>> workers_;
    std::vector<int> idle_;
    StackBounds scheduler_stack_;
    bool closing_ = false, abandoning_ = false;
    std::exception_ptr error_;
    std::size_t dynamic_bytes_ = 0;
    struct Free {
        void operator()(std::byte* memory) const;
    };
    std::unique_ptr<std::byte, Free> dynamic_shared_;
    std::vector<StaticArray> static_shared_;
};

}  // namespace convscope::simt
