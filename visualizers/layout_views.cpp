#include "visualizers/layout_views.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "visualizers/figure_board.h"
#include "visualizers/layout_pages.h"
#include "visualizers/value_legend.h"

namespace convscope {
namespace {

/// What stands under the figures takes this from the page's height.
float footer_height(const std::string& note, const ViewStyle& style) {
    const float captions = note.empty() ? 2 : 3;
    return style.body()->FontSize + captions * (style.caption()->FontSize + style.px(2)) + style.px(20);
}

/// The plain sentence with the legend at its right, and below it the formula, what is shown, and the hint.
void draw_footer(ImVec2 at, float width, const PageText& text, const std::string& note, const std::string& hint,
                 bool unused_slots, const std::vector<ValueRange>& ranges, const ViewStyle& style) {
    ImDrawList* list = ImGui::GetWindowDrawList();
    list->PushClipRect(at, {at.x + width, at.y + footer_height(note, style)}, true);
    float y = at.y + style.px(14);
    const float sentence = style.body()->CalcTextSizeA(style.body()->FontSize, 1e9f, 0, text.summary.c_str()).x;
    draw_value_legend({at.x + width, y + style.px(1)}, width - sentence - style.px(24), ranges, unused_slots, style);
    auto line = [&](ImFont* font, const std::string& words, const Rgba& color) {
        if (words.empty()) return;
        list->AddText(font, font->FontSize, {at.x, std::round(y)}, color.u32(), words.c_str(), nullptr, width);
        y += font->CalcTextSizeA(font->FontSize, 1e9f, width, words.c_str()).y + style.px(2);
    };
    line(style.body(), text.summary, style.theme->text);
    line(style.caption(), text.formula, style.theme->text_dim);
    line(style.caption(), note, style.theme->text_dim);
    line(style.caption(), hint, style.theme->text_dim);
    list->PopClipRect();
}

}  // namespace

struct LayoutViews::Impl {
    GridRenderer renderer;
    struct Key {
        const Slice* slice = nullptr;
        std::uint64_t generation = 0;
        Format format = Format::ecr;
        ElementRef element;
        std::int64_t threads = 0;
        bool operator==(const Key&) const = default;
    };
    std::optional<Key> key;
    LinkSet links;

    const LinkSet& linked(const LayoutScene& scene, const ElementRef& element, const ThreadMap& map) {
        const Key wanted{&scene.slice(), scene.generation(), scene.format(), element, map.threads_per_block};
        if (key != wanted) {
            links = find_links(scene.format(), scene.slice(), element, map);
            key = wanted;
        }
        return links;
    }

    /// Everything that the views share: place, point, link, draw, pin.
    LayoutViewResult show(const LayoutScene& scene, LayoutViewState& state, const ThreadMap& map,
                          const ViewStyle& style, const LayoutPage& page) {
        LayoutViewResult result;
        const ImVec2 at = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
        const float margin = style.px(8), footer = footer_height(state.note, style);
        const ImVec2 size{room.x - 2 * margin, room.y - footer};
        if (size.x < style.px(120) || size.y < style.px(90)) {
            ImGui::PushTextWrapPos(0);
            ImGui::TextDisabled("Make this view larger to see the arrays.");
            ImGui::PopTextWrapPos();
            return result;
        }
        renderer.show(state.aggregate);
        if (state.pinned && !exists(scene, page, *state.pinned)) state.pinned.reset();
        auto compose = [&](std::int64_t block) {
            FigureBoard board(renderer, state.cameras, style);
            page.compose(board, block);
            board.arrange(page.arrangements, {at.x + margin, at.y}, size);
            return board;
        };
        std::optional<FigureBoard> board(compose(state.block));
        const std::optional<ElementRef> hovered = board->hovered();
        result.pointed = hovered ? hovered : state.pinned;
        const LinkSet* marked = nullptr;
        if (result.pointed) {
            result.links = linked(scene, *result.pointed, map);
            marked = &result.links;
        }
        // An element of another block row shows that row while it is pointed at.
        std::int64_t shown = state.block;
        if (page.has_blocks && result.pointed && result.links.block) shown = *result.links.block;
        if (shown != state.block) board.emplace(compose(shown));
        const bool clicked = board->draw(marked);
        if (clicked && hovered) {
            state.pinned = state.pinned == hovered ? std::nullopt : hovered;
            state.block = shown;
        }
        if (board->picked_block()) {
            state.block = *board->picked_block();
            state.pinned.reset();
        }
        const PageText text = page.text(shown);
        result.summary = text.summary;
        const bool unused_slots = scene.format() == Format::ecr || scene.format() == Format::pecr;
        draw_footer({at.x + margin, at.y + board->bottom()}, size.x, text, state.note,
                    board->scale_note(state.aggregate), unused_slots && page.has_blocks, board->ranges(), style);
        ImGui::Dummy(room);
        return result;
    }

    static bool exists(const LayoutScene& scene, const LayoutPage& page, const ElementRef& element) {
        const LayoutScene* holder = scene.find(element.array) ? &scene : page.second;
        const SceneArray* array = holder ? holder->find(element.array) : nullptr;
        return array && element.cell.row < array->spec.rows && element.cell.col < array->spec.cols;
    }
};

LayoutViews::LayoutViews() : impl_(std::make_unique<Impl>()) {}
LayoutViews::~LayoutViews() = default;

void LayoutViews::begin_frame() {
    impl_->renderer.begin_frame();
}

bool LayoutViews::busy() const {
    return impl_->renderer.building();
}

LayoutViewResult LayoutViews::ecr(const LayoutScene& scene, LayoutViewState& state, const ThreadMap& map,
                                  const ViewStyle& style) {
    state.block = std::clamp<std::int64_t>(state.block, 0, scene.slice().shape().p() - 1);
    return impl_->show(scene, state, map, style, ecr_page(scene, map, style));
}

LayoutViewResult LayoutViews::pecr(const LayoutScene& scene, LayoutViewState& state, const ThreadMap& map,
                                   const ViewStyle& style) {
    state.block = std::clamp<std::int64_t>(state.block, 0, scene.slice().shape().out_h() - 1);
    return impl_->show(scene, state, map, style, pecr_page(scene, map, style));
}

LayoutViewResult LayoutViews::mec(const LayoutScene& mec, const LayoutScene& im2col, LayoutViewState& state,
                                  const ViewStyle& style) {
    return impl_->show(mec, state, {}, style, mec_page(mec, im2col, style));
}

LayoutViewResult LayoutViews::map(const LayoutScene& scene, ArrayId array, LayoutViewState& state, const ThreadMap& map,
                                  const ViewStyle& style) {
    return impl_->show(scene, state, map, style, map_page(scene, array));
}

}  // namespace convscope
