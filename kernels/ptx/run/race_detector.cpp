#include "kernels/ptx/run/race_detector.h"

#include <algorithm>

#include "kernels/core/error.h"
#include "kernels/ptx/run/launch.h"

namespace convscope::ptx {

void BlockLog::begin(unsigned worker, std::uint32_t epoch, std::int64_t block) {
    const std::lock_guard lock(mutex_);
    logs_[worker].push_back({epoch, 0, block});
}

void BlockLog::fence(unsigned worker, std::uint32_t epoch) {
    const std::lock_guard lock(mutex_);
    logs_[worker].back().last_fence = epoch;
}

const BlockLog::Run& BlockLog::run_at(unsigned worker, std::uint32_t epoch) const {
    return *std::prev(std::ranges::upper_bound(logs_[worker], epoch, {}, &Run::begin));
}

Dim3 BlockLog::block_at(unsigned worker, std::uint32_t epoch) const {
    const std::lock_guard lock(mutex_);
    return dim3_at(run_at(worker, epoch).block, grid_);
}

bool BlockLog::fenced(unsigned worker, std::uint32_t epoch) const {
    const std::lock_guard lock(mutex_);
    return run_at(worker, epoch).last_fence >= epoch;
}

std::uint32_t RaceDetector::next_epoch() {
    if (epoch_ == max_epoch)
        throw Error(ErrorKind::failed, "the launch has too many blocks and barriers to be watched");
    return ++epoch_;
}

void RaceDetector::begin_cluster(const std::vector<std::int64_t>& blocks, unsigned warps, std::uint32_t after) {
    epoch_ = std::max(epoch_, after);
    begin_ = next_epoch();
    for (unsigned rank = 0; rank < blocks.size(); ++rank) log_.begin(first_worker_ + rank, begin_, blocks[rank]);
    warps_ = warps;
    blocks_ = static_cast<unsigned>(blocks.size());
    total_ = warps * blocks_;
    since_.assign(total_, VectorClock(3 * std::size_t{total_}, begin_));
    all_since_.assign(total_, begin_);
    warp_since_.assign(total_, begin_);
    strong_at_.assign(total_, 0);
    strong_at_of_lane_.assign(32 * std::size_t{total_}, 0);
    fences_.assign(total_, {});
    fence_stands_.assign(total_, 0);
    others_.clear();
    saw_strong_ = false;
    worker_ = first_worker_;
    set_warp(0);
}

namespace {

void learn_from(VectorClock& known, const VectorClock& other) {
    std::ranges::transform(known, other, known.begin(), [](auto a, auto b) { return std::max(a, b); });
}

}  // namespace

/// After since_ of the warp has changed.
void RaceDetector::learn(unsigned warp) {
    const auto own = since_[warp].begin() + warp / warps_ * warps_;
    all_since_[warp] = *std::min_element(own, own + warps_);
}

void RaceDetector::barrier(unsigned first_warp, const std::vector<AtBarrier>& warps) {
    const std::uint32_t now = next_epoch();
    VectorClock known = empty_clock();
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

void RaceDetector::fence(unsigned warp, std::uint32_t mask, bool device) {
    fence_stands_[warp] = 1;
    if (device) log_.fence(first_worker_ + warp / warps_, epoch_);
    // A kernel with very many fences keeps enough epochs for its barriers.
    if (epoch_ < max_epoch / 2) fences_[warp].push_back({next_epoch(), mask});
}

void RaceDetector::keep_other(const KeptAccesses& kept, AccessRecord dropped, AccessRecord mine) {
    std::vector<AccessRecord>& others = others_[kept];
    std::erase_if(others, [&](AccessRecord other) { return distance(other, mine) == 0; });
    // Two lanes of a warp: the latest is enough, since an order with other warps covers all that the warp did before.
    const auto same_warp = [&](AccessRecord other) {
        return ((other ^ dropped) & (which_warp | AccessRecordParts::async_bit | AccessRecordParts::strong_bit)) == 0;
    };
    const auto first = std::ranges::find_if(others, same_warp);
    if (first != others.end() &&
        (((*first ^ dropped) & who) == 0 || std::find_if(first + 1, others.end(), same_warp) != others.end()))
        others.erase(first);
    others.push_back(dropped);
}

void RaceDetector::look_at_others(const KeptAccesses& kept, AccessRecord mine, bool shared, AccessRecord& race,
                                  bool at_own_alone) const {
    const auto others = others_.find(kept);
    if (others == others_.end()) return;
    for (const AccessRecord other : others->second)
        if ((!at_own_alone || in_cluster(other)) && conflicts(other, mine, shared)) race = other;
}

void RaceDetector::release(unsigned warp, VectorClock& clock) {
    learn_from(clock, since_[warp]);
    clock[warp] = std::max(clock[warp], next_epoch());
}

void RaceDetector::acquire(unsigned warp, const VectorClock& clock) {
    learn_from(since_[warp], clock);
    learn(warp);
}

void RaceDetector::fence_proxy(unsigned warp) {
    VectorClock& since = since_[warp];
    for (unsigned other = 0; other < total_; ++other) {
        std::uint32_t& published = since[2 * total_ + other];
        published = std::max(published, other == warp ? next_epoch() : since[other]);
    }
}

bool RaceDetector::unpublished(AccessRecord write) const {
    const AccessRecordParts parts = AccessRecordParts::of(write);
    const unsigned rank = parts.worker - first_worker_;
    if (write == 0 || parts.async || parts.epoch < begin_ || rank >= blocks_) return false;
    return parts.epoch >= since_[warp_][2 * total_ + rank * warps_ + parts.thread / 32];
}

bool RaceDetector::known(AccessRecord access, const VectorClock& clock) const {
    const AccessRecordParts parts = AccessRecordParts::of(access);
    const unsigned warp = (parts.worker - first_worker_) * warps_ + parts.thread / 32;
    return parts.epoch < clock[warp + (parts.async ? total_ : 0)];
}

bool RaceDetector::unordered(AccessRecord earlier, AccessRecord mine) const {
    const AccessRecordParts other = AccessRecordParts::of(earlier), me = AccessRecordParts::of(mine);
    if ((other.bytes & me.bytes) == 0) return false;
    const unsigned rank = other.worker - first_worker_;
    if (rank >= blocks_ || other.epoch < begin_) return !(saw_strong_ && log_.fenced(other.worker, other.epoch));
    if (known(earlier, since_[warp_])) return false;
    if (other.async) return true;
    const unsigned warp = rank * warps_ + other.thread / 32;
    if (warp == warp_ && (other.epoch < warp_since_[warp] || (other.is_volatile && me.is_volatile))) return false;
    const std::vector<MemoryFence>& fences = fences_[warp];
    auto fence = std::ranges::upper_bound(fences, other.epoch, {}, &MemoryFence::epoch);
    if (warp == warp_)  // a fence of another lane says nothing of this one
        while (fence != fences.end() && !(fence->mask >> other.thread % 32 & 1)) ++fence;
    const std::uint32_t seen = warp == warp_ ? strong_at_of_lane_[32 * warp + me.thread % 32] : strong_at_[warp_];
    return fence == fences.end() || seen < fence->epoch;
}

}  // namespace convscope::ptx
