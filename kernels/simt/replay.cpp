#include "kernels/simt/replay.h"

#include <algorithm>
#include <utility>

#include "kernels/simt/lockstep.h"

namespace convscope::simt {
namespace {

/// How many of these ascending numbers are below a limit.
std::size_t below(const std::vector<std::uint32_t>& numbers, std::size_t limit) {
    return static_cast<std::size_t>(std::lower_bound(numbers.begin(), numbers.end(), limit) - numbers.begin());
}

/// For each event of the trace the memory request that it is a lane of, or -1.
std::vector<std::int32_t> requests_of(const BlockTrace& trace) {
    std::vector<std::int32_t> requests(trace.events.size(), -1);
    std::int32_t next = 0;
    for (const WarpStep& warp_step : in_lockstep(trace)) {
        if (warp_step.lanes.front()->kind == EventKind::multiply_add) continue;
        for (const TraceEvent* event : warp_step.lanes)
            requests[static_cast<std::size_t>(event - trace.events.data())] = next;
        ++next;
    }
    return requests;
}

}  // namespace

Replay::Replay(BlockTrace trace) : trace_(std::move(trace)), cost_(cost_of(trace_)) {
    put_in_order();
    follow_threads();
    for (std::size_t array = 0; array < trace_.arrays.size(); ++array) before_.push_back(found(array));
    state_.arrays = before_;
    state_.threads.resize(trace_.threads());
    follow_writes();
}

void Replay::put_in_order() {
    const std::vector<std::int32_t> requests = requests_of(trace_);
    std::vector<WarpStep> warp_steps = in_lockstep_with_waits(trace_);
    std::stable_sort(warp_steps.begin(), warp_steps.end(),
                     [](const WarpStep& a, const WarpStep& b) { return a.phase < b.phase; });
    std::size_t lanes = 0;
    for (const WarpStep& warp_step : warp_steps) lanes += warp_step.lanes.size();
    lane_events_.reserve(lanes);  // steps point into it
    steps_.reserve(warp_steps.size());
    for (const WarpStep& warp_step : warp_steps) {
        const TraceEvent& first = *warp_step.lanes.front();
        ReplayStep step;
        step.kind = first.kind;
        step.warp = warp_step.warp;
        step.phase = warp_step.phase;
        step.source = first.source;
        step.array = first.array;
        const std::size_t begin = lane_events_.size();
        for (const TraceEvent* event : warp_step.lanes) {
            step.lanes |= 1u << event->thread % 32;
            lane_events_.push_back(static_cast<std::uint32_t>(event - trace_.events.data()));
        }
        step.events = std::span(lane_events_).subspan(begin);
        step.request = requests[step.events.front()];
        if (!steps_.empty() && steps_.back().phase != step.phase) phase_starts_.push_back(steps_.size());
        steps_.push_back(step);
    }
}

void Replay::follow_threads() {
    paths_.resize(trace_.threads());
    for (Path& path : paths_) path.stores.resize(trace_.arrays.size());
    for (std::size_t i = 0; i < steps_.size(); ++i)
        for (const std::uint32_t number : steps_[i].events) {
            const TraceEvent& event = trace_.events[number];
            Path& path = paths_[event.thread];
            if (event.kind == EventKind::multiply_add)
                path.multiply_adds.push_back(static_cast<std::uint32_t>(path.events.size()));
            if (event.kind == EventKind::store)
                path.stores[static_cast<std::size_t>(event.array)].insert(
                    path.stores[static_cast<std::size_t>(event.array)].end(), event.elements,
                    static_cast<std::uint32_t>(i));
            path.steps.push_back(static_cast<std::uint32_t>(i));
            path.events.push_back(number);
        }
}

// An array that was too large to copy held, as far as its first access tells, what that read.
ArrayState Replay::found(std::size_t array) const {
    ArrayState state;
    const TraceArray& described = trace_.arrays[array];
    std::vector<std::pair<std::int64_t, ElementState>> touched;
    std::int64_t end = 0;
    for (const TraceEvent& event : trace_.events) {
        if (event.array != static_cast<std::int16_t>(array)) continue;
        const bool known = event.kind != EventKind::store;
        for (unsigned i = 0; i < event.elements; ++i)
            touched.push_back({event.index + i, {.known = known, .value = known ? trace_.value(event, i) : 0}});
        end = std::max(end, event.index + event.elements);
    }
    if (end <= static_cast<std::int64_t>(described.before.size())) {
        for (std::size_t i = 0; i < described.before.size(); ++i) {
            const bool known = described.written[i];
            state.elements_.push_back({.known = known, .value = known ? described.before[i] : 0});
        }
        return state;
    }
    std::stable_sort(touched.begin(), touched.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    touched.erase(
        std::unique(touched.begin(), touched.end(), [](const auto& a, const auto& b) { return a.first == b.first; }),
        touched.end());
    std::vector<std::int64_t> indices;
    for (const auto& [index, element] : touched) {
        indices.push_back(index);
        state.elements_.push_back(element);
    }
    state.indices_ = std::make_shared<const std::vector<std::int64_t>>(std::move(indices));
    return state;
}

void Replay::follow_writes() {
    std::vector<std::vector<std::uint32_t>> last;
    for (const ArrayState& array : before_) last.emplace_back(array.elements_.size(), none);
    for (std::size_t i = 0; i < steps_.size(); ++i) {
        if (steps_[i].kind != EventKind::store && steps_[i].kind != EventKind::atomic) continue;
        for (const std::uint32_t number : steps_[i].events) {
            const TraceEvent& event = trace_.events[number];
            const auto array = static_cast<std::size_t>(event.array);
            for (unsigned element = 0; element < event.elements; ++element) {
                const std::uint32_t place = before_[array].place(event.index + element);
                const std::uint32_t previous =
                    std::exchange(last[array][place], static_cast<std::uint32_t>(writes_.size()));
                writes_.push_back({static_cast<std::uint32_t>(i), number, static_cast<std::uint16_t>(element),
                                   event.array, place, previous});
            }
        }
    }
}

std::size_t Replay::next_barrier(std::size_t done) const {
    const auto next = std::upper_bound(phase_starts_.begin(), phase_starts_.end(), done);
    return next == phase_starts_.end() ? size() : *next;
}

std::size_t Replay::previous_barrier(std::size_t done) const {
    const auto at = std::lower_bound(phase_starts_.begin(), phase_starts_.end(), done);
    return at == phase_starts_.begin() ? 0 : *(at - 1);
}

const ReplayState& Replay::state(std::size_t steps_done) {
    steps_done = std::min(steps_done, size());
    move_memory(steps_done);
    tell_threads(steps_done);
    return state_;
}

ElementState Replay::left_by(const Write& write) const {
    const TraceEvent& event = trace_.events[write.event];
    return {true, true, event.thread, write.step, trace_.left(event, write.element)};
}

void Replay::move_memory(std::size_t done) {
    const auto elements = [](std::vector<ArrayState>& arrays, const Write& write) -> ElementState& {
        return arrays[static_cast<std::size_t>(write.array)].elements_[write.place];
    };
    for (; writes_done_ < writes_.size() && writes_[writes_done_].step < done; ++writes_done_)
        elements(state_.arrays, writes_[writes_done_]) = left_by(writes_[writes_done_]);
    for (; writes_done_ > 0 && writes_[writes_done_ - 1].step >= done; --writes_done_) {
        const Write& write = writes_[writes_done_ - 1];
        elements(state_.arrays, write) =
            write.previous == none ? elements(before_, write) : left_by(writes_[write.previous]);
    }
}

void Replay::tell_threads(std::size_t done) {
    const auto phase = std::upper_bound(phase_starts_.begin(), phase_starts_.end(), done) - phase_starts_.begin();
    for (std::size_t i = 0; i < paths_.size(); ++i) {
        const Path& path = paths_[i];
        ThreadState& thread = state_.threads[i];
        const std::size_t events = below(path.steps, done);
        const std::size_t products = below(path.multiply_adds, events);
        thread.event = events > 0 ? path.events[events - 1] : -1;
        thread.source = events > 0 ? trace_.events[path.events[events - 1]].source : -1;
        thread.multiplications = static_cast<std::int64_t>(products);
        thread.accumulator.reset();
        if (products > 0) thread.accumulator = trace_.events[path.events[path.multiply_adds[products - 1]]].value;
        thread.stored.clear();
        for (const std::vector<std::uint32_t>& stores : path.stores)
            thread.stored.push_back(static_cast<std::int64_t>(below(stores, done)));
        const bool at_barrier = events > 0 && trace_.events[path.events[events - 1]].kind == EventKind::barrier &&
                                steps_[path.steps[events - 1]].phase == phase && done < size();
        thread.waiting = at_barrier;
        thread.finished = trace_.whole && !at_barrier && events == path.events.size();
    }
}

std::uint32_t ArrayState::place(std::int64_t index) const {
    if (!indices_) return static_cast<std::uint32_t>(index);
    return static_cast<std::uint32_t>(std::lower_bound(indices_->begin(), indices_->end(), index) - indices_->begin());
}

ElementState ArrayState::at(std::int64_t index) const {
    const bool there = indices_ ? std::binary_search(indices_->begin(), indices_->end(), index)
                                : index >= 0 && index < static_cast<std::int64_t>(elements_.size());
    return there ? elements_[place(index)] : ElementState{};
}

}  // namespace convscope::simt
