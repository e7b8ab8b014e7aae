#include "app/ui/widgets/method_list.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "app/compare/method_colours.h"
#include "app/ui/input/item_registry.h"
#include "app/ui/widgets/gallery.h"
#include "app/ui/widgets/method_picture.h"
#include "app/ui/widgets/widgets.h"
#include "visualizers/plots/plot_layout.h"

namespace convscope::app {
namespace {

constexpr float list_width = 520, list_height = 480, cards_height = 420;  ///< at scale 1

/// In the method's colour; a method of another form than those that have pictures is its colour alone.
void draw_picture(const MethodInfo& info, ImDrawList& draw, ImVec2 from, ImVec2 to) {
    const Theme& theme = *look().theme;
    const Rgba colour = method_color(colour_of(info.id), info.vendor, theme);
    const std::vector<std::string> rows = method_picture(info);
    const ImVec2 middle{(from.x + to.x) / 2, (from.y + to.y) / 2};
    if (rows.empty())
        return draw.AddRectFilled({middle.x - px(5), middle.y - px(5)}, {middle.x + px(5), middle.y + px(5)},
                                  colour.u32(), px(2));
    std::size_t longest = 0;
    for (const std::string& row : rows) longest = std::max(longest, row.size());
    const float margin = px(4), cols = static_cast<float>(longest), lines = static_cast<float>(rows.size());
    const float wide = std::min((to.x - from.x - 2 * margin) / cols, px(7));
    const float high = std::min((to.y - from.y - 2 * margin) / lines, px(7)), gap = px(wide > px(3) ? 1 : 0.4F);
    float y = middle.y - high * lines / 2;
    for (const std::string& row : rows) {
        float x = middle.x - wide * cols / 2;
        for (const char cell : row) {
            const Rgba fill = cell == '#'   ? colour
                              : cell == 'o' ? mix(theme.panel, colour, 0.5F)
                              : cell == '.' ? theme.hairline
                                            : theme.raised;
            draw.AddRectFilled({x, y}, {x + wide - gap, y + high - px(1)}, fill.u32());
            x += wide;
        }
        y += high;
    }
}

GalleryCard card_of(const MethodInfo& info, const std::string& prefix, const std::string& reason, bool ticked) {
    GalleryCard card;
    card.item_name = prefix + info.id;
    card.title = info.id;
    card.sentence = reason.empty() ? info.title : reason;
    card.facts = info.paper;
    card.sketch = [&info](ImDrawList& draw, ImVec2 from, ImVec2 to) { draw_picture(info, draw, from, to); };
    card.ticked = ticked;
    card.dim = !reason.empty();
    return card;
}

}  // namespace

std::optional<std::string> method_list(const MethodList& list, const Registry& registry, DeviceKind kind,
                                       std::string& search) {
    ImGui::PushID(list.item_name.c_str());
    const float widest = ImGui::GetIO().DisplaySize.x - px(16), width = std::min(px(list_width), widest);
    ImGui::SetNextWindowSizeConstraints({width, 0}, {width, px(list_height)});
    const bool open = begin_list("##methods", list.item_name.c_str(), "Methods", list.shown, list.width,
                                 ImGuiComboFlags_HeightLargest);
    std::optional<std::string> toggled;
    if (!open) tip(list.meaning);
    if (open) {
        const std::string prefix = list.item_name.substr(0, list.item_name.find('/') + 1);
        const std::string field = list.item_name + " search";
        const bool entered =
            gallery_search({field.c_str(), "search: ecr, tensor cores, Xu 2022", "Search the methods",
                            "Words of a method's name, title or paper; Down goes to the cards, Enter ticks the first"},
                           search, ImGui::IsWindowAppearing());
        std::vector<const Method*> methods = registry.methods(kind);
        if (list.own) methods.insert(methods.begin(), list.own);
        std::erase_if(methods, [&search](const Method* method) {
            const MethodInfo& info = method->info();
            return !matches(info.id + " " + info.family + " " + title_and_paper(info), search);
        });
        std::vector<GalleryCard> cards;
        for (const Method* method : methods) {
            const std::string& id = method->info().id;
            const bool ticked = std::ranges::find(list.ticked, id) != list.ticked.end();
            cards.push_back(card_of(method->info(), prefix, list.why_not(*method), ticked));
        }
        ImGui::BeginChild("cards", {0, px(cards_height)});
        if (cards.empty()) note("No method has all of these words.");
        auto clicked = gallery(cards, false);
        ImGui::EndChild();
        if (entered && !cards.empty()) clicked = GalleryClick{};
        if (clicked) toggled = methods[clicked->card]->info().id;
        ImGui::EndCombo();
    }
    ImGui::PopID();
    return toggled;
}

std::string title_and_paper(const MethodInfo& info) {
    return info.paper.empty() ? info.title : fmt::format("{}: {}, {}", info.title, info.paper, info.follows);
}

}  // namespace convscope::app
