#include "app/ui/widgets/gallery.h"

#include <algorithm>

#include "app/ui/input/item_registry.h"
#include "app/ui/widgets/widgets.h"

namespace convscope::app {
namespace {

constexpr float card_height = 48, sketch_width = 64, sketch_margin = 6;  ///< at scale 1

/// Where the texts begin, at scale 1 from the card's left edge.
constexpr float text_at = sketch_margin + sketch_width + 10;

/// In one line, or in the two that it needs.
std::string sentence_of(const GalleryCard& card, float width) {
    WithFont font(look().fonts->small);
    return card.wraps ? in_lines(card.sentence, width - px(text_at + sketch_margin), 2) : card.sentence;
}

void draw_card(const GalleryCard& card, const std::string& sentence, ImVec2 at, float width) {
    const Theme& theme = *look().theme;
    const Fonts& fonts = *look().fonts;
    const float margin = px(sketch_margin), height = px(card_height);
    const ImVec2 from{at.x + margin, at.y + margin}, to{from.x + px(sketch_width), at.y + height - margin};
    ImDrawList& draw = *ImGui::GetWindowDrawList();
    draw.AddRectFilled(from, to, theme.panel.u32(), px(3));
    draw.PushClipRect(from, to, true);
    if (card.sketch) card.sketch(draw, from, to);
    draw.PopClipRect();
    if (card.present) draw.AddRectFilled(at, {at.x + px(2), at.y + height}, theme.accent.u32());

    const float left = at.x + px(text_at), right = at.x + width - margin;
    const float facts = fonts.small->CalcTextSizeA(fonts.small->FontSize, 1e6F, 0, card.facts.c_str()).x +
                        (card.facts.empty() ? 0 : px(12));
    draw_shortened(fonts.text, {left, at.y + px(5)}, right - facts - left, card.title, theme.text);
    draw_shortened(fonts.small, {right - facts + px(12), at.y + px(6)}, facts, card.facts, theme.text_dim);
    const std::size_t end = sentence.find('\n');
    draw_shortened(fonts.small, {left, at.y + px(25)}, right - left, sentence.substr(0, end), theme.text_dim);
    if (end == std::string::npos) return;
    draw_shortened(fonts.small, {left, at.y + px(25) + fonts.small->FontSize}, right - left, sentence.substr(end + 1),
                   theme.text_dim);
}

}  // namespace

std::optional<std::size_t> gallery(const std::vector<GalleryCard>& cards, bool appearing) {
    std::optional<std::size_t> clicked;
    for (std::size_t i = 0; i < cards.size(); ++i) {
        const GalleryCard& card = cards[i];
        if (!card.group.empty() && (i == 0 || cards[i - 1].group != card.group)) heading(card.group.c_str());
        const ImVec2 at = ImGui::GetCursorScreenPos();
        const float width = ImGui::GetContentRegionAvail().x;
        ImGui::PushID(card.item_name.c_str());
        const std::string sentence = sentence_of(card, width);
        const float second = sentence.find('\n') == std::string::npos ? 0 : look().fonts->small->FontSize;
        if (ImGui::Selectable("##card", card.present, 0, {0, px(card_height) + second})) clicked = i;
        ImGui::PopID();
        register_item(card.item_name.c_str(), {ControlRole::list_item, card.title, {}, card.present});
        tip(card.sentence);  // which is shortened in the card
        if (appearing && card.present) ImGui::SetScrollHereY();
        if (ImGui::IsItemVisible()) draw_card(card, sentence, at, width);
    }
    return clicked;
}

}  // namespace convscope::app
