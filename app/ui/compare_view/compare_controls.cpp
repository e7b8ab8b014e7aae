// The Compare view's controls: where the rows come from, which of them are shown, which page, and what it is set to.
#include <fmt/format.h>
#include <imgui_internal.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <iterator>
#include <string_view>

#include "app/compare/compare_pages.h"
#include "app/ui/compare_view/compare_view.h"
#include "app/ui/input/item_registry.h"
#include "app/ui/input/keys.h"
#include "app/ui/widgets/format.h"
#include "app/ui/widgets/widgets.h"
#include "kernels/core/error.h"
#include "kernels/core/format_units.h"
#include "kernels/records/row_query.h"

namespace convscope::app {
namespace {

constexpr const char* this_run = CompareView::this_run;

bool reads(const std::string& query) {
    try {
        parse_query(query);
        return true;
    } catch (const Error&) {
        return false;
    }
}

}  // namespace

void CompareView::header(Frame& frame) {
    source_list(frame);
    ImGui::SameLine(0, px(12));
    std::string rows;
    if (result_) {
        const std::size_t shown = result_->shown.count(), all = data_->table.rows();
        rows = format_count(static_cast<std::int64_t>(all)) + " rows";
        if (shown != all) rows = format_count(static_cast<std::int64_t>(shown)) + " of " + rows;
    }
    const float right = std::max(px(136), ImGui::CalcTextSize(rows.c_str()).x + px(16));
    ImGui::SetNextItemWidth(std::max(px(120), ImGui::GetContentRegionAvail().x - right));
    if (result_ && !result_->problem.empty()) ImGui::PushStyleColor(ImGuiCol_Text, look().theme->bad.u32());
    const bool wrong = result_ && !result_->problem.empty();
    ImGui::InputTextWithHint("##query", "filter: ecr3  n>1", &frame.session.compare.query);
    register_item("compare/query", {ControlRole::field, "Filter", frame.session.compare.query});
    if (wrong) ImGui::PopStyleColor();
    // Enter on a filter that does not read keeps the field active: later keys are the filter's, not commands.
    if (ImGui::IsItemDeactivated() && pressed(Key::enter) && !reads(frame.session.compare.query)) {
        const ImGuiContext& g = *ImGui::GetCurrentContext();
        ImGui::SetActiveID(g.LastItemData.ID, g.CurrentWindow);
    }
    tip(wrong ? result_->problem
              : "Words that a row has in it, and conditions on columns: method=ecr3,csr1  n>1  zeros=50%:90%");
    ImGui::SameLine(0, px(12));
    if (!rows.empty()) clipped_text(rows.c_str(), ImGui::GetContentRegionAvail().x, look().theme->text_dim.u32());
    if (wrong) problem(result_->problem);
}

void CompareView::source_list(Frame& frame) {
    RecordSource& records = frame.session.records;
    const std::string shown = !source_ ? this_run : source_->files.empty() ? "" : source_name(source_->files[0]);
    const std::string more =
        source_ && source_->files.size() > 1 ? fmt::format(" + {}", source_->files.size() - 1) : "";
    ImGui::PushID("source");
    ImGui::SetNextWindowSizeConstraints({px(560), 0}, {px(560), px(560)});
    const bool open =
        begin_list("##source", "compare/source", "Records", shown + more, px(240), ImGuiComboFlags_HeightLargest);
    if (!open) tip("Where the rows come from. Drop CSV or JSON files on the window to open them");
    if (open) {
        recorded_.draw_search("compare/source/", ImGui::IsWindowAppearing());
        if (ImGui::Selectable(this_run, !source_)) records = {RecordSource::Kind::this_run, "", {}};
        register_item("compare/source/this run", {ControlRole::list_item, this_run, {}, !source_});
        std::vector<std::string> present;
        if (source_ && source_->recorded)
            std::ranges::transform(source_->files, std::back_inserter(present), source_name);
        if (const auto picked = recorded_.draw(present, false, "compare/source/", ImGui::IsWindowAppearing()))
            open_recorded(*picked, ImGui::GetIO().KeyCtrl);
        note("Ctrl+click opens one in addition; the page 'Two files' compares them.");
        ImGui::EndCombo();
    }
    ImGui::PopID();
}

/// Where the rows are from; marked where they were recorded elsewhere.
void CompareView::source_line() {
    WithFont font(look().fonts->small);
    if (data_->recorded) {
        const ImVec2 at = ImGui::GetCursorScreenPos(), size = ImGui::CalcTextSize("RECORDED");
        const float pad = px(5);
        ImGui::GetWindowDrawList()->AddRectFilled(at, {at.x + size.x + 2 * pad, at.y + size.y + px(2)},
                                                  look().theme->accent.with_alpha(0.25F).u32(), px(3));
        ImGui::SetCursorScreenPos({at.x + pad, at.y + px(1)});
        ImGui::TextUnformatted("RECORDED");
        ImGui::SameLine(0, pad + px(8));
    }
    std::string text = data_->provenance;
    if (data_->recorded) text = text.substr(std::string("Recorded ").size());
    if (const std::size_t out = data_->problems.left_out; out > 0) {
        const std::string problem = counted(out, "row") + " could not be read.";
        clipped_text(problem.c_str(), ImGui::GetContentRegionAvail().x, look().theme->bad.u32());
        tip("What is wrong with each stands in the column on the right");
        ImGui::SameLine(0, px(8));
    }
    clipped_text(text.c_str(), ImGui::GetContentRegionAvail().x, look().theme->text_dim.u32());
    tip(text);
}

void CompareView::pages(Frame& frame) {
    const ImVec2 start = ImGui::GetCursorScreenPos();
    ImDrawList& draw = *ImGui::GetWindowDrawList();
    const Theme& theme = *look().theme;
    for (std::size_t i = 0; i < ComparePage::count; ++i) {
        const auto page = ComparePage::at(i);
        const bool chosen = frame.session.compare.page == page;
        // As wide as it is when it is chosen: the others stay where they are.
        ImFont* const strong = look().fonts->strong;
        const float width = strong->CalcTextSizeA(strong->FontSize, 1e9F, 0, page->name).x;
        WithFont font(chosen ? strong : look().fonts->text);
        const ImVec2 size{width + px(16), px(30)}, at = ImGui::GetCursorScreenPos();
        if (ImGui::InvisibleButton(page->name, size)) frame.session.compare.page = page;
        register_item(fmt::format("compare/{}", page->name).c_str(), {ControlRole::tab, page->name, {}, chosen});
        tip(page->meaning);
        const Rgba colour = chosen || ImGui::IsItemHovered() ? theme.text : theme.text_dim;
        draw.AddText({at.x + px(8), at.y + (size.y - ImGui::GetTextLineHeight()) / 2}, colour.u32(), page->name);
        if (chosen)
            draw.AddRectFilled({at.x + px(8), at.y + size.y - px(2)}, {at.x + size.x - px(8), at.y + size.y},
                               theme.accent.u32());
        if (i + 1 < ComparePage::count) ImGui::SameLine(0, px(2));
    }
    ImGui::SetCursorScreenPos({start.x, start.y + px(30)});
    hairline();
}

/// The one control that says what is timed.
void CompareView::scope_control(Frame& frame) {
    if (ImGui::GetContentRegionAvail().x < px(448)) ImGui::NewLine();
    ImGui::AlignTextToFramePadding();
    ImGui::TextDisabled("what is timed");
    ImGui::SameLine(0, px(8));
    const Theme& theme = *look().theme;
    ImDrawList& draw = *ImGui::GetWindowDrawList();
    const float height = ImGui::GetFrameHeight(), pad = px(10);
    constexpr const char* meanings[] = {"the kernels alone, inputs resident", "one call, to completion",
                                        "and copies of x, w and y", "and allocating memory",
                                        "and making library handles, as Xu's public programs time it"};
    constexpr const char* names[] = {"kernel", "launch", "copies", "alloc", "setup"};
    for (std::size_t i = 0; i < std::size(names); ++i) {
        const std::vector<std::string>& there = result_->lists.scopes;
        const bool has = std::ranges::find(there, names[i]) != there.end();
        const bool chosen = result_->lists.set.scope == names[i];
        const ImVec2 at = ImGui::GetCursorScreenPos(), text = ImGui::CalcTextSize(names[i]);
        const ImVec2 size{text.x + 2 * pad, height};
        draw.AddRectFilled(at, {at.x + size.x, at.y + size.y}, (chosen ? theme.hovered : theme.panel).u32(), px(3));
        if (ImGui::InvisibleButton(names[i], size) && has) frame.session.compare.scope = names[i];
        register_item(fmt::format("compare/scope/{}", names[i]).c_str(), {ControlRole::option, names[i], {}, chosen});
        tip(has ? std::string(meanings[i]) : "No row of this scope is among these");
        draw.AddText({at.x + pad, at.y + (height - text.y) / 2},
                     (chosen ? theme.text
                      : has  ? theme.text_dim
                             : theme.text_dim.with_alpha(0.45F))
                         .u32(),
                     names[i]);
        ImGui::SameLine(0, px(2));
    }
    ImGui::SameLine(0, px(16));
}

void CompareView::list(const char* label, const char* item_name, const std::vector<std::string>& items,
                       const std::string& shown, std::string& set, float width) {
    const bool axis = std::string_view(label) == "x" || std::string_view(label) == "y";
    std::vector<std::string> words = std::string_view(label) == "layer" ? short_names(items) : items;
    if (axis) std::ranges::transform(items, words.begin(), axis_name);
    const auto at = static_cast<std::size_t>(std::ranges::find(items, shown) - items.begin());
    const std::string present = at < words.size() ? words[at] : shown;
    const ImGuiStyle& style = ImGui::GetStyle();
    const float needed = ImGui::CalcTextSize(present.c_str()).x + ImGui::GetFrameHeight() + 3 * style.FramePadding.x;
    const float field = std::clamp(needed, px(width), px(1.6F * width));
    const bool first = ImGui::GetCursorPosX() <= ImGui::GetCursorStartPos().x;
    const float before = ImGui::CalcTextSize(label).x + px(6);
    if (!first && ImGui::GetContentRegionAvail().x < before + std::min(field, px(width))) ImGui::NewLine();
    ImGui::AlignTextToFramePadding();
    ImGui::TextDisabled("%s", label);
    ImGui::SameLine(0, px(6));
    const int picked = choice(item_name, present, words, std::min(field, ImGui::GetContentRegionAvail().x));
    tip(axis ? fmt::format("What runs along the {} axis", label) : fmt::format("Which {} is shown", label));
    if (picked >= 0) set = items[static_cast<std::size_t>(picked)];
    ImGui::SameLine(0, px(14));
}

void CompareView::controls(Frame& frame) {
    CompareChoice& set = frame.session.compare;
    const CompareLists& lists = result_->lists;
    const CompareChoice& now = lists.set;
    for (const PlacedField& placed : set.page->fields) {
        const float width = placed.width;
        switch (placed.field) {
            case PageField::none:
                break;
            case PageField::x:
                list("x", "compare/x", lists.xs, now.x, set.x, width);
                break;
            case PageField::y:
                list("y", "compare/y", lists.ys, now.y, set.y, width);
                break;
            case PageField::map_x:
                list("x", "compare/map x", lists.xs, now.map_x, set.map_x, width);
                break;
            case PageField::map_y:
                list("y", "compare/map y", lists.xs, now.map_y, set.map_y, width);
                break;
            case PageField::layer:
                list("layer", "compare/layer", lists.layers, now.layer, set.layer, width);
                break;
            case PageField::scope:
                scope_control(frame);
                break;
            case PageField::counting: {
                const int picked = choice("compare/counting", set.dense ? "dense work" : "work done",
                                          {"work done", "dense work"}, px(width));
                if (picked >= 0) set.dense = picked == 1;
                ImGui::SameLine();
                break;
            }
            case PageField::before:
                list("before", "compare/before", lists.files, now.before, set.before, width);
                break;
            case PageField::after:
                list("after", "compare/after", lists.files, now.after, set.after, width);
                break;
        }
    }
    if (set.page == "table" || selected() > 0) selection_line(frame);
    if (set.page != "memory" || selected() > 0) ImGui::NewLine();
}

/// The selected rows, and buttons that copy or export them.
void CompareView::selection_line(Frame& frame) {
    const std::string many =
        format_count(static_cast<std::int64_t>(selected() > 0 ? selected() : result_->shown.count()));
    if (button("compare/copy", ("Copy " + many + " rows").c_str())) export_rows(frame, true);
    tip("As CSV, with the header");
    ImGui::SameLine(0, px(8));
    if (button("compare/export", ("Export " + many + " rows").c_str())) export_rows(frame, false);
    tip("As a CSV file");
    ImGui::SameLine(0, px(8));
    if (selected() > 0) {
        if (button("compare/clear", "Clear")) selection_.clear_brush();
        tip("No row is chosen then (Esc)");
        ImGui::SameLine(0, px(8));
    }
}

}  // namespace convscope::app
