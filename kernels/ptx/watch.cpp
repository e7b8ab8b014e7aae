#include "kernels/ptx/watch.h"

#include <algorithm>

#include "kernels/core/error.h"
#include "kernels/ptx/launch.h"

namespace convscope::ptx {

void BlockLog::begin(unsigned worker, std::uint32_t stamp, std::int64_t block) {
    const std::lock_guard lock(mutex_);
    logs_[worker].push_back({stamp, 0, block});
}

void BlockLog::fence(unsigned worker, std::uint32_t stamp) {
    const std::lock_guard lock(mutex_);
    logs_[worker].back().last_fence = stamp;
}

const BlockLog::Run& BlockLog::run_at(unsigned worker, std::uint32_t stamp) const {
    return *std::prev(std::ranges::upper_bound(logs_[worker], stamp, {}, &Run::begin));
}

Dim3 BlockLog::block_at(unsigned worker, std::uint32_t stamp) const {
    const std::lock_guard lock(mutex_);
    return dim3_at(run_at(worker, stamp).block, grid_);
}

bool BlockLog::fenced(unsigned worker, std::uint32_t stamp) const {
    const std::lock_guard lock(mutex_);
    return run_at(worker, stamp).last_fence >= stamp;
}

std::uint32_t Watch::next_stamp() {
    if (stamp_ == max_stamp)
        throw Error(ErrorKind::failed, "the launch has too many blocks and barriers to be watched");
    return ++stamp_;
}

void Watch::begin_cluster(const std::vector<std::int64_t>& blocks, unsigned warps) {
    begin_ = next_stamp();
    for (unsigned rank = 0; rank < blocks.size(); ++rank) log_.begin(first_worker_ + rank, begin_, blocks[rank]);
    warps_ = warps;
    total_ = warps * static_cast<unsigned>(blocks.size());
    since_.assign(total_, Order(3 * std::size_t{total_}, begin_));
    all_since_.assign(total_, begin_);
    warp_since_.assign(total_, begin_);
    strong_at_.assign(total_, 0);
    fences_.assign(total_, {});
    saw_strong_ = false;
    worker_ = first_worker_;
    set_warp(0);
}

namespace {

void learn_from(Order& known, const Order& other) {
    std::ranges::transform(known, other, known.begin(), [](auto a, auto b) { return std::max(a, b); });
}

}  // namespace

/// After since_ of the warp has changed.
void Watch::learn(unsigned warp) {
    const auto own = since_[warp].begin() + warp / warps_ * warps_;
    all_since_[warp] = *std::min_element(own, own + warps_);
}

void Watch::barrier(unsigned first_warp, const std::vector<AtBarrier>& warps) {
    const std::uint32_t now = next_stamp();
    Order known = no_order();
    for (unsigned warp = 0; warp < warps.size(); ++warp)
        if (warps[warp].arrived != 0) learn_from(known, since_[first_warp + warp]);
    for (unsigned warp = 0; warp < warps.size(); ++warp) {
        std::uint32_t& until = known[first_warp + warp];
        until = std::max(until, warps[warp].waits ? now : warps[warp].done);
    }
    for (unsigned warp = 0; warp < warps.size(); ++warp) {
        if (!warps[warp].waits) continue;
        since_[first_warp + warp] = known;
        learn(first_warp + warp);
    }
}

void Watch::fence(unsigned warp, bool device) {
    if (device) log_.fence(first_worker_ + warp / warps_, stamp_);
    // A kernel with very many fences keeps enough stamps for its barriers.
    if (stamp_ < max_stamp / 2) fences_[warp].push_back(next_stamp());
}

void Watch::release(unsigned warp, Order& order) {
    learn_from(order, since_[warp]);
    order[warp] = std::max(order[warp], next_stamp());
}

void Watch::acquire(unsigned warp, const Order& order) {
    learn_from(since_[warp], order);
    learn(warp);
}

void Watch::fence_proxy(unsigned warp) {
    Order& since = since_[warp];
    for (unsigned other = 0; other < total_; ++other) {
        std::uint32_t& published = since[2 * total_ + other];
        published = std::max(published, other == warp ? next_stamp() : since[other]);
    }
}

bool Watch::unpublished(Record write) const {
    const RecordParts parts = RecordParts::of(write);
    const unsigned rank = parts.worker - first_worker_;
    if (write == 0 || parts.async || parts.stamp < begin_ || rank >= total_ / warps_) return false;
    return parts.stamp >= since_[warp_][2 * total_ + rank * warps_ + parts.thread / 32];
}

bool Watch::known(Record access, const Order& order) const {
    const RecordParts parts = RecordParts::of(access);
    const unsigned warp = (parts.worker - first_worker_) * warps_ + parts.thread / 32;
    return parts.stamp < order[warp + (parts.async ? total_ : 0)];
}

bool Watch::unordered(Record earlier, Record mine) const {
    const RecordParts other = RecordParts::of(earlier), me = RecordParts::of(mine);
    if ((other.bytes & me.bytes) == 0) return false;
    const unsigned rank = other.worker - first_worker_;
    if (rank >= total_ / warps_ || other.stamp < begin_)
        return !(saw_strong_ && log_.fenced(other.worker, other.stamp));
    if (known(earlier, since_[warp_])) return false;
    if (other.async) return true;
    const unsigned warp = rank * warps_ + other.thread / 32;
    if (warp == warp_) return other.stamp >= warp_since_[warp];
    const std::vector<std::uint32_t>& fences = fences_[warp];
    const auto fence = std::ranges::upper_bound(fences, other.stamp);
    return fence == fences.end() || strong_at_[warp_] < *fence;
}

}  // namespace convscope::ptx
