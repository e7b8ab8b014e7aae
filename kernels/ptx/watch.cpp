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

void Watch::begin_block(std::int64_t block, unsigned warps) {
    block_begin_ = next_stamp();
    log_.begin(worker_, block_begin_, block);
    since_.assign(warps, std::vector<std::uint32_t>(warps, block_begin_));
    all_since_.assign(warps, block_begin_);
    warp_since_.assign(warps, block_begin_);
    strong_at_.assign(warps, 0);
    fences_.assign(warps, {});
    saw_strong_ = false;
}

void Watch::barrier(const std::vector<AtBarrier>& warps) {
    const std::uint32_t now = next_stamp();
    std::vector<std::uint32_t> known(warps.size(), 0);
    const auto learn = [&](const std::vector<std::uint32_t>& since) {
        std::ranges::transform(known, since, known.begin(), [](auto a, auto b) { return std::max(a, b); });
    };
    if (std::ranges::all_of(warps, &AtBarrier::waits)) {
        known.assign(warps.size(), now);
    } else {
        for (std::size_t warp = 0; warp < warps.size(); ++warp)
            if (warps[warp].arrived != 0) learn(since_[warp]);
        for (std::size_t warp = 0; warp < warps.size(); ++warp)
            known[warp] = std::max(known[warp], warps[warp].waits ? now : warps[warp].done);
    }
    for (std::size_t warp = 0; warp < warps.size(); ++warp) {
        if (!warps[warp].waits) continue;
        since_[warp] = known;
        all_since_[warp] = std::ranges::min(known);
    }
}

void Watch::fence(unsigned warp, bool device) {
    if (device) log_.fence(worker_, stamp_);
    // A kernel with very many fences keeps enough stamps for its barriers.
    if (stamp_ < max_stamp / 2) fences_[warp].push_back(next_stamp());
}

bool Watch::unordered(Record earlier, Record mine) const {
    const RecordParts other = RecordParts::of(earlier), me = RecordParts::of(mine);
    if ((other.bytes & me.bytes) == 0) return false;
    if (other.worker == worker_ && other.stamp >= block_begin_) {
        const unsigned warp = me.thread / 32;
        const bool same_warp = other.thread / 32 == warp;
        if (same_warp) return other.stamp >= std::max(since_[warp][warp], warp_since_[warp]);
        if (other.stamp < since_[warp][other.thread / 32]) return false;
        const std::vector<std::uint32_t>& fences = fences_[other.thread / 32];
        const auto fence = std::ranges::upper_bound(fences, other.stamp);
        return fence == fences.end() || strong_at_[warp] < *fence;
    }
    return !(saw_strong_ && log_.fenced(other.worker, other.stamp));
}

}  // namespace convscope::ptx
