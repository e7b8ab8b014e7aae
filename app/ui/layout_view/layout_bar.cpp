#include "app/ui/layout_view/layout_bar.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <string>
#include <vector>

#include "app/ui/input/item_registry.h"
#include "app/ui/widgets/widgets.h"
#include "visualizers/explain/links.h"
#include "visualizers/explain/links_across.h"
#include "visualizers/grid/dashed_frame.h"

namespace convscope::app {
namespace {

constexpr std::int64_t warp = 32;
constexpr std::int64_t max_chips = 4;
constexpr float companion_width = 190;

/// The formats that a page can have next to it; empty where it can have none.
std::vector<Format> choices(const Session& session) {
    const bool pooled = session.good.shape.pooled();
    std::vector<Format> list;
    if (session.layer.whole) return list;
    auto add = [&](Format format) {
        if (format != Format::pecr || pooled) list.push_back(format);
    };
    const bool lowering = session.tab == "lowering", pecr = session.tab == "pecr";
    if (pecr && !pooled) return list;
    if (pecr || lowering) add(Format::ecr);
    if (session.tab == "ecr" || lowering) add(Format::pecr);
    if (session.tab == "ecr" || pecr) {
        add(Format::mec);
        add(Format::im2col);
    }
    return list;
}

/// A name in its colour, as next to the arrays.
void chip(const std::string& name, const Rgba& colour) {
    const ImVec2 text = ImGui::CalcTextSize(name.c_str()), at = ImGui::GetCursorScreenPos();
    const float pad = px(3);
    ImDrawList& draw = *ImGui::GetWindowDrawList();
    draw.AddRectFilled(at, {at.x + text.x + 2 * pad, at.y + text.y}, colour.u32(), px(3));
    draw.AddText({at.x + pad, at.y}, readable_on(colour).u32(), name.c_str());
    ImGui::Dummy({text.x + 2 * pad, text.y});
    ImGui::SameLine(0, px(3));
}

/// "block rows B1 B2 B3 ...": what is counted, and its first few in their colours.
/// Nothing is drawn where it would reach beyond 'right'.
template <class Name>
void chips(const char* what, std::int64_t count, Name name, const std::string& meaning, float right) {
    float width = ImGui::CalcTextSize(what).x + px(6 + 24);
    for (std::int64_t i = 0; i < std::min(count, max_chips); ++i)
        width += ImGui::CalcTextSize(name(i).c_str()).x + px(9);
    if (ImGui::GetCursorScreenPos().x + width > right) return;
    ImGui::BeginGroup();
    ImGui::TextDisabled("%s", what);
    ImGui::SameLine(0, px(6));
    const Theme& theme = *look().theme;
    for (std::int64_t i = 0; i < std::min(count, max_chips); ++i) chip(name(i), theme.category(i));
    if (count > max_chips) {
        ImGui::TextDisabled("...");
        ImGui::SameLine(0, px(3));
    }
    ImGui::NewLine();
    ImGui::EndGroup();
    register_rect(fmt::format("layout/legend {}", what).c_str());
    tip(meaning);
    ImGui::SameLine(0, px(14));
}

/// The legend of a dashed frame. Nothing is drawn where it would reach beyond 'right'.
void shared_sign(float right) {
    const char* const words = "shared";
    const float line = ImGui::GetTextLineHeight(), box = 1.6F * line;
    if (ImGui::GetCursorScreenPos().x + box + px(6) + ImGui::CalcTextSize(words).x > right) return;
    ImGui::BeginGroup();
    const ImVec2 at = ImGui::GetCursorScreenPos();
    draw_dashed_frame(ImGui::GetWindowDrawList(), {at.x, at.y + px(1)}, {at.x + box, at.y + line - px(1)},
                      look().theme->text, look().scale);
    ImGui::Dummy({box, line});
    ImGui::SameLine(0, px(6));
    ImGui::TextDisabled("%s", words);
    ImGui::EndGroup();
    register_rect("layout/legend shared");
    tip("Columns of L that two neighbouring partitions have in common, or columns of x that two windows have: stored "
        "once, where the im2col matrix has them twice");
    ImGui::SameLine(0, px(14));
}

}  // namespace

std::optional<Format> LayoutBar::companion(const Frame& frame) {
    const std::optional<Format>& chosen = frame.session.pages.companion;
    if (!chosen) return std::nullopt;
    const std::vector<Format> list = choices(frame.session);
    const bool pooled = frame.snapshot && frame.snapshot->map_shape.pooled();
    if (*chosen == Format::pecr && !pooled) return std::nullopt;
    return std::ranges::find(list, *chosen) == list.end() ? std::nullopt : chosen;
}

float LayoutBar::width(const Frame& frame, bool with_selector) {
    const float selector = with_selector ? MapSelector::width(frame.session.good.shape) + px(8) : 0;
    return selector + (choices(frame.session).empty() ? 0 : px(companion_width));
}

void LayoutBar::draw(Frame& frame, MapSelector* selector, float taken) {
    const std::vector<Format> list = choices(frame.session);
    if (list.empty() && !selector && taken <= 0) return;
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const float right = start.x + ImGui::GetContentRegionAvail().x;
    WithFont font(look().fonts->small);
    float free = right;
    if (!list.empty()) {
        free -= px(companion_width);
        ImGui::SetCursorScreenPos({free, start.y + px(2)});
        choose(frame);
    }
    if (selector) {
        free -= MapSelector::width(frame.session.good.shape) + px(8);
        ImGui::SetCursorScreenPos({free, start.y + px(2)});
        selector->draw(frame);
    }
    ImGui::SetCursorScreenPos({start.x + px(8) + taken, start.y + px(6)});
    if (!list.empty()) legend(frame, free);
    ImGui::SetCursorScreenPos({start.x, start.y + px(26)});
    ImGui::Dummy({1, 1});
    ImGui::SetCursorScreenPos({start.x, start.y + px(26)});
}

void LayoutBar::legend(Frame& frame, float right) {
    const ConvShape& s = frame.session.good.shape;
    // As many names as the output has rows and columns.
    if (frame.session.lesson.hides(to_string(ArrayId::y))) return;
    if (frame.session.tab == "lowering") {
        chips(
            "output rows", s.p(), [&](std::int64_t i) { return mec_partition_label(i, s); },
            "Each row of y is one partition of L times w, and has one colour everywhere (Cho & Brand 2017, Fig. 2). "
            "There are seven colours; they repeat",
            right);
        if (s.p() > 1 && mec_shared_columns(s) > 0) shared_sign(right);
        return;
    }
    const bool pooled = frame.session.tab == "pecr";
    chips(
        "block rows", pooled ? s.out_h() : s.p(), [](std::int64_t i) { return fmt::format("B{}", i + 1); },
        "A thread block takes one block row: a row of windows, or of pooling windows in PECR. There are seven "
        "colours; they repeat",
        right);
    const LaunchConfig config = launch_of(frame.session, pooled ? "pecr1" : "ecr1");
    const std::int64_t places = pooled ? s.out_w() : s.q();
    const std::int64_t threads = config.block ? std::min<std::int64_t>(config.block->count(), places) : places;
    if (threads > warp)
        chips(
            "warps", (threads + warp - 1) / warp, [](std::int64_t i) { return fmt::format("W{}", i + 1); },
            fmt::format("{} threads of a block, 32 to a warp; the colour of a thread is that of its warp", threads),
            right);
    else
        chips(
            "threads", threads, [](std::int64_t i) { return fmt::format("T{}", i + 1); },
            fmt::format("{} of a block's warp of 32; in larger blocks a colour stands for a warp", threads), right);
}

void LayoutBar::choose(Frame& frame) {
    std::optional<Format>& chosen = frame.session.pages.companion;
    const std::vector<Format> list = choices(frame.session);
    std::vector<std::string> names = {"none"};
    for (const Format format : list) names.emplace_back(title_of(format));
    const std::optional<Format> shown = companion(frame);
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {px(8), px(1)});
    ImGui::AlignTextToFramePadding();
    ImGui::TextDisabled("second layout");
    ImGui::SameLine(0, px(8));
    const int picked = choice("layout/beside", shown ? title_of(*shown) : "none", names, px(90));
    ImGui::PopStyleVar();
    tip("A second layout of the same map next to this one: what is pointed at in one is lit in both");
    if (picked == 0) chosen.reset();
    if (picked > 0) chosen = list[static_cast<std::size_t>(picked - 1)];
}

}  // namespace convscope::app
