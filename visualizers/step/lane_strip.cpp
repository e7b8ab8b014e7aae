#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdlib>

#include "visualizers/grid/cell_text.h"
#include "visualizers/step/request_pieces.h"
#include "visualizers/step/step_description.h"
#include "visualizers/step/warp_strip.h"
#include "visualizers/step/warp_strip_parts.h"
#include "visualizers/style/tooltip.h"

namespace convscope {
namespace {

constexpr float name_px = 15, cell_px = 26;  // at scale 1: a lane's name, and its cell below

/// The text in an idle lane's cell: as much of the reason as there is room for.
std::array<const char*, 2> idle_words(LaneState state) {
    switch (state) {
        case LaneState::finished:
            return {"done", "·"};
        case LaneState::waiting:
            return {"waits", "="};
        case LaneState::elsewhere:
            return {"other", "-"};
        default:
            return {"", ""};
    }
}

unsigned warp_at(const TracedBlock& block, const StepPoint& point) {
    if (block.stopped_at(point.done)) return thread_of(block, block.finding()->found()) / lanes_of_a_warp;
    if (point.done > 0) return block.replay().at(point.done - 1).warp;
    return point.thread / lanes_of_a_warp;
}

struct LaneCell {
    ImVec2 from, to;
    unsigned thread;
    LaneState state;
    const simt::TraceEvent* event;         ///< null where it is idle
    const simt::Side* at_fault = nullptr;  ///< of the finding that stopped the block
};

/// The finding's side that the thread is, of those in this block.
const simt::Side* side_of(const TracedBlock& block, unsigned thread) {
    const simt::Finding& finding = *block.finding();
    if (thread_of(block, finding.found()) == thread) return &finding.found();
    const auto& other = finding.other();
    const bool here = other && other->block == finding.found().block;
    return here && thread_of(block, *other) == thread ? &*other : nullptr;
}

void draw_cell(const LaneCell& cell, bool chosen, const ViewStyle& style) {
    const Theme& theme = *style.theme;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const Rgba own = chosen ? theme.accent : theme.category(cell.thread);
    const float round = style.px(3), line = std::max(1.0F, style.px(1));
    if (cell.at_fault) {
        list.AddRectFilled(cell.from, cell.to, mix(theme.panel, theme.bad, 0.32F).u32(), round);
        list.AddRect(cell.from, cell.to, theme.bad.u32(), round, 0, style.px(2));
        print_centred(style.caption(), cell.from, cell.to, theme.text, cell.at_fault->does);
        return;
    }
    const bool active = cell.state == LaneState::active;
    list.AddRectFilled(cell.from, cell.to, (active ? mix(theme.panel, own, 0.32F) : theme.zero).u32(), round);
    if (active) list.AddRect(cell.from, cell.to, own.u32(), round, 0, line);
    if (chosen) list.AddRect(cell.from, cell.to, theme.accent.u32(), round, 0, style.px(2.5F));
    if (!active) {
        for (const char* words : idle_words(cell.state))
            if (print_centred(style.caption(), cell.from, cell.to, theme.text_dim, words)) break;
        return;
    }
    if (cell.event->kind == simt::EventKind::barrier || cell.event->kind == simt::EventKind::warp_operation) return;
    const float digit = extent_of(style.source(), "0").x;
    const int room = static_cast<int>((cell.to.x - cell.from.x - style.px(2)) / digit);
    print_centred(style.source(), cell.from, cell.to, theme.text, short_value(cell.event->value, std::max(1, room)));
}

/// The last warp's lanes from 'from' to 'to' have no thread: the block ends before them.
void draw_absent(ImVec2 from, ImVec2 to, unsigned threads, const ViewStyle& style) {
    const Theme& theme = *style.theme;
    ImGui::GetWindowDrawList()->AddRect(from, to, theme.hairline.with_alpha(0.5F).u32(), style.px(3));
    print_centred(style.caption(), from, to, theme.text_dim, "no thread");
    if (ImGui::IsWindowHovered() && ImGui::IsMouseHoveringRect(from, to))
        tooltip(from, to, fmt::format("no thread: the block has {}", threads), style.body(), style.scale);
}

}  // namespace

float lane_strip_height(const ViewStyle& style) {
    return style.px(name_px + cell_px);
}

ImVec2 lane_centre(ImVec2 at, float width, unsigned lane, const ViewStyle& style) {
    const WarpColumns columns(at, width, style);
    return {columns.x(lane) + columns.column / 2, at.y + style.px(name_px + cell_px / 2)};
}

std::optional<unsigned> draw_lane_strip(ImVec2 at, float width, TracedBlock& block, const StepPoint& point,
                                        const ViewStyle& style) {
    const WarpColumns columns(at, width, style);
    const unsigned warp = warp_at(block, point), first = warp * lanes_of_a_warp;
    const bool stopped = block.stopped_at(point.done);
    const simt::ReplayStep* step = point.done > 0 && !stopped ? &block.replay().at(point.done - 1) : nullptr;
    const auto events = step ? block.events(*step) : std::vector<const simt::TraceEvent*>();
    const float top = at.y + style.px(name_px), bottom = top + style.px(cell_px), gap = std::max(1.0F, style.px(1));
    print(style.caption(), {at.x, at.y}, style.theme->text_dim,
          block.trace().threads() > lanes_of_a_warp ? fmt::format("warp {}", warp) : "lanes");
    print(style.source(), {at.x, top + style.px(6)}, style.theme->text,
          stopped ? "stopped" : fmt::format("{} of 32", step ? std::popcount(step->lanes) : 0));

    std::optional<unsigned> picked;
    const unsigned threads = block.trace().threads(), present = std::min<unsigned>(lanes_of_a_warp, threads - first);
    const unsigned last = first + present - 1;
    const float name_width = extent_of(style.caption(), thread_name(last)).x + style.px(5);
    const unsigned every = columns.column >= name_width ? 1 : columns.column * 4 >= name_width ? 4 : 8;
    for (unsigned lane = 0; lane < present; ++lane) {
        const unsigned thread = first + lane;
        LaneCell cell{{columns.x(lane), top},
                      {columns.x(lane + 1) - gap, bottom},
                      thread,
                      lane_state(block, point.done, thread),
                      nullptr};
        for (const simt::TraceEvent* event : events)
            if (event->thread == thread) cell.event = event;
        if (stopped) cell.at_fault = side_of(block, thread);
        const bool chosen = thread == point.thread;
        draw_cell(cell, chosen, style);
        // Where names are sparse, the chosen lane's takes the room of its neighbours.
        const auto away = static_cast<unsigned>(std::abs(static_cast<int>(thread) - static_cast<int>(point.thread)));
        if (chosen || (lane % every == 0 && (away >= every || every == 1)))
            print(style.caption(), {cell.from.x, at.y}, chosen ? style.theme->accent : style.theme->text_dim,
                  thread_name(thread));
        if (!ImGui::IsWindowHovered() || !ImGui::IsMouseHoveringRect(cell.from, cell.to)) continue;
        const char* reason = reason_of(cell.state);
        tooltip(cell.from, cell.to,
                thread_name(thread) + ' ' +
                    (cell.at_fault ? cell.at_fault->does
                     : *reason     ? reason
                                   : "is active") +
                    "\nClick to follow it",
                style.body(), style.scale);
        if (ImGui::IsMouseClicked(0)) picked = thread;
    }
    if (present < lanes_of_a_warp)
        draw_absent({columns.x(present), top}, {columns.x(lanes_of_a_warp) - gap, bottom}, threads, style);
    return picked;
}

}  // namespace convscope
