#include "app/ui/layout_view/formula_line.h"

#include <fmt/format.h>
#include <imgui.h>

#include "app/ui/input/item_registry.h"
#include "app/ui/widgets/widgets.h"
#include "visualizers/style/control_hook.h"
#include "visualizers/style/math_view.h"

namespace convscope::app {
namespace {

constexpr float indent = 4;  ///< px at scale 1

MathFonts fonts_of_cards() {
    return {look().fonts->small, look().fonts->script};
}

std::shared_ptr<const MathBox> picture_of(const Formula& formula) {
    return formula_box(formula.math, ImGui::GetContentRegionAvail().x - px(indent), fonts_of_cards(), look().scale,
                       true);
}

/// The term that is pointed at, in its symbol or its number; -1: none.
int pointed_term(const Formula& formula, const MathBox& box, ImVec2 at) {
    int pointed = -1;
    for (std::size_t i = 0; i < box.spots.size(); ++i) {
        const MathSpot& spot = box.spots[i];
        const FormulaTerm& term = formula.terms[static_cast<std::size_t>(spot.term)];
        ImGui::SetCursorScreenPos({at.x + spot.x, at.y + spot.y});
        ImGui::PushID(static_cast<int>(i));
        ImGui::InvisibleButton("term", {std::max(1.0F, spot.width), spot.height});
        register_item(fmt::format("formula/{}/{}", formula.key, term.symbol).c_str(),
                      {ControlRole::image, term.symbol, term.number});
        if (ImGui::IsItemHovered()) pointed = spot.term;
        tip(fmt::format("{} = {}: {}", term.symbol, term.number, term.meaning));
        ImGui::PopID();
    }
    return pointed;
}

}  // namespace

float formula_height(const Formula& formula) {
    return picture_of(formula)->height + ImGui::GetStyle().ItemSpacing.y;
}

void formula_line(Session& session, const Formula& formula) {
    const Theme& theme = *look().theme;
    if (ReaderReport::active)
        ReaderReport::active->text(formula.key, plain_text(formula.math) + "; " + plain_text(formula.math, true));
    const std::shared_ptr<const MathBox> shown = picture_of(formula);
    const MathBox& box = *shown;
    const ImVec2 start = ImGui::GetCursorScreenPos(), at{start.x + px(indent), start.y};
    const float width = ImGui::GetContentRegionAvail().x;
    ImGui::PushID(formula.key.c_str());
    const int pointed = pointed_term(formula, box, at);
    if (pointed >= 0) {
        const FormulaTerm& term = formula.terms[static_cast<std::size_t>(pointed)];
        session.lit = LitTerm{term.symbol, term.parts};
    }
    draw_math(*ImGui::GetWindowDrawList(), at, box, fonts_of_cards(), look().scale, [&](const MathPiece& piece) {
        const bool lit = piece.term >= 0 && piece.term == pointed;
        return (lit ? theme.accent : piece.number ? theme.text : theme.text_dim).u32();
    });
    ImGui::SetCursorScreenPos(start);
    ImGui::Dummy({width, box.height});
    register_rect(("formula/" + formula.key).c_str());
    if (figure_hook) figure_hook(formula.source, start.x, start.y, width, box.height, {});
    ImGui::PopID();
}

}  // namespace convscope::app
