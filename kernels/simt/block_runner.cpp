#include "kernels/simt/block_runner.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/context/fixedsize_stack.hpp>
#include <boost/context/preallocated.hpp>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <new>
#include <numeric>
#include <utility>

#include "kernels/core/random.h"
#include "kernels/simt/checker.h"

namespace convscope::simt {

constinit thread_local Index3 threadIdx, blockIdx, blockDim, gridDim;

namespace {

bool same_place(const std::source_location& a, const std::source_location& b) {
    return a.line() == b.line() && a.column() == b.column() && std::string_view(a.file_name()) == b.file_name();
}

constexpr std::size_t stack_bytes = 64 * 1024;  // kernels keep their data in global and shared memory
constexpr int unwritten = 0xff;                 // every float that nobody wrote is a NaN

Index3 to_index(const Dim3& d) {
    return {static_cast<unsigned>(d.x), static_cast<unsigned>(d.y), static_cast<unsigned>(d.z)};
}

}  // namespace

void BlockRunner::Free::operator()(std::byte* memory) const {
    std::free(memory);
}

BlockRunner::BlockRunner() = default;

BlockRunner::~BlockRunner() {
    closing_ = true;
    for (auto& worker : workers_)
        if (worker) enter(*worker);
}

void BlockRunner::prepare(const KernelLaunch& launch, const Dim3& block) {
    kernel_ = launch.kernel;
    blockIdx = to_index(block);
    blockDim = to_index(launch.block);
    gridDim = to_index(launch.grid);
    threads_.assign(static_cast<std::size_t>(launch.block.count()), Thread{});
    unsigned linear = 0;
    for (unsigned z = 0; z < blockDim.z; ++z)
        for (unsigned y = 0; y < blockDim.y; ++y)
            for (unsigned x = 0; x < blockDim.x; ++x) threads_[linear++].index = {x, y, z};
    choose_order(block);
    if (checker_) checker_->begin_block(block);
    done_ = 0;
    error_ = nullptr;
    static_shared_.clear();
    if (launch.shared_bytes > dynamic_bytes_) {
        const std::size_t rounded = (launch.shared_bytes + 15) / 16 * 16;
        dynamic_shared_.reset(static_cast<std::byte*>(std::aligned_alloc(16, rounded)));
        dynamic_bytes_ = dynamic_shared_ ? rounded : 0;
        if (!dynamic_shared_) throw OutOfMemory(fmt::format("the host has no {} bytes for shared memory", rounded));
    }
    if (launch.shared_bytes > 0) std::memset(dynamic_shared_.get(), unwritten, launch.shared_bytes);
}

// By index; or, when the checker asks for it, shuffled: a kernel may count on no order.
void BlockRunner::choose_order(const Dim3& block) {
    const auto count = static_cast<unsigned>(threads_.size());
    order_.resize(count);
    std::iota(order_.begin(), order_.end(), 0u);
    warps_.clear();
    for (unsigned first = 0; first < count; first += warp_size) warps_.push_back(first);
    if (!checker_ || checker_->options.order_seed == 0) return;
    Random random(checker_->options.order_seed,
                  Stream{static_cast<std::uint64_t>(block.x + (block.y << 31) + block.z)});
    const auto shuffle = [&](auto begin, auto end) {
        for (; end - begin > 1; --end) std::iter_swap(end - 1, begin + random.below(end - begin));
    };
    shuffle(warps_.begin(), warps_.end());
    for (unsigned first = 0; first < count; first += warp_size)
        shuffle(order_.begin() + first, order_.begin() + std::min(first + warp_size, count));
}

void BlockRunner::run(const KernelLaunch& launch, const Dim3& block, const std::function<void()>& thread) {
    body_ = &thread;
    prepare(launch, block);
    const auto count = static_cast<unsigned>(threads_.size());
    while (done_ < count) {
        bool progress = false;
        for (unsigned first : warps_) progress |= run_warp(first);
        if (error_) {
            abandon_block();
            std::rethrow_exception(std::exchange(error_, nullptr));
        }
        if (progress || release_block_barrier()) continue;
        try {
            report_divergence();
        } catch (...) {
            abandon_block();
            throw;
        }
    }
}

// Runs the warp's threads, in order, until each has ended or waits for something that the warp alone cannot give.
bool BlockRunner::run_warp(unsigned first) {
    const unsigned end = std::min(first + warp_size, static_cast<unsigned>(threads_.size()));
    bool progress = false;
    for (bool again = true; again && !error_;) {
        again = false;
        for (unsigned i = first; i < end && !error_; ++i)
            if (threads_[order_[i]].state == State::ready) {
                resume(order_[i]);
                again = progress = true;
            }
    }
    return progress;
}

void BlockRunner::resume(unsigned thread) {
    Thread& next = threads_[thread];
    if (next.worker < 0) next.worker = idle_worker();
    current_ = thread;
    threadIdx = next.index;
    if (checker_) checker_->enter_thread(thread);
    enter(*workers_[static_cast<std::size_t>(next.worker)]);
    if (checker_) checker_->leave_thread();
    if (next.state != State::done) return;
    idle_.push_back(std::exchange(next.worker, -1));
    ++done_;
}

int BlockRunner::idle_worker() {
    if (idle_.empty()) {
        idle_.push_back(static_cast<int>(workers_.size()));
        auto worker = std::make_unique<Worker>();
        boost::context::fixedsize_stack allocator(stack_bytes);
        const boost::context::stack_context stack = allocator.allocate();
        worker->stack.bottom = static_cast<const char*>(stack.sp) - stack.size;
        worker->stack.size = stack.size;
        worker->context =
            Fiber(std::allocator_arg, boost::context::preallocated(stack.sp, stack.size, stack), allocator,
                  [this, &self = *worker](Fiber&& scheduler) { return work(self, std::move(scheduler)); });
        workers_.push_back(std::move(worker));
    }
    const int worker = idle_.back();
    idle_.pop_back();
    return worker;
}

// From the scheduler to a fiber, until the fiber comes back.
void BlockRunner::enter(Worker& worker) {
    leave_stack(scheduler_stack_, worker.stack);
    worker.context = std::move(worker.context).resume();
    StackBounds left;
    enter_stack(scheduler_stack_, left);
}

// From a fiber to the scheduler, until the fiber is resumed.
void BlockRunner::leave(Worker& worker) {
    leave_stack(worker.stack, scheduler_stack_);
    scheduler_ = std::move(scheduler_).resume();
    enter_stack(worker.stack, scheduler_stack_);
}

// The life of a fiber: one thread's body after the other, back to the scheduler in between.
BlockRunner::Fiber BlockRunner::work(Worker& self, Fiber scheduler) {
    scheduler_ = std::move(scheduler);
    enter_stack(self.stack, scheduler_stack_);
    while (!closing_) {
        try {
            if (checker_) checker_->begin_thread();
            (*body_)();
        } catch (const Abandoned&) {
        } catch (...) {
            error_ = std::current_exception();
        }
        threads_[current_].state = State::done;
        leave(self);
    }
    leave_stack(self.stack, scheduler_stack_, true);
    return std::move(scheduler_);
}

// A fiber that is given up can neither go on nor be unwound: it is kept aside, for as long as the program runs.
void BlockRunner::leak(std::exception_ptr error) noexcept {
    static auto& leaked = *new std::vector<std::unique_ptr<Worker>>;
    static std::mutex mutex;
    error_ = std::move(error);
    Thread& thread = threads_[current_];
    thread.state = State::leaked;
    Worker* worker = nullptr;
    {
        const std::lock_guard lock(mutex);
        leaked.push_back(std::move(workers_[static_cast<std::size_t>(std::exchange(thread.worker, -1))]));
        worker = leaked.back().get();
    }
    leave(*worker);
    std::abort();
}

void BlockRunner::suspend(State state) {
    threads_[current_].state = state;
    leave(*workers_[static_cast<std::size_t>(threads_[current_].worker)]);
    if (abandoning_) throw Abandoned{};
}

void BlockRunner::wait_for_block(std::source_location at) {
    const Checker::Inside inside(checker_);
    if (checker_) checker_->synchronise(EventKind::barrier, at);
    threads_[current_].request.at = at;
    suspend(State::at_block_barrier);
}

bool BlockRunner::release_block_barrier() {
    const bool all = std::all_of(threads_.begin(), threads_.end(),
                                 [](const Thread& thread) { return thread.state == State::at_block_barrier; });
    if (!all || (checker_ && !one_barrier())) return false;
    if (checker_) checker_->release_barrier();
    for (Thread& thread : threads_) thread.state = State::ready;
    return true;
}

// The hardware does not tell one barrier from another; a kernel whose threads meet at two is still wrong.
bool BlockRunner::one_barrier() const {
    const std::source_location& at = threads_.front().request.at;
    return std::all_of(threads_.begin(), threads_.end(),
                       [&](const Thread& thread) { return same_place(thread.request.at, at); });
}

std::uint64_t BlockRunner::warp_exchange(const WarpRequest& request) {
    const Checker::Inside inside(checker_);
    if (checker_) checker_->synchronise(EventKind::warp_operation, request.at);
    const unsigned self = current_, first = self / warp_size * warp_size;
    Thread& thread = threads_[self];
    thread.request = request;
    thread.state = State::in_warp_operation;
    complete_warp_operation(first, request.mask);
    // The last lane to arrive goes on at once; the scheduler wakes the others.
    if (thread.state == State::in_warp_operation) suspend(State::in_warp_operation);
    return thread.result;
}

// When every lane of 'mask' is in the same operation: gives each its result and makes all of them ready.
void BlockRunner::complete_warp_operation(unsigned first, unsigned mask) {
    const unsigned lanes = std::min(warp_size, static_cast<unsigned>(threads_.size()) - first);
    if (lanes < warp_size) mask &= (1u << lanes) - 1;
    const WarpRequest& mine = threads_[current_].request;
    std::uint64_t votes = 0;
    for (unsigned lane = 0; lane < lanes; ++lane) {
        if (!(mask >> lane & 1)) continue;
        const Thread& other = threads_[first + lane];
        if (other.state != State::in_warp_operation || other.request.operation != mine.operation ||
            other.request.mask != mine.mask)
            return;
        if (other.request.value != 0) votes |= std::uint64_t{1} << lane;
    }
    if (checker_ && mine.operation == WarpOperation::sync) {
        const unsigned all = lanes < warp_size ? (1u << lanes) - 1 : ~0u;
        checker_->release_warp(first / warp_size, mask, mask == all);
    }
    for (unsigned lane = 0; lane < lanes; ++lane) {
        if (!(mask >> lane & 1)) continue;
        Thread& other = threads_[first + lane];
        // A source that takes no part has an undefined value on the hardware; here the lane keeps its own.
        const unsigned source = mask >> other.request.source & 1 ? other.request.source : lane;
        other.result = mine.operation == WarpOperation::shuffle ? threads_[first + source].request.value : votes;
        other.state = State::ready;
    }
}

void* BlockRunner::static_shared(const void* declaration, std::size_t bytes) {
    const Checker::Inside inside(checker_);
    for (StaticArray& array : static_shared_)
        if (array.declaration == declaration) return array.memory.get();
    static_shared_.push_back({declaration, std::make_unique<std::byte[]>(bytes)});
    std::memset(static_shared_.back().memory.get(), unwritten, bytes);
    return static_shared_.back().memory.get();
}

// Ends the threads that are suspended in the middle of the kernel, so that their fibers are free again.
void BlockRunner::abandon_block() {
    abandoning_ = true;
    for (unsigned thread = 0; thread < threads_.size(); ++thread)
        if (threads_[thread].worker >= 0) resume(thread);
    abandoning_ = false;
}

Side BlockRunner::side_of(unsigned thread) const {
    const Thread& t = threads_[thread];
    const Dim3 block{blockIdx.x, blockIdx.y, blockIdx.z};
    switch (t.state) {
        case State::at_block_barrier:
            return {block, t.index, t.request.at, "waits at the block's barrier at " + place(t.request.at)};
        case State::in_warp_operation:
            return {block, t.index, t.request.at,
                    fmt::format("waits in a warp-wide operation (lanes {:#010x}) at {}", t.request.mask,
                                place(t.request.at))};
        case State::done:
            return {block, t.index, {}, "has left the kernel"};
        case State::ready:
        case State::leaked:
            break;
    }
    return {block, t.index, {}, "can go on"};
}

void BlockRunner::report_divergence() const {
    // One waiting thread, and one that does not do the same: the two sides of the conflict.
    const auto waiting = [](const Thread& t) { return t.state != State::done; };
    const auto first = std::find_if(threads_.begin(), threads_.end(), waiting);
    const auto different = std::find_if(threads_.begin(), threads_.end(), [&](const Thread& t) {
        return t.state != first->state || !same_place(t.request.at, first->request.at);
    });
    const auto side = [&](auto at) { return side_of(static_cast<unsigned>(at - threads_.begin())); };
    const auto tell = [](const Side& s) { return name_of(s.thread) + " " + s.does; };
    const Side found = side(first);
    const std::string start = fmt::format("kernel {}, {}: {}", kernel_, name_of_block(found.block), tell(found));
    if (different == threads_.end())
        throw Finding(FindingKind::divergent_barrier, start + ", for lanes that do not come", found);
    throw Finding(FindingKind::divergent_barrier, start + ", while " + tell(side(different)), found, side(different));
}

}  // namespace convscope::simt
