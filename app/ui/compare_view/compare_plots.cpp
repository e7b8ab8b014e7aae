// The Compare view's plots: as many as are legible, each with its name and its chips; and pairs of two files in words.
#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>

#include "app/compare/compare_pages.h"
#include "app/ui/compare_view/compare_view.h"
#include "app/ui/dialogs/save_plot.h"
#include "app/ui/input/item_registry.h"
#include "app/ui/widgets/format.h"
#include "app/ui/widgets/plot_grid.h"
#include "app/ui/widgets/widgets.h"

namespace convscope::app {

/// As many of the page's plots as are legible, from the one that is chosen on.
void CompareView::plots(Frame& frame, const ViewStyle& style, ImVec2 room) {
    const std::size_t count = result_->plots.size();
    if (count == 0) return;
    // Over each stand its name and its chips.
    ImVec2 min{px(min_panel_width), px(min_panel_height + 50)};
    for (const Plot& each : result_->plots) min.x = std::max(min.x, std::min(room.x, width_for_names(each, style)));
    const float gap = px(16), share = 0.56F;
    PlotGrid grid(count, room, min, gap, share);
    std::size_t& first = first_plot_[result_->lists.set.page.index()];
    if (grid.fits() < count) {
        std::vector<std::string> names;
        for (const Plot& each : result_->plots) names.push_back(each.subtitle.empty() ? each.y.name : each.subtitle);
        first = std::min(first, count - grid.fits());
        const float top = ImGui::GetCursorScreenPos().y;
        if (const int picked = text_tabs("compare/show", names, first, grid.fits()); picked >= 0)
            first = std::min(static_cast<std::size_t>(picked), count - grid.fits());
        room.y -= ImGui::GetCursorScreenPos().y - top;
        grid = PlotGrid(grid.fits(), room, {min.x, 1}, gap, share);
    } else {
        first = 0;
    }
    const ImVec2 at = ImGui::GetCursorScreenPos();
    for (std::size_t i = 0; i < grid.fits(); ++i) {
        ImGui::SetCursorScreenPos({at.x + grid.at(i).x, at.y + grid.at(i).y});
        plot(frame, style, first + i, grid.size(i).x, grid.size(i).y);
    }
}

void CompareView::plot(Frame& frame, const ViewStyle& style, std::size_t index, float width, float height) {
    const Plot& plot = result_->plots[index];
    const ComparePage page = result_->lists.set.page;
    PlotSlot& slot = states_[page.index()][index];
    std::string of = fmt::format("{}|{}|{}|{}", plot.title, plot.x.name, plot.y.name, plot.x.names.size());
    for (const FixedColumn& each : result_->fixed[index])
        if (each.column == "layer") of += "|" + each.value;
    if (slot.of != of) {
        slot.state = PlotState();
        slot.of = of;
    }
    if (!plot.subtitle.empty()) {
        const ImVec2 at = ImGui::GetCursorScreenPos();
        WithFont font(look().fonts->small);
        ImGui::PushStyleColor(ImGuiCol_Text, look().theme->text.u32());
        ImGui::TextUnformatted(in_lines(plot.subtitle, width, 2).c_str());
        ImGui::PopStyleColor();
        tip(plot.subtitle);
        const float line = ImGui::GetItemRectSize().y + px(2);
        ImGui::SetCursorScreenPos({at.x, at.y + line});
        height -= line;
    }
    height -= chips(frame, index, width);
    const PlotResult result = show_plot(
        fmt::format("plot {}", index).c_str(), plot, slot.state, style, selection_.emphasis(),
        [this](PlotRow row) { return describe(row); }, width, height);
    if (ItemRegistry::active)
        ItemRegistry::active->add(fmt::format("compare/plot {}", index),
                                  {static_cast<float>(result.area.x), static_cast<float>(result.area.y)},
                                  {static_cast<float>(result.area.right()), static_cast<float>(result.area.bottom())});
    if (result.brushed) selection_.brush(*result.brushed);
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    const bool inside = mouse.x >= result.x && mouse.x < result.x + result.width && mouse.y >= result.y &&
                        mouse.y < result.y + result.height;
    if (inside || result.clicked != no_row) point(frame, result.hovered, result.clicked);
    shown_plots_.push_back(result);
    std::string file = fmt::format("{}-{}", source_ ? data_->title.substr(0, 60) : "this-run", page->name);
    if (index > 0) file += fmt::format("-{}", index + 1);
    offer_plot(frame.session, frame.dialogs, result, plot, slot.state, selection_.emphasis(),
               {file, [this] { return data_->provenance; }, plot.subtitle.empty() ? plot.y.name : plot.subtitle,
                [this, index] { return describe_fixed(result_->fixed[index]); }, 960, 560});
}

/// The pairs that differ most, in words.
void CompareView::pairs_list(Frame& frame, float height) {
    if (!ImGui::BeginChild("pairs", {0, std::max(px(40), height)})) return ImGui::EndChild();
    const auto words = [&](const ComparedPair& pair) {
        const CompareColumns& c = compare_columns();
        return fmt::format("{:9} {:5.2f}x ({:.2f} to {:.2f})  {:12} {}{}{}  {} -> {}", to_string(pair.verdict),
                           pair.ratio, pair.low, pair.high, data_->text(pair.after, c.method),
                           data_->layer_names[data_->layer[pair.after]], pair.point.empty() ? "" : ", ", pair.point,
                           duration(data_->number(pair.before, c.time)), duration(data_->number(pair.after, c.time)));
    };
    ImGui::PushFont(look().fonts->mono_small);
    ImGuiListClipper clipper;
    clipper.Begin(static_cast<int>(result_->pairs.size()));
    while (clipper.Step())
        for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) {
            const ComparedPair& pair = result_->pairs[static_cast<std::size_t>(i)];
            const Rgba colour = pair.verdict == Verdict::improved ? look().theme->good
                                : pair.verdict == Verdict::worse  ? look().theme->bad
                                                                  : look().theme->text_dim;
            ImGui::PushStyleColor(ImGuiCol_Text, colour.u32());
            ImGui::PushID(i);
            const std::string text = words(pair);
            const bool clicked = ImGui::Selectable(text.c_str(), pair.after == selection_.pinned);
            register_item(fmt::format("compare/pair {}", i).c_str(), {ControlRole::list_item, text});
            tip("Click to load it into the panels");
            ImGui::PopID();
            ImGui::PopStyleColor();
            if (ImGui::IsItemHovered() || clicked)
                point(frame, ImGui::IsItemHovered() ? pair.after : no_row, clicked ? pair.after : no_row);
        }
    ImGui::PopFont();
    ImGui::EndChild();
}

}  // namespace convscope::app
