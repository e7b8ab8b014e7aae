#include "app/ui/widgets/gallery.h"

#include <imgui_stdlib.h>

#include <algorithm>
#include <sstream>

#include "app/ui/input/item_registry.h"
#include "app/ui/widgets/widgets.h"
#include "kernels/core/text.h"

namespace convscope::app {
namespace {

constexpr float card_height = 48, sketch_width = 64, sketch_margin = 6;  ///< at scale 1

/// Where the texts begin, at scale 1 from the card's left edge.
constexpr float text_at = sketch_margin + sketch_width + 10;
constexpr float tick_width = 24, tick_side = 14;  ///< left of the picture

float before_sketch(const GalleryCard& card) {
    return card.ticked ? px(tick_width) : 0;
}

/// The card's texts as they fit, and its height.
struct Texts {
    std::string title, sentence;
    float title_height = 0, height = 0;
};

std::size_t lines_in(const std::string& text) {
    return 1 + static_cast<std::size_t>(std::ranges::count(text, '\n'));
}

Texts texts_of(const GalleryCard& card, float width) {
    const Fonts& fonts = *look().fonts;
    const float room = width - px(text_at + sketch_margin) - before_sketch(card);
    Texts texts{card.title, card.sentence};
    if (card.wraps) {
        WithFont small(fonts.small);
        texts.sentence = in_lines(card.sentence, room, 2);
    }
    if (card.wraps && !card.source.empty()) {
        WithFont text(fonts.text);
        texts.title = in_lines(card.title, room, 2);
    }
    texts.title_height = static_cast<float>(lines_in(texts.title) - 1) * fonts.text->FontSize;
    const bool no_sentence = texts.sentence.empty() && !card.source.empty();
    const std::size_t small = lines_in(texts.sentence) - (no_sentence ? 1 : 0) - (card.source.empty() ? 1 : 0);
    texts.height = px(card_height) + texts.title_height + static_cast<float>(small) * fonts.small->FontSize +
                   (card.source.empty() ? 0 : px(6));
    return texts;
}

float draw_lines(ImFont* font, ImVec2 at, float width, const std::string& text, Rgba colour) {
    for (std::size_t from = 0; from <= text.size();) {
        const std::size_t end = std::min(text.find('\n', from), text.size());
        draw_shortened(font, at, width, text.substr(from, end - from), colour);
        at.y += font->FontSize;
        from = end + 1;
    }
    return at.y;
}

/// Where the last line of a card that has a source is.
float source_y(const Texts& texts, ImVec2 at) {
    return at.y + texts.height - look().fonts->small->FontSize - px(7);
}

float choice_width(const GalleryCard::Choice& choice) {
    const ImFont* const small = look().fonts->small;
    return small->CalcTextSizeA(small->FontSize, 1e6F, 0, choice.label.c_str()).x + px(12);
}

float facts_width(const GalleryCard& card) {
    const ImFont* const small = look().fonts->small;
    return card.facts.empty() ? 0 : small->CalcTextSizeA(small->FontSize, 1e6F, 0, card.facts.c_str()).x + px(12);
}

/// The switch, left of the facts. Returns the place that was clicked.
std::optional<std::size_t> draw_choices(const GalleryCard& card, const Texts& texts, ImVec2 at, float width) {
    if (card.choices.size() < 2) return {};
    const Theme& theme = *look().theme;
    ImFont* const small = look().fonts->small;
    float left = at.x + width - px(sketch_margin) - facts_width(card);
    for (const GalleryCard::Choice& choice : card.choices) left -= choice_width(choice);
    const float top = source_y(texts, at) - px(2), height = small->FontSize + px(5);
    std::optional<std::size_t> clicked;
    for (std::size_t i = 0; i < card.choices.size(); ++i) {
        const GalleryCard::Choice& choice = card.choices[i];
        const float wide = choice_width(choice);
        ImGui::SetCursorScreenPos({left, top});
        if (ImGui::InvisibleButton(choice.item_name.c_str(), {wide, height})) clicked = i;
        register_item(choice.item_name.c_str(), {ControlRole::option, choice.label, {}, i == card.chosen});
        tip("The same session as it was recorded on this device");
        const bool lit = i == card.chosen || ImGui::IsItemHovered();
        ImDrawList& draw = *ImGui::GetWindowDrawList();
        if (i == card.chosen) draw.AddRectFilled({left, top}, {left + wide, top + height}, theme.hovered.u32(), px(3));
        draw_shortened(small, {left + px(6), top + px(2)}, wide, choice.label, lit ? theme.text : theme.text_dim);
        left += wide;
    }
    return clicked;
}

void draw_tick(bool ticked, ImVec2 at) {
    const Theme& theme = *look().theme;
    ImDrawList& draw = *ImGui::GetWindowDrawList();
    const ImVec2 to{at.x + px(tick_side), at.y + px(tick_side)};
    draw.AddRectFilled(at, to, (ticked ? theme.accent : theme.raised).u32(), px(3));
    if (!ticked) return draw.AddRect(at, to, theme.text_dim.u32(), px(3));
    const ImVec2 tick[] = {{at.x + px(3), at.y + px(7)}, {at.x + px(6), at.y + px(10)}, {at.x + px(11), at.y + px(4)}};
    draw.AddPolyline(tick, 3, readable_on(theme.accent).u32(), 0, px(2));
}

void draw_card(const GalleryCard& card, const Texts& texts, ImVec2 at, float width) {
    const Theme& theme = *look().theme;
    const Fonts& fonts = *look().fonts;
    const float margin = px(sketch_margin), height = texts.height;
    const ImVec2 from{at.x + margin + before_sketch(card), at.y + margin},
        to{from.x + px(sketch_width), at.y + px(card_height) - margin};
    ImDrawList& draw = *ImGui::GetWindowDrawList();
    draw.AddRectFilled(from, to, theme.panel.u32(), px(3));
    draw.PushClipRect(from, to, true);
    if (card.sketch) card.sketch(draw, from, to);
    draw.PopClipRect();
    if (card.present) draw.AddRectFilled(at, {at.x + px(2), at.y + height}, theme.accent.u32());
    if (card.ticked) draw_tick(*card.ticked, {at.x + margin, at.y + (height - px(tick_side)) / 2});

    const float left = at.x + px(text_at) + before_sketch(card), right = at.x + width - margin,
                facts = facts_width(card);
    const bool facts_above = card.source.empty();
    draw_lines(fonts.text, {left, at.y + px(5)}, right - (facts_above ? facts : 0) - left, texts.title,
               card.dim ? theme.text_dim : theme.text);
    draw_lines(fonts.small, {left, at.y + px(25) + texts.title_height}, right - left, texts.sentence, theme.text_dim);
    const float facts_y = facts_above ? at.y + px(6) : source_y(texts, at);
    draw_shortened(fonts.small, {right - facts + px(12), facts_y}, facts, card.facts, theme.text_dim);
    if (facts_above) return;
    float room = right - facts - left;
    if (card.choices.size() > 1)
        for (const GalleryCard::Choice& choice : card.choices) room -= choice_width(choice);
    draw_shortened(fonts.small, {left, facts_y}, room - px(6), card.source, theme.text_dim);
}

}  // namespace

bool matches(const std::string& text, const std::string& search) {
    std::istringstream words(lower_case(search));
    const std::string where = lower_case(text);
    for (std::string word; words >> word;)
        if (where.find(word) == std::string::npos) return false;
    return true;
}

bool gallery_search(const GallerySearch& search, std::string& words, bool appearing) {
    if (appearing) {
        words.clear();
        ImGui::SetKeyboardFocusHere();
    }
    ImGui::SetNextItemWidth(-1);
    ImGui::PushStyleColor(ImGuiCol_FrameBg, look().theme->hovered.u32());  // the popup has a field's own colour
    const bool entered =
        ImGui::InputTextWithHint("##search", search.hint, &words, ImGuiInputTextFlags_EnterReturnsTrue);
    ImGui::PopStyleColor();
    register_item(search.item_name, {ControlRole::field, search.name, words});
    tip(search.meaning);
    return entered;
}

std::optional<GalleryClick> gallery(const std::vector<GalleryCard>& cards, bool appearing) {
    std::optional<GalleryClick> clicked;
    for (std::size_t i = 0; i < cards.size(); ++i) {
        const GalleryCard& card = cards[i];
        if (!card.group.empty() && (i == 0 || cards[i - 1].group != card.group)) heading(card.group.c_str());
        const ImVec2 at = ImGui::GetCursorScreenPos();
        const float width = ImGui::GetContentRegionAvail().x;
        const Texts texts = texts_of(card, width);
        ImGui::PushID(card.item_name.c_str());
        const int stays = card.ticked ? ImGuiSelectableFlags_DontClosePopups : 0;
        if (ImGui::Selectable("##card", card.present, ImGuiSelectableFlags_AllowItemOverlap | stays, {0, texts.height}))
            clicked = {i};
        ImGui::SetItemAllowOverlap();  // by the switch
        register_item(card.item_name.c_str(), {card.ticked ? ControlRole::check_box : ControlRole::list_item,
                                               card.title,
                                               {},
                                               card.ticked.value_or(card.present)});
        tip(card.source.empty() ? card.sentence
                                : card.title + "\n" + card.sentence);  // which may be shortened in the card
        if (appearing && card.present) ImGui::SetScrollHereY();
        if (ImGui::IsItemVisible()) draw_card(card, texts, at, width);
        const ImVec2 below = ImGui::GetCursorScreenPos();
        if (const auto choice = draw_choices(card, texts, at, width)) clicked = {i, choice};
        ImGui::SetCursorScreenPos(below);
        ImGui::PopID();
    }
    return clicked;
}

}  // namespace convscope::app
