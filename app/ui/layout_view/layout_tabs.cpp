// The bar above the arrays of the Layout view, and its pages.
#include <fmt/format.h>
#include <imgui.h>

#include "app/ui/input/item_registry.h"
#include "app/ui/layout_view/layout_area.h"
#include "app/ui/widgets/widgets.h"

namespace convscope::app {

/// The line between the lead and the arrays: the switch from one map to the whole layer and the map's selector, unless
/// they fit next to the tabs, and the page's own choices.
void LayoutArea::bars(Frame& frame) {
    ImVec2 bar = ImGui::GetCursorScreenPos();
    float taken = 0;
    const float plays = MultiplicationPlayer::available(frame) ? MultiplicationPlayer::width() : 0;
    if (!switch_fits_) {
        ImGui::SetCursorScreenPos({bar.x, bar.y + px(2)});
        scope_switch(frame);
        taken = switch_width(false) + px(8);
        // In a line of its own where the rest needs all of this one.
        if (taken + plays + LayoutBar::width(frame, !selector_fits_) > ImGui::GetContentRegionMax().x) {
            bar.y += px(26);
            taken = 0;
        }
        ImGui::SetCursorScreenPos(bar);
    }
    if (plays > 0) {
        ImGui::SetCursorScreenPos({bar.x + taken, bar.y + px(1)});
        MultiplicationPlayer::draw(frame);
        taken += plays;
        ImGui::SetCursorScreenPos(bar);
    }
    bar_.draw(frame, selector_fits_ ? nullptr : &selector_, taken);
    // The balance has its controls at the left of the selector, where there is room.
    const bool beside =
        BalancePanel::header_width() + MapSelector::width(frame.session.good.shape) < ImGui::GetContentRegionAvail().x;
    if (frame.session.tab == "balance" && beside) ImGui::SetCursorScreenPos({bar.x, bar.y + px(2)});
}

void LayoutArea::tabs(Frame& frame) {
    const ImVec2 start = ImGui::GetCursorScreenPos();
    ImDrawList& draw = *ImGui::GetWindowDrawList();
    float names = 0;
    for (std::size_t i = 0; i < TabId::count; ++i) names += ImGui::CalcTextSize(TabId::at(i)->name).x + 3 * px(8);
    const float room = ImGui::GetContentRegionAvail().x, closer = static_cast<float>(TabId::count) * 3 * px(4);
    const float pad = names <= room ? px(8) : px(4);
    const bool small = names - closer > room;
    ImGui::BeginGroup();  // however high its lines, what follows begins where it is put
    for (std::size_t i = 0; i < TabId::count; ++i) {
        const TabId tab = TabId::at(i);
        const bool chosen = frame.session.tab == tab;
        const char* name = tab->name;
        WithFont font(small ? look().fonts->small : chosen ? look().fonts->strong : look().fonts->text);
        const ImVec2 size{ImGui::CalcTextSize(name).x + 2 * pad, px(32)};
        const ImVec2 at = ImGui::GetCursorScreenPos();
        if (ImGui::InvisibleButton(name, size)) frame.session.tab = tab;
        const bool hovered = ImGui::IsItemHovered();
        register_item((std::string("tab/") + name).c_str(), {ControlRole::tab, name, {}, chosen});
        tip(fmt::format("Shows {} (Ctrl+{})", name, i + 1));
        const Theme& theme = *look().theme;
        const Rgba colour = chosen || hovered ? theme.text : theme.text_dim;
        draw.AddText({at.x + pad, at.y + (size.y - ImGui::GetTextLineHeight()) / 2}, colour.u32(), name);
        if (chosen)
            draw.AddRectFilled({at.x + pad, at.y + size.y - px(2)}, {at.x + size.x - pad, at.y + size.y},
                               theme.accent.u32());
        ImGui::SameLine(0, pad);
    }
    // The solutions are of the whole batch anyway, the balance is of one map, the formats are of a matrix.
    const TabId shown = frame.session.tab;
    const bool has_switch = shown != "solutions" && shown != "balance" && shown != "formats";
    switch_fits_ = !has_switch || ImGui::GetContentRegionAvail().x > switch_width(false);
    if (has_switch && switch_fits_) {
        const ImVec2 line = ImGui::GetCursorScreenPos();
        ImGui::SetCursorScreenPos({line.x + px(8), line.y + px(4)});
        scope_switch(frame);
    }
    // Next to the switch where there is room, else in the line below.
    const float width = shown == "solutions" || shown == "formats" ? 0 : MapSelector::width(frame.session.good.shape);
    const float right = ImGui::GetWindowPos().x + ImGui::GetContentRegionMax().x - width;
    selector_fits_ = width <= 0 || right > ImGui::GetCursorScreenPos().x;
    if (width > 0 && selector_fits_) {
        ImGui::SetCursorScreenPos({right, start.y + px(4)});
        selector_.draw(frame);
    }
    ImGui::EndGroup();
    ImGui::SetCursorScreenPos({start.x, start.y + px(32)});
    hairline();
}

float LayoutArea::switch_width(bool wide) {
    const char *map = wide ? "one map" : "map", *layer = wide ? "whole layer" : "layer";
    return ImGui::CalcTextSize(map).x + ImGui::CalcTextSize(layer).x + 4 * px(8) + px(2);
}

/// One map or the whole layer: both are always in sight, the chosen one lit.
void LayoutArea::scope_switch(Frame& frame) {
    bool& whole = frame.session.layer.whole;
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {px(8), px(2)});
    const bool wide = switch_fits_ && ImGui::GetContentRegionAvail().x >= switch_width(true);
    if (segment("scope/map", wide ? "one map" : "map", !whole)) whole = false;
    tip("One channel of one image and one filter, as the papers draw them (W)");
    ImGui::SameLine(0, px(2));
    if (segment("scope/layer", wide ? "whole layer" : "layer", whole)) whole = true;
    tip("The arrays of all channels and all images, as the methods hold them (W)");
    ImGui::PopStyleVar();
    ImGui::SameLine(0, px(8));
}

namespace {

/// One explanation for each page, in the order of tab_table.
constexpr Explanation explanations[] = {
    {"ECR: extended and compressed rows (Xu 2019, Algorithm 1)",
     "Each block takes one row of windows (a block row), each thread one window. A thread walks its "
     "window over the map and copies the values that are not zero into F_data, the weights that they "
     "meet into K_data, and their number into Ptr. Multiplying is then a short sum over Ptr products: "
     "the zeros are never touched. Point at a cell to see which window, thread and output it belongs to; "
     "click to keep it lit."},
    {"PECR: pooling packed with ECR (Xu 2019, Algorithm 3)",
     "Convolution, ReLU and max-pooling in one pass. Data holds the non-zero values of every "
     "convolution window that one pooling window needs, Index where in the filter each belongs, Count "
     "how many each window has. The pooled result is the largest of the sums, and the convolution "
     "output never goes to memory."},
    {"MEC and im2col: lowering to a matrix product (Cho & Brand 2017, Figs. 1-2)",
     "im2col copies every window into a row: an input value is stored up to r x s times. MEC "
     "copies only strips of the map, one per output column, into L. A window is then a part of a row of "
     "L, and neighbouring output rows share most of it: partitions P, Q, R... of L overlap. Point at a "
     "value "
     "to see all its copies in both."},
    {"Output: what the layer returns",
     "Every output is the sum of one window times the filter. Point at an output to light up its "
     "window; point at "
     "an input to light up every output that it reaches."},
    {"Solutions A and B: which matrices MEC multiplies (Cho & Brand 2017, Fig. 3)",
     "Both multiply partitions of L by the filters. Solution A takes the whole batch at once: one product "
     "for each output row, with a row of the output for every image; the result lies in the order h, n, w "
     "and is copied into n, h, w, with L as the room for it. Solution B takes each image by itself: "
     "smaller products, one for each image and output row, whose results lie where they belong. The "
     "arrow keys step through the products; Algorithm 2 chooses by the output's width, T and the sizes of O and L."},
    {"Balance: what the zeros do to the threads (Xu 2019, Figs. 2 and 4)",
     "ECR gives each thread the products of its own windows, and Ptr counts them. A warp takes as long as "
     "its busiest thread, so the lanes of the others wait: that share is the imbalance. At the right, how "
     "many zeros the map holds and how many its im2col matrix: values of the middle are copied more often "
     "than those of the edge, and padding adds zeros."},
    {"Formats: one matrix, ten sparse formats",
     "The input, its im2col matrix or the weights, in every format: the arrays that each stores, element by element. "
     "Point at an element to see it in all of them, and what it says in words. The bar under a name is the format's "
     "bytes, the line on it those of the dense matrix. A format saves only where its indices cost less than the zeros "
     "that it leaves out."}};
static_assert(std::size(explanations) == TabId::count);

}  // namespace

Explanation LayoutArea::explain(const Session& session) const {
    return explanations[session.tab.index()];
}

}  // namespace convscope::app
