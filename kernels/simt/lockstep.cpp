#include "kernels/simt/lockstep.h"

#include <algorithm>
#include <map>

namespace convscope::simt {
namespace {

/// A stretch of code that is left backwards: positions [first, last].
struct Loop {
    std::uintptr_t first, last;
    bool holds(std::uintptr_t position) const { return first <= position && position <= last; }
};

/// An event where it is in the code. Waits were recorded without their place: they come right behind what their lane
/// did before, and no other instruction is so near.
struct Stop {
    const TraceEvent* event;
    std::uintptr_t position;
};
using Path = std::vector<Stop>;

/// One lane on its way through a stretch of its path.
class Lane {
public:
    Lane(const Path& path, const std::vector<Loop>& loops) : path_(path), loops_(loops), rounds_(loops.size(), 0) {
        if (!done()) enter();
    }
    bool done() const { return next_ == path_.size(); }
    const TraceEvent* event() const { return path_[next_].event; }
    void advance() {
        last_ = path_[next_].position;
        ++next_;
        if (!done()) enter();
    }
    /// Below, at or above zero: behind the other lane, next to it, ahead of it.
    int against(const Lane& other) const {
        const std::uintptr_t mine = path_[next_].position, theirs = other.path_[other.next_].position;
        for (std::size_t i = 0; i < loops_.size(); ++i)
            if (loops_[i].holds(mine) && loops_[i].holds(theirs) && rounds_[i] != other.rounds_[i])
                return rounds_[i] < other.rounds_[i] ? -1 : 1;
        return mine < theirs ? -1 : mine > theirs;
    }

private:
    void enter() {
        const std::uintptr_t position = path_[next_].position;
        for (std::size_t i = 0; i < loops_.size(); ++i) {
            if (!loops_[i].holds(position)) rounds_[i] = 0;
            if (loops_[i].first == position && position <= last_) ++rounds_[i];
        }
    }

    const Path& path_;
    const std::vector<Loop>& loops_;  ///< outer ones first
    std::vector<unsigned> rounds_;    ///< of each loop, since the lane entered it
    std::size_t next_ = 0;
    std::uintptr_t last_ = 0;
};

std::vector<Loop> loops_of(const std::vector<Path>& paths) {
    std::map<std::uintptr_t, std::uintptr_t> last_of;
    for (const Path& path : paths)
        for (std::size_t i = 1; i < path.size(); ++i) {
            const std::uintptr_t from = path[i - 1].position, to = path[i].position;
            if (to <= from) last_of[to] = std::max(last_of[to], from);
        }
    std::vector<Loop> loops;
    for (const auto& [first, last] : last_of) loops.push_back({first, last});
    return loops;
}

void walk(unsigned warp, unsigned phase, const std::vector<Path>& paths, std::vector<WarpStep>& steps) {
    const std::vector<Loop> loops = loops_of(paths);
    std::vector<Lane> lanes;
    for (const Path& path : paths) lanes.emplace_back(path, loops);
    for (;;) {
        const Lane* behind = nullptr;
        for (const Lane& lane : lanes)
            if (!lane.done() && (!behind || lane.against(*behind) < 0)) behind = &lane;
        if (!behind) return;
        std::vector<Lane*> together;
        for (Lane& lane : lanes)
            if (!lane.done() && lane.against(*behind) == 0) together.push_back(&lane);
        WarpStep step{warp, phase, {}};
        for (const Lane* lane : together) step.lanes.push_back(lane->event());
        for (Lane* lane : together) lane->advance();
        if (step.lanes.front()->kind != EventKind::basic_block) steps.push_back(std::move(step));
    }
}

bool waits(const TraceEvent& event) {
    return event.kind == EventKind::barrier || event.kind == EventKind::warp_operation;
}

/// The paths of each thread, cut at the block's barriers, where all lanes meet.
std::vector<std::vector<Path>> stretches_of(const BlockTrace& trace, bool with_waits) {
    std::vector<std::vector<Path>> stretches(trace.threads(), std::vector<Path>(1));
    for (const TraceEvent& event : trace.events) {
        auto& mine = stretches[event.thread];
        if (!waits(event)) {
            mine.back().push_back({&event, event.position});
        } else if (with_waits) {
            mine.back().push_back({&event, mine.back().empty() ? 1 : mine.back().back().position + 1});
        }
        if (event.kind == EventKind::barrier) mine.emplace_back();
    }
    return stretches;
}

std::vector<WarpStep> lockstep(const BlockTrace& trace, bool with_waits) {
    const std::vector<std::vector<Path>> stretches = stretches_of(trace, with_waits);
    std::vector<WarpStep> steps;
    for (unsigned first = 0; first < trace.threads(); first += warp_size) {
        const unsigned end = std::min(first + warp_size, trace.threads());
        std::size_t most = 0;
        for (unsigned thread = first; thread < end; ++thread) most = std::max(most, stretches[thread].size());
        for (std::size_t phase = 0; phase < most; ++phase) {
            std::vector<Path> paths;
            for (unsigned thread = first; thread < end; ++thread)
                if (phase < stretches[thread].size()) paths.push_back(stretches[thread][phase]);
            walk(first / warp_size, static_cast<unsigned>(phase), paths, steps);
        }
    }
    return steps;
}

}  // namespace

std::vector<WarpStep> in_lockstep(const BlockTrace& trace) {
    return lockstep(trace, false);
}

std::vector<WarpStep> in_lockstep_with_waits(const BlockTrace& trace) {
    return lockstep(trace, true);
}

}  // namespace convscope::simt
