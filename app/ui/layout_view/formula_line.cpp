#include "app/ui/layout_view/formula_line.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <vector>

#include "app/ui/input/item_log.h"
#include "app/ui/widgets/widgets.h"

namespace convscope::app {
namespace {

float width_of(const FormulaTerm& term) {
    const float symbol = ImGui::CalcTextSize(term.symbol.c_str()).x,
                number = ImGui::CalcTextSize(term.number.c_str()).x;
    return std::max(symbol, number);
}

float gap() {
    return px(3);
}

/// From a term to the next place where a line may break.
float width_of_run(const Formula& formula, std::size_t first) {
    float width = 0;
    for (std::size_t i = first; i < formula.terms.size() && (i == first || !formula.terms[i].may_break); ++i)
        width += width_of(formula.terms[i]) + gap();
    return width - gap();
}

/// Where each term stands, from the top left corner; at least one.
std::vector<ImVec2> places(const Formula& formula, float width) {
    const float indent = px(8), below = 2 * ImGui::GetTextLineHeight() + px(3);
    ImVec2 at{indent, 0};
    std::vector<ImVec2> all;
    for (std::size_t i = 0; i < formula.terms.size(); ++i) {
        if (formula.terms[i].may_break && at.x + width_of_run(formula, i) > width) at = {indent, at.y + below};
        all.push_back(at);
        at.x += width_of(formula.terms[i]) + gap();
    }
    return all;
}

void draw_term(Session& session, const Formula& formula, std::size_t i, ImVec2 at, float line) {
    const FormulaTerm& term = formula.terms[i];
    const Theme& theme = *look().theme;
    ImDrawList& draw = *ImGui::GetWindowDrawList();
    const float width = width_of(term);
    bool hovered = false;
    if (!term.meaning.empty()) {
        ImGui::SetCursorScreenPos(at);
        ImGui::PushID(static_cast<int>(i));
        ImGui::InvisibleButton("term", {width, 2 * line});
        log_item(fmt::format("formula/{}/{}", formula.key, term.symbol).c_str());
        hovered = ImGui::IsItemHovered();
        tip(fmt::format("{} = {}: {}", term.symbol, term.number, term.meaning));
        ImGui::PopID();
    }
    if (hovered) session.extras.lit = LitTerm{term.symbol, term.parts};
    const auto print = [&](const std::string& text, float y, const Rgba& colour) {
        draw.AddText({at.x + (width - ImGui::CalcTextSize(text.c_str()).x) / 2, at.y + y}, colour.u32(), text.c_str());
    };
    print(term.symbol, 0, hovered ? theme.accent : theme.text_dim);
    print(term.number, line, hovered ? theme.accent : term.meaning.empty() ? theme.text_dim : theme.text);
}

}  // namespace

float formula_height(const Formula& formula) {
    WithFont font(look().fonts->mono_small);
    return places(formula, ImGui::GetContentRegionAvail().x).back().y + 2 * ImGui::GetTextLineHeight() +
           ImGui::GetStyle().ItemSpacing.y;
}

void formula_line(Session& session, const Formula& formula) {
    WithFont font(look().fonts->mono_small);
    ImGui::PushID(formula.key.c_str());
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x, line = ImGui::GetTextLineHeight();
    const std::vector<ImVec2> at = places(formula, width);
    for (std::size_t i = 0; i < formula.terms.size(); ++i)
        draw_term(session, formula, i, {start.x + at[i].x, start.y + at[i].y}, line);
    ImGui::SetCursorScreenPos(start);
    ImGui::Dummy({width, at.back().y + 2 * line});
    log_item(("formula/" + formula.key).c_str());
    ImGui::PopID();
}

}  // namespace convscope::app
