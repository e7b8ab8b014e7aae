#include "visualizers/step/step_description.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <iterator>
#include <utility>

#include "visualizers/grid/cell_text.h"
#include "visualizers/step/request_pieces.h"

namespace convscope {
namespace {

using simt::EventKind;
using simt::ReplayStep;
using simt::TraceEvent;

constexpr std::size_t max_named = 3;

std::string number(double value) {
    return std::isnan(value) ? "NaN" : short_value(value, 9);
}

std::string plural(std::size_t count, const char* one) {
    return fmt::format("{} {}{}", count, one, count == 1 ? "" : "s");
}

/// The request's cost in memory: "sector 2 of line 0", "3 sectors of 2 lines", "one wavefront, no bank conflict".
std::string describe_cost(const TracedBlock& block, const ReplayStep& step) {
    const auto lanes = block.events(step);
    const StepArray& array = block.arrays()[static_cast<std::size_t>(step.array)];
    if (array.facts.space == simt::Space::shared) {
        const std::vector<Wavefront> wavefronts = wavefronts_of_request(lanes);
        if (lanes.size() == 1) return {};
        if (wavefronts.size() == 1) return "one wavefront, no bank conflict";
        return fmt::format("{} wavefronts, {}", wavefronts.size(),
                           has_conflicts(wavefronts) ? "because of bank conflicts" : "no bank conflict");
    }
    const std::vector<LineUse> lines = lines_of_request(lanes);
    std::size_t sectors = 0;
    for (const LineUse& line : lines) sectors += static_cast<std::size_t>(std::popcount(line.sectors));
    if (sectors == 1)
        return fmt::format("sector {} of line {}", std::countr_zero(lines.front().sectors), lines.front().number);
    if (lines.size() == 1) return fmt::format("{} sectors of line {}", sectors, lines.front().number);
    return fmt::format("{} sectors of {} lines", sectors, lines.size());
}

const char* space_name(const StepArray& array) {
    return array.facts.space == simt::Space::shared ? "shared" : "global";
}

std::string describe_access(const TracedBlock& block, const TraceEvent& event) {
    const StepArray& array = block.arrays()[static_cast<std::size_t>(event.array)];
    const std::string element = array.name_of(event.index);
    const std::string more = event.elements > 1 ? fmt::format(" and {} after it", event.elements - 1) : "";
    switch (event.kind) {
        case EventKind::load:
            return fmt::format("reads {}{} = {} from {} memory", element, more, number(event.value), space_name(array));
        case EventKind::store:
            return fmt::format("writes {} to {}{} in {} memory", number(event.value), element, more, space_name(array));
        default:
            return fmt::format("changes {} from {} to {} in {} memory, atomically", element, number(event.value),
                               number(block.trace().left(event)), space_name(array));
    }
}

/// The thread's multiply-add before this one; none where this is its first.
const TraceEvent* product_before(const TracedBlock& block, const TraceEvent& event) {
    for (const TraceEvent* at = &event; at != block.trace().events.data();) {
        --at;
        if (at->thread == event.thread && at->kind == EventKind::multiply_add) return at;
    }
    return nullptr;
}

/// The factors are the thread's last two loads of real numbers, where the result bears that out; which of them came
/// first is the compiler's choice, so the array that the kernel came to first is named first.
std::string describe_product(const TracedBlock& block, const TraceEvent& event) {
    std::vector<const TraceEvent*> factors;
    for (const TraceEvent* load : block.sources_of(event))
        if (load->real && factors.size() < 2) factors.push_back(load);
    if (factors.size() == 2) {
        if (factors[1]->array < factors[0]->array) std::swap(factors[0], factors[1]);
        const double a = factors[0]->value, b = factors[1]->value;
        const TraceEvent* earlier = product_before(block, event);
        for (const double before : {earlier ? earlier->value : 0.0, 0.0})
            if (std::abs(a * b + before - event.value) <= 1e-6 * (1 + std::abs(event.value)))
                return fmt::format("multiplies {} by {} and adds it to {}: {}", number(a), number(b), number(before),
                                   number(event.value));
    }
    return fmt::format("multiplies and adds: its sum is {}", number(event.value));
}

/// The two sides of what a check found.
std::string describe_finding(const TracedBlock& block, const simt::Finding& finding) {
    auto side = [&](const simt::Side& each) {
        return fmt::format("{} {} {} in line {}", thread_name(thread_of(block, each)), each.does,
                           finding.element() ? fmt::format("{}[{}]", finding.element()->array, finding.element()->index)
                                             : std::string("there"),
                           each.at.line());
    };
    std::string text = "The check ends the run here: " + side(finding.found());
    if (finding.other()) text += ", " + side(*finding.other());
    if (finding.kind() == simt::FindingKind::race) text += ", and no barrier comes between";
    return text + '.';
}

std::string with_others(const std::vector<unsigned>& threads, unsigned chosen) {
    if (threads.size() < 2) return {};
    std::vector<unsigned> others;
    std::copy_if(threads.begin(), threads.end(), std::back_inserter(others), [&](unsigned t) { return t != chosen; });
    if (others.size() <= max_named) return fmt::format(", {} with it", thread_names(others));
    return fmt::format(", {} others with it", others.size());
}

}  // namespace

std::string thread_name(unsigned thread) {
    return fmt::format("T{}", thread + 1);
}

std::string thread_names(const std::vector<unsigned>& threads) {
    if (threads.empty()) return "no thread";
    if (threads.size() == 1) return thread_name(threads[0]);
    const bool run = threads.back() - threads.front() + 1 == threads.size();
    if (run && threads.size() > 2)
        return fmt::format("{} to {}", thread_name(threads.front()), thread_name(threads.back()));
    if (threads.size() > max_named)
        return fmt::format("{} threads from {} to {}", threads.size(), thread_name(threads.front()),
                           thread_name(threads.back()));
    std::string names = thread_name(threads[0]);
    for (std::size_t i = 1; i < threads.size(); ++i)
        names += (i + 1 == threads.size() ? " and " : ", ") + thread_name(threads[i]);
    return names;
}

std::string block_name(const Dim3& block, const Dim3& grid) {
    if (grid.y == 1 && grid.z == 1) return fmt::format("B{}", block.x + 1);
    return fmt::format("B({},{},{})", block.x, block.y, block.z);
}

std::string words_of_moment(const TracedBlock& block, std::size_t done, unsigned thread) {
    if (block.size() == 0) return "This block does nothing: none of its threads has an element to work on.";
    if (done == 0) return "Before the first step. Space plays, the right arrow takes one step.";
    if (block.stopped_at(done)) return describe_finding(block, *block.finding());
    const ReplayStep& step = block.replay().at(done - 1);
    const auto lanes = block.events(step);
    std::vector<unsigned> threads;
    for (const TraceEvent* event : lanes) threads.push_back(event->thread);
    const auto mine = std::find(threads.begin(), threads.end(), thread);
    const TraceEvent& event = *lanes[mine == threads.end() ? 0 : static_cast<std::size_t>(mine - threads.begin())];
    const std::string who = thread_name(event.thread), others = with_others(threads, event.thread);

    switch (step.kind) {
        case EventKind::load:
        case EventKind::store:
        case EventKind::atomic: {
            const std::string cost = describe_cost(block, step);
            return fmt::format("{} {}{}{}{}.", who, describe_access(block, event), others, cost.empty() ? "" : ": ",
                               cost);
        }
        case EventKind::multiply_add:
            return fmt::format("{} {}{}.", who, describe_product(block, event), others);
        case EventKind::barrier:
            return fmt::format("{} at the block's barrier: {} waits there for the rest of the block.",
                               threads.size() == 1 ? who + " is" : thread_names(threads) + " are",
                               threads.size() == 1 ? "it" : "each");
        case EventKind::warp_operation:
            return fmt::format("{} {} values within the warp: {}.", thread_names(threads),
                               threads.size() == 1 ? "exchanges" : "exchange", plural(threads.size(), "lane"));
        case EventKind::basic_block:
            break;
    }
    return {};
}

unsigned thread_of(const TracedBlock& block, const simt::Side& side) {
    const Dim3& extent = block.launch().block;
    return static_cast<unsigned>((side.thread.z * extent.y + side.thread.y) * extent.x + side.thread.x);
}

LaneState lane_state(TracedBlock& block, std::size_t done, unsigned thread) {
    if (thread >= block.trace().threads()) return LaneState::absent;
    if (done > 0 && !block.stopped_at(done)) {
        const ReplayStep& step = block.replay().at(done - 1);
        if (thread / lanes_of_a_warp == step.warp && (step.lanes >> thread % lanes_of_a_warp & 1) != 0)
            return LaneState::active;
    }
    const simt::ThreadState& state = block.state(done).threads[thread];
    if (state.finished || !block.takes_part(thread)) return LaneState::finished;
    return state.waiting ? LaneState::waiting : LaneState::elsewhere;
}

const char* reason_of(LaneState state) {
    switch (state) {
        case LaneState::active:
            return "";
        case LaneState::waiting:
            return "waits at the block's barrier";
        case LaneState::finished:
            return "has finished";
        case LaneState::elsewhere:
            return "is on another branch, or in another round of the loop";
        case LaneState::absent:
            return "is not there: the block ends before it";
    }
    return "";
}

}  // namespace convscope
