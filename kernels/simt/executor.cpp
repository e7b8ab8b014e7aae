#include "kernels/simt/executor.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <limits>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "kernels/simt/block_runner.h"
#include "kernels/simt/checker.h"

namespace convscope::simt {
namespace {

// The runner whose block runs on this CPU thread. Read again at every call: kernels never change their CPU thread.
thread_local BlockRunner* running = nullptr;

/// Makes a runner that of this CPU thread, for a scope.
class Running {
public:
    explicit Running(BlockRunner& runner) : outer_(std::exchange(running, &runner)) {}
    ~Running() { running = outer_; }
    Running(const Running&) = delete;
    Running& operator=(const Running&) = delete;

private:
    BlockRunner* const outer_;
};

/// A launch as its checker sees it, also when it ends with an exception.
class WatchedLaunch {
public:
    WatchedLaunch(Checker& watching, const KernelLaunch& launch, const std::vector<KernelArgument>& arguments)
        : watching_(watching) {
        watching.begin_launch(launch, arguments);
    }
    ~WatchedLaunch() { watching_.end_launch(); }
    WatchedLaunch(const WatchedLaunch&) = delete;
    WatchedLaunch& operator=(const WatchedLaunch&) = delete;

private:
    Checker& watching_;
};

Dim3 block_index(const Dim3& grid, std::int64_t block) {
    return {block % grid.x, block / grid.x % grid.y, block / (grid.x * grid.y)};
}

// Hands out the blocks of one launch, in order, and keeps the first failure.
class Grid {
public:
    Grid(const KernelLaunch& launch, const std::function<void()>& thread)
        : launch_(launch), thread_(thread), blocks_(launch.grid.count()) {}

    void work() {
        thread_local BlockRunner runner;
        const Running scope(runner);
        for (std::int64_t block = next_++; block < blocks_ && !failed_; block = next_++) run_block(runner, block);
    }
    void finish() const {
        if (error_) std::rethrow_exception(error_);
    }
    std::int64_t blocks() const { return blocks_; }

private:
    void run_block(BlockRunner& runner, std::int64_t block) {
        try {
            runner.run(launch_, block_index(launch_.grid, block), thread_);
        } catch (...) {
            const std::lock_guard lock(mutex_);
            failed_ = true;
            if (block > error_block_) return;
            error_block_ = block;
            error_ = std::current_exception();
        }
    }

    const KernelLaunch& launch_;
    const std::function<void()>& thread_;
    const std::int64_t blocks_;
    std::atomic<std::int64_t> next_ = 0;
    std::atomic<bool> failed_ = false;
    std::mutex mutex_;
    std::exception_ptr error_;
    std::int64_t error_block_ = std::numeric_limits<std::int64_t>::max();
};

/// The blocks before a recorded one have to be run whole. The first blocks tell how long that takes.
void require_affordable(const KernelLaunch& launch, double steps, std::int64_t blocks, const Checker& watching) {
    constexpr std::int64_t first_blocks = 8;
    if (blocks < std::min(first_blocks, launch.grid.count())) return;
    const double all = steps / static_cast<double>(blocks) * static_cast<double>(launch.grid.count());
    const double seconds = all / checked_steps_per_second;
    if (seconds <= watching.options.max_seconds_before) return;
    throw Error(ErrorKind::usage,
                fmt::format("{} works on what {} makes, and to run the {} blocks of that first would take about {}; a "
                            "trace takes up to {} (make the workload smaller, or trace {})",
                            watching.recorder->kernel(), launch.kernel, launch.grid.count(), describe_seconds(seconds),
                            describe_seconds(watching.options.max_seconds_before), launch.kernel));
}

}  // namespace

void run_grid(const KernelLaunch& launch, const std::function<void()>& thread) {
    Grid grid(launch, thread);
    // A handful of blocks is done before another CPU thread has started.
    constexpr std::int64_t blocks_per_helper = 8;
    const std::int64_t cpus = std::max(1u, std::thread::hardware_concurrency());
    std::vector<std::jthread> helpers;
    for (std::int64_t i = 1; i < std::min(cpus, grid.blocks() / blocks_per_helper); ++i)
        helpers.emplace_back([&] { grid.work(); });
    grid.work();
    helpers.clear();
    grid.finish();
}

void run_grid_checked(const KernelLaunch& launch, const std::vector<KernelArgument>& arguments, Checker& watching,
                      const std::function<void()>& thread) {
    BlockRunner runner;
    runner.watch(watching);
    const WatchedLaunch watched(watching, launch, arguments);
    const Running scope(runner);
    if (watching.options.only_recorded && watching.recorder && watching.recorder->wants(launch)) {
        runner.run(launch, watching.recorder->block(), thread);
        throw TraceComplete{};
    }
    const bool before = watching.options.only_recorded && watching.recorder && !watching.recorder->trace();
    double steps = 0;
    for (std::int64_t block = 0; block < launch.grid.count(); ++block) {
        runner.run(launch, block_index(launch.grid, block), thread);
        steps += static_cast<double>(watching.steps());
        if (before) require_affordable(launch, steps, block + 1, watching);
    }
}

void wait_for_block(std::source_location at) {
    running->wait_for_block(at);
}
std::uint64_t warp_exchange(const WarpRequest& request) {
    return running->warp_exchange(request);
}
void leak(std::exception_ptr error) noexcept {
    running->leak(std::move(error));
}
unsigned lane() {
    return running->lane();
}
std::byte* dynamic_shared() {
    return running->dynamic_shared();
}
void* static_shared(const void* declaration, std::size_t bytes) {
    return running->static_shared(declaration, bytes);
}

}  // namespace convscope::simt
