#include "app/ui/compare_view/compare_table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "app/compare/compare_pages.h"
#include "app/ui/input/focus.h"
#include "app/ui/input/item_registry.h"
#include "app/ui/input/keys.h"
#include "app/ui/widgets/format.h"
#include "app/ui/widgets/widgets.h"

namespace convscope::app {
namespace {

constexpr std::size_t max_columns = 60;  ///< Dear ImGui 1.86 takes 64

/// A cell as people read it; the export has all digits.
std::string cell_words(const CompareData& data, std::size_t row, std::size_t column) {
    const RecordTable& table = data.table;
    if (table.is_text(column)) return std::string(table.text(column)[row]);
    const std::optional<double> value = table.number(row, column);
    if (!value) return {};
    if (pad_extra_of(column)) return table.cell(row, column);
    const std::string& name = table_columns()[column].name;
    if (name.ends_with("_us")) return duration(*value);
    if (name.ends_with("_bytes")) return bytes(*value);
    if (name.ends_with("_pct")) return three_digits(*value) + " %";
    if (name == "max_rel_err") return fmt::format("{:.1e}", *value);
    if (name.starts_with("flops_")) return flops(*value);
    if (name == "speedup_vs_vendor") return ratio_words(data, row);
    if (name == "gflops" || name == "gb_per_s") return plot_words({"", axis_unit(name)}, *value);
    if (name.find("sparsity_") != std::string::npos) return format_percent(*value);
    return table_columns()[column].kind == CellKind::whole ? format_count(static_cast<std::int64_t>(*value))
                                                           : three_digits(*value);
}

/// "SM clock (MHz)": with the unit where the cells have none.
std::string head_words(const std::string& column) {
    const std::string name = axis_name(column), unit = axis_unit(column);
    const bool in_cells = unit != "threads" && unit != "blocks" && unit != "MHz";
    return in_cells ? name : fmt::format("{} ({})", name, unit);
}

/// A triangle at the right end of the head that was just drawn.
void sort_mark(bool descending) {
    const ImVec2 high = ImGui::GetItemRectMax(), low = ImGui::GetItemRectMin();
    const float x = high.x - px(10), y = (low.y + high.y) / 2, half = px(4), tip_at = descending ? half : -half;
    ImGui::GetWindowDrawList()->AddTriangleFilled({x - half, y - tip_at / 2}, {x + half, y - tip_at / 2},
                                                  {x, y + tip_at / 2}, look().theme->accent.u32());
}

}  // namespace

void CompareTable::scroll(std::size_t rows, std::size_t in_sight) {
    const double last = rows > in_sight ? static_cast<double>(rows - in_sight) : 0;
    if (ImGui::IsWindowHovered(ImGuiHoveredFlags_ChildWindows) && !ImGui::GetIO().KeyShift)
        first_ -= 3.0 * ImGui::GetIO().MouseWheel;
    const double page = static_cast<double>(in_sight);
    if (focus_order().leaves_keys_to_view() && !ImGui::GetIO().KeyCtrl) {
        if (pressed(Key::page_down, true)) first_ += page;
        if (pressed(Key::page_up, true)) first_ -= page;
        if (pressed(Key::home)) first_ = 0;
        if (pressed(Key::end)) first_ = last;
        if (pressed(Key::down, true)) first_ += ImGui::GetIO().KeyShift ? page : 1;
        if (pressed(Key::up, true)) first_ -= ImGui::GetIO().KeyShift ? page : 1;
    }
    first_ = std::clamp(std::round(first_), 0.0, last);
}

void CompareTable::scroll_bar(float x, float y, float width, float height, std::size_t rows, std::size_t in_sight) {
    if (rows <= in_sight || height < px(40)) return;
    const auto share = static_cast<float>(static_cast<double>(in_sight) / static_cast<double>(rows));
    const float thumb = std::max(px(24), height * share), way = height - thumb;
    const auto last = static_cast<double>(rows - in_sight);
    ImGui::SetCursorScreenPos({x, y});
    ImGui::InvisibleButton("scroll", {width, height});
    register_item("compare/scroll", {ControlRole::image, "Row", fmt::format("{}", first_)});
    tip("Every row: drag, wheel, or use Page Up and Page Down");
    if (ImGui::IsItemActive() && way > 0)
        first_ = std::clamp(std::round((ImGui::GetIO().MousePos.y - y - thumb / 2) / way * last), 0.0, last);
    const float at = y + way * static_cast<float>(first_ / last);
    const bool lit = ImGui::IsItemHovered() || ImGui::IsItemActive();
    ImGui::GetWindowDrawList()->AddRectFilled({x + px(2), at}, {x + width - px(2), at + thumb},
                                              (lit ? look().theme->text_dim : look().theme->hovered).u32(), px(3));
}

CompareTableEvents CompareTable::draw(const CompareResult& result, const CompareChoice& set,
                                      const PlotEmphasis& emphasis) {
    CompareTableEvents events;
    const Theme& theme = *look().theme;
    const ImVec2 at = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
    const float bar = px(12), row_height = std::round(ImGui::GetTextLineHeight() + px(6));
    const float head = row_height + px(2), foot = ImGui::GetStyle().ScrollbarSize;
    const std::size_t rows = result.order.size();
    const auto in_sight =
        static_cast<std::size_t>(std::max(1.0F, std::floor((room.y - head - foot - px(2)) / row_height)));
    const std::size_t columns = std::min(result.columns.size() + 1, max_columns);
    if (rows == 0 || room.y < px(60)) return events;
    scroll(rows, in_sight);
    ImGui::PushStyleVar(ImGuiStyleVar_CellPadding, {px(6), px(2)});
    const ImGuiTableFlags flags = ImGuiTableFlags_ScrollX | ImGuiTableFlags_Resizable | ImGuiTableFlags_RowBg |
                                  ImGuiTableFlags_SizingFixedFit | ImGuiTableFlags_NoSavedSettings |
                                  ImGuiTableFlags_BordersInnerV;
    // Columns are as wide as the rows of these records need, not of those that were open before: other columns are
    // another table, for Dear ImGui keeps widths by place.
    const std::string id = fmt::format("records of {}: {}", result.data->title, fmt::join(result.columns, " "));
    if (ImGui::BeginTable(id.c_str(), static_cast<int>(columns), flags, {room.x - bar, room.y})) {
        ImGui::TableSetupScrollFreeze(1, 1);
        ImGui::TableSetupColumn("layer");
        for (std::size_t i = 0; i + 1 < columns; ++i)
            ImGui::TableSetupColumn(table_columns()[result.columns[i]].name.c_str());
        ImGui::TableNextRow(ImGuiTableRowFlags_Headers, head);
        for (std::size_t i = 0; i < columns; ++i) {
            ImGui::TableSetColumnIndex(static_cast<int>(i));
            const std::string name = i == 0 ? "layer" : table_columns()[result.columns[i - 1]].name;
            const bool sorted = set.sort == name;
            const std::string words = head_words(name);
            WithFont font(look().fonts->small);
            ImGui::TableHeader(fmt::format("{}{}##{}", words, sorted ? "   " : "", name).c_str());
            if (sorted) sort_mark(set.descending);
            register_item(("compare/column/" + name).c_str(), {ControlRole::option, words, {}, sorted});
            if (ImGui::IsItemActivated() && i > 0) events.sort = name;
            if (i > 0)
                tip(name + " in files and in the filter. Click to sort by it");
            else
                tip("The layer: a preset's name, or its shape");
        }
        ImGui::PushFont(look().fonts->mono_small);
        const std::size_t first = first_row();
        for (std::size_t place = first; place < std::min(rows, first + in_sight); ++place) {
            const std::uint32_t row = result.order[place];
            ImGui::TableNextRow(0, row_height);
            if (row == emphasis.pinned || (emphasis.chosen && emphasis.lit(row)))
                ImGui::TableSetBgColor(ImGuiTableBgTarget_RowBg1,
                                       theme.accent.with_alpha(row == emphasis.pinned ? 0.35F : 0.2F).u32());
            ImGui::TableSetColumnIndex(0);
            ImGui::PushID(static_cast<int>(row));
            const std::string layer = result.data->layer_names[result.data->layer[row]];
            if (ImGui::Selectable(layer.c_str(), false, ImGuiSelectableFlags_SpanAllColumns)) {
                events.clicked = row;
                events.with_ctrl = ImGui::GetIO().KeyCtrl;
            }
            // The part of the row that stays in sight however the table is scrolled.
            if (ItemRegistry::active) {
                const ImVec2 low = ImGui::GetItemRectMin();
                ItemRegistry::active->add(fmt::format("compare/row/{}", place), low,
                                          {low.x + px(60), ImGui::GetItemRectMax().y});
            }
            if (ImGui::IsItemHovered()) events.hovered = row;
            ImGui::PopID();
            const bool failed = !result.data->passed(row);
            for (std::size_t i = 0; i + 1 < columns; ++i) {
                ImGui::TableSetColumnIndex(static_cast<int>(i + 1));
                const std::size_t column = result.columns[i];
                std::string words = cell_words(*result.data, row, column);
                if (words.size() > 60) words = words.substr(0, 57) + "...";
                const bool number = !result.data->table.is_text(column);
                if (number && !words.empty()) {
                    const float space = ImGui::GetContentRegionAvail().x - ImGui::CalcTextSize(words.c_str()).x;
                    if (space > 0) ImGui::SetCursorPosX(ImGui::GetCursorPosX() + space);
                }
                ImGui::PushStyleColor(ImGuiCol_Text, (failed ? theme.text_dim : theme.text).u32());
                ImGui::TextUnformatted(words.c_str());
                ImGui::PopStyleColor();
            }
        }
        ImGui::PopFont();
        // A right click into the heads is about their widths.
        events.menu = ImGui::IsWindowHovered() && ImGui::IsMouseReleased(1) && ImGui::GetIO().MousePos.y > at.y + head;
        ImGui::EndTable();
    }
    ImGui::PopStyleVar();
    scroll_bar(at.x + room.x - bar, at.y + head, bar, room.y - head - foot, rows, in_sight);
    return events;
}

}  // namespace convscope::app
