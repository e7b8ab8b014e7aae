#include "visualizers/step/traced_block.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

namespace convscope {
namespace {

void take_in(ValueRange& range, double value) {
    if (!std::isfinite(value)) return;
    range.low = std::min(range.low, static_cast<float>(value));
    range.high = std::max(range.high, static_cast<float>(value));
}

}  // namespace

TracedBlock::TracedBlock(simt::BlockTrace trace, const ConvShape& shape, Layout layout,
                         std::optional<simt::Finding> finding)
    : replay_(std::move(trace)), shape_(shape), finding_(std::move(finding)) {
    describe_arrays(layout);
    follow_lines();
    takes_part_.assign(this->trace().threads(), false);
    for (const simt::TraceEvent& event : this->trace().events)
        if (event.kind != simt::EventKind::basic_block) takes_part_[event.thread] = true;
}

void TracedBlock::describe_arrays(Layout layout) {
    for (const simt::TraceArray& array : trace().arrays) {
        StepArray described;
        described.facts = {array.name, array.space, array.elements};
        described.shape = array_shape(described.facts, shape_, layout, launch());
        described.range = {0, 0};
        described.integers = !array.real;
        for (std::size_t i = 0; i < array.before.size(); ++i)
            if (array.written[i]) take_in(described.range, array.before[i]);
        arrays_.push_back(std::move(described));
    }
    for (const simt::TraceEvent& event : trace().events) {
        if (event.array < 0) continue;
        StepArray& array = arrays_[static_cast<std::size_t>(event.array)];
        array.written = array.written || event.kind != simt::EventKind::load;
        for (unsigned i = 0; i < event.elements; ++i) {
            take_in(array.range, trace().value(event, i));
            take_in(array.range, trace().left(event, i));
        }
    }
    for (StepArray& array : arrays_)
        if (array.range.low == array.range.high) array.range.high = array.range.low + 1;
}

void TracedBlock::follow_lines() {
    for (const std::source_location& at : trace().sources) code_.push_back(find_code(launch().kernel, at));
    runs_.resize(code_.size());
    touches_.resize(arrays_.size());
    for (std::size_t i = 0; i < replay_.size(); ++i) {
        const simt::ReplayStep& step = replay_.at(i);
        if (step.array >= 0) touches_[static_cast<std::size_t>(step.array)].push_back(static_cast<std::uint32_t>(i));
        Runs& runs = runs_[step.source];
        const std::int64_t before = runs.lanes.empty() ? 0 : runs.lanes.back();
        runs.steps.push_back(static_cast<std::uint32_t>(i));
        runs.lanes.push_back(before + std::popcount(step.lanes));
    }
}

std::int64_t TracedBlock::Runs::until(std::size_t done) const {
    const auto end = std::lower_bound(steps.begin(), steps.end(), done);
    return end == steps.begin() ? 0 : lanes[static_cast<std::size_t>(end - steps.begin()) - 1];
}

int TracedBlock::max_request_rows() const {
    unsigned most = 0;
    for (const simt::Request& request : replay_.cost().requests)
        most = std::max({most, request.lines, request.wavefronts.count});
    return static_cast<int>(most);
}

const simt::ReplayState& TracedBlock::state(std::size_t done) {
    if (!state_ || state_of_ != done) state_ = &replay_.state(done);
    state_of_ = done;
    return *state_;
}

std::vector<const simt::TraceEvent*> TracedBlock::sources_of(const simt::TraceEvent& event) const {
    const std::size_t most = event.kind == simt::EventKind::store ? 1 : 3;
    std::vector<const simt::TraceEvent*> loads;
    for (const simt::TraceEvent* at = &event; at != trace().events.data() && loads.size() < most;) {
        --at;
        if (at->thread != event.thread || at->kind == simt::EventKind::basic_block) continue;
        if (at->kind != simt::EventKind::load) break;
        loads.push_back(at);
    }
    return loads;
}

CodePlace TracedBlock::first_helper() const {
    const auto found = std::find_if(code_.begin(), code_.end(), [](const CodePlace& place) { return place.helper; });
    return found == code_.end() ? CodePlace{} : *found;
}

std::optional<std::int64_t> TracedBlock::last_touched(std::size_t array, std::size_t done, unsigned thread) const {
    const std::vector<std::uint32_t>& steps = touches_[array];
    const auto end = std::lower_bound(steps.begin(), steps.end(), done);
    if (end == steps.begin()) return std::nullopt;
    const auto lanes = events(replay_.at(*(end - 1)));
    const auto mine =
        std::find_if(lanes.begin(), lanes.end(), [&](const auto* event) { return event->thread == thread; });
    return mine == lanes.end() ? lanes.front()->index : (*mine)->index;
}

namespace {

/// The last events of a warp's lanes in the first steps, searched backwards.
TracedBlock::LaneEvents last_events(const TracedBlock& block, const std::vector<std::uint32_t>& steps,
                                    std::optional<simt::EventKind> kind, std::size_t done, unsigned warp) {
    TracedBlock::LaneEvents last{};
    std::uint32_t found = 0;
    for (auto at = std::lower_bound(steps.begin(), steps.end(), done); at != steps.begin() && found != ~0U;) {
        const simt::ReplayStep& step = block.replay().at(*--at);
        if (step.warp != warp || (kind && step.kind != *kind) || (step.lanes & ~found) == 0) continue;
        for (const simt::TraceEvent* event : block.events(step)) {
            const unsigned lane = event->thread % simt::warp_size;
            if (!last[lane]) last[lane] = event;
        }
        found |= step.lanes;
    }
    return last;
}

}  // namespace

TracedBlock::LaneEvents TracedBlock::last_touches(std::size_t array, std::size_t done, unsigned warp) const {
    return last_events(*this, touches_[array], std::nullopt, done, warp);
}

TracedBlock::LaneEvents TracedBlock::last_runs(std::uint16_t source, simt::EventKind kind, std::size_t done,
                                               unsigned warp) const {
    return last_events(*this, runs_[source].steps, kind, done, warp);
}

std::set<unsigned> TracedBlock::lines_of_steps(const std::string& file) const {
    const simt::KernelPlace kernel = simt::place_of_kernel(launch().kernel);
    const bool of_kernel = kernel.source && file == kernel.source->path;
    std::set<unsigned> lines;
    for (std::size_t i = 0; i < code_.size(); ++i) {
        if (runs_[i].steps.empty()) continue;
        if (of_kernel) lines.insert(code_[i].kernel_line);
        if (code_[i].helper && file == code_[i].helper->path) lines.insert(code_[i].helper_line);
    }
    lines.erase(0);
    return lines;
}

std::vector<std::size_t> TracedBlock::arrivals(const std::string& file, unsigned line) const {
    const simt::KernelPlace kernel = simt::place_of_kernel(launch().kernel);
    const bool of_kernel = kernel.source && file == kernel.source->path;
    std::vector<bool> there(code_.size());
    for (std::size_t i = 0; i < code_.size(); ++i)
        there[i] = (of_kernel && code_[i].kernel_line == line) ||
                   (code_[i].helper && file == code_[i].helper->path && code_[i].helper_line == line);
    std::map<unsigned, std::uintptr_t> behind;  // of each warp that is in the line: where in the code
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i < replay_.size(); ++i) {
        const simt::ReplayStep& step = replay_.at(i);
        if (!there[step.source]) {
            behind.erase(step.warp);
            continue;
        }
        const std::uintptr_t position = trace().events[step.events.front()].position;
        const auto before = behind.find(step.warp);
        if (before == behind.end() || position <= before->second) found.push_back(i + 1);
        behind[step.warp] = position;
    }
    return found;
}

std::map<unsigned, std::int64_t> TracedBlock::line_counts(std::size_t done) const {
    std::map<unsigned, std::int64_t> counts;
    for (std::size_t i = 0; i < runs_.size(); ++i)
        if (code_[i].kernel_line > 0) counts[code_[i].kernel_line] += runs_[i].until(done);
    return counts;
}

std::map<unsigned, std::int64_t> TracedBlock::helper_counts(const simt::KernelSource* file, std::size_t done) const {
    std::map<unsigned, std::int64_t> counts;
    for (std::size_t i = 0; i < runs_.size(); ++i)
        if (code_[i].helper == file) counts[code_[i].helper_line] += runs_[i].until(done);
    return counts;
}

std::vector<const simt::TraceEvent*> TracedBlock::events(const simt::ReplayStep& step) const {
    std::vector<const simt::TraceEvent*> lanes;
    for (const std::uint32_t index : step.events) lanes.push_back(&trace().events[index]);
    return lanes;
}

}  // namespace convscope
