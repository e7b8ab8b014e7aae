#include "visualizers/layouts/layout_views.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "visualizers/explain/links_across.h"
#include "visualizers/grid/value_legend.h"
#include "visualizers/layouts/figure_board.h"
#include "visualizers/layouts/layout_pages.h"
#include "visualizers/style/math_view.h"

namespace convscope {
namespace {

constexpr float narrow_px = 520;  ///< where a caption takes two lines
constexpr float longest_frame_s =
    0.1f;                      ///< what is shown in steps goes no further in a frame: the one before may be old
constexpr float low_px = 300;  ///< where the last caption, a hint, has no line of its own

constexpr const char* concealed_words = "What is said here is hidden in this step.";

/// The height that the footer takes from the page.
float footer_height(const PageText& text, const std::string& note, ImVec2 page, const ViewStyle& style) {
    const float more = page.x < style.px(narrow_px) ? 2 : 0, hint = page.y < style.px(low_px) ? 0 : 1;
    const float captions = 1.0f + (text.more.empty() ? 0 : 1) + (note.empty() ? 0 : 1) + hint + more;
    return captions * (style.caption()->FontSize + style.px(2)) + style.px(20);
}

/// The first line that leaves the legend room; 'count' lines have a place. Where none does the last one gives way.
std::size_t legend_line(const std::vector<std::string>& lines, std::size_t count, float enough, float width,
                        const ViewStyle& style) {
    for (std::size_t i = 0; i + 1 < count; ++i) {
        const float taken = i < lines.size() ? words_size(style.caption(), lines[i], 1e9f, style).x : 0;
        if (width - taken >= enough) return i;
    }
    return count - 1;
}

/// The formula, what else there is to say, what is shown, and the hint; the legend at the right of one of them.
void draw_footer(ImVec2 at, float width, float bottom, const PageText& text, const std::string& note,
                 const std::string& hint, const ArrayColours& colours, const ViewStyle& style) {
    std::vector<std::string> lines = {text.more, text.formula, note, hint};
    std::erase_if(lines, [](const std::string& line) { return line.empty(); });
    ImFont* const font = style.caption();
    const float size = font->FontSize, step = size + style.px(2);
    float y = at.y + style.px(14);
    const float most = 2.0f + (text.more.empty() ? 0 : 1) + (note.empty() ? 0 : 1);
    const auto places = static_cast<std::size_t>(std::clamp((bottom - y) / step, 1.0f, most));
    const float legend = style.px(value_legend_px);
    const std::size_t with_legend = legend_line(lines, places, legend, width, style);
    for (std::size_t i = 0; i < std::max(lines.size(), with_legend + 1); ++i) {
        float taken = i < lines.size() ? words_size(font, lines[i], 1e9f, style).x : 0;
        const bool gives_way = i > 0 && i == with_legend && width - taken < legend;
        const float room = gives_way ? std::max(0.0f, width - legend) : width;
        if (gives_way) taken = room;
        if (i == with_legend)
            draw_value_legend({at.x + width, y + style.px(1)}, width - taken - style.px(24), colours, style);
        if (i >= lines.size()) break;
        // Lines that have no room are left out, and of those that have too little the end: none is cut across.
        const float height = words_size(font, lines[i], room, style).y;
        const float rest = static_cast<float>(lines.size() - i - 1) * step;
        if (!gives_way && y + height + rest <= bottom) {
            draw_words(font, {at.x, y}, room, lines[i], style.theme->text_dim, style);
            y += height + style.px(2);
        } else if (y + size <= bottom) {
            draw_shortened_words(font, {at.x, std::round(y)}, room, lines[i], style.theme->text_dim, style);
            y += step;
        }
    }
}

/// In front of an audience: what is pointed at alone, in one line.
float caption_height(const ViewStyle& style) {
    return style.caption()->FontSize + style.px(8);
}

void draw_presented(ImVec2 at, float width, const std::string& sentence, const ViewStyle& style) {
    const float left = std::max(0.0f, (width - words_size(style.caption(), sentence, 1e9f, style).x) / 2);
    draw_shortened_words(style.caption(), {std::round(at.x + left), std::round(at.y + style.px(4))}, width, sentence,
                         style.theme->text, style);
}

}  // namespace

struct LayoutViews::Impl {
    GridRenderer renderer;
    CompanionScene companion;
    const LitTerm* lit = nullptr;
    std::vector<ArrayId> concealed;
    bool words_concealed = false;
    FigureGlide glide;
    bool animate = false;
    ImVec2 display{0, 0};                        ///< of the frame before
    std::optional<MultiplicationCourse> course;  ///< of this frame; unset: none is shown
    bool moves = true;                           ///< motion is not reduced
    bool multiplying = false;                    ///< something of it moves in this frame

    /// A window or an edge that is dragged takes the arrays along.
    void begin_frame(bool animated) {
        const ImGuiIO& io = ImGui::GetIO();
        animate = animated && !ImGui::IsMouseDown(0) && display.x == io.DisplaySize.x && display.y == io.DisplaySize.y;
        display = io.DisplaySize;
        glide.advance(io.DeltaTime);
        moves = animated;
        course.reset();
        multiplying = false;
        latest.seconds += std::min(io.DeltaTime, longest_frame_s);
    }

    /// The inputs of the last links, so that a still pointer costs nothing.
    struct Key {
        const MapValues* map_values = nullptr;
        std::uint64_t generation = 0;
        Format from = Format::ecr, to = Format::ecr;
        ElementRef element;
        std::optional<LinkGroup> group;
        std::int64_t threads = 0;
        bool operator==(const Key&) const = default;
    };
    struct Kept {
        std::optional<Key> key;
        LinkSet links;
    };
    Kept own, across;

    /// The multiplication on screen, made once for each element.
    struct Shown {
        std::optional<Key> key;
        Multiplication multiplication;
        std::optional<MultiplyWindow> before;  ///< of the one that was shown before it, on the same map
        double seconds = 0;                    ///< since it is shown
    };
    Shown latest;

    /// Makes it where it is another than in the frame before, which begins its course again.
    const Multiplication& multiplication(const LayoutScene& scene, const ElementRef& y) {
        const Key key{&scene.map_values(), scene.generation(), scene.format(), scene.format(), y, {}, 0};
        if (latest.key == key) return latest.multiplication;
        const bool same_map =
            latest.key && latest.key->map_values == key.map_values && latest.key->generation == key.generation;
        const bool only_data =
            latest.key && latest.key->map_values == key.map_values && latest.key->element == key.element;
        if (!same_map)
            latest.before.reset();
        else if (!latest.multiplication.windows.empty())
            latest.before = latest.multiplication.windows.back();
        if (!only_data) latest.seconds = 0;
        latest.multiplication = multiplication_of(scene.format(), scene.map_values(), y.cell);
        latest.key = key;
        return latest.multiplication;
    }

    MultiplyMoment moment(const Multiplication& m) {
        if (course->held) latest.seconds = *course->held;
        if (!moves) return multiply_at_rest(m.windows.size());
        const MultiplyMoment now = multiply_moment(latest.seconds, m.windows.size(), m.pools());
        multiplying = !now.rests && !course->held;
        return now;
    }

    template <class Find>
    static const LinkSet& kept(Kept& kept, const Key& wanted, Find find) {
        if (kept.key != wanted) {
            kept.links = find();
            kept.key = wanted;
        }
        return kept.links;
    }

    /// The user's target: an element, else a name, else the pinned one.
    struct PointedTarget {
        std::optional<ElementRef> element;
        std::optional<LinkGroup> group;
        bool companion = false;
        bool nothing() const { return !element && !group; }
    };
    static PointedTarget pointed(const FigureBoard& board) {
        PointedTarget meant;
        if (const auto point = board.pointed()) {
            meant.element = board.hovered();
            meant.companion = board.is_companion(point->figure);
            return meant;
        }
        meant.group = board.pointed_group(meant.companion);
        return meant;
    }
    PointedTarget meant(const PointedTarget& pointed, const LayoutViewState& state) const {
        const bool played = course && course->y;
        if (!pointed.nothing() && !(played && course->plays)) return pointed;
        if (played) return {ElementRef{ArrayId::y, *course->y}, {}, false};
        PointedTarget meant{state.pinned, {}, state.pinned_companion};
        if (!meant.element) meant.group = state.pinned_group;
        return meant;
    }

    /// Fills in the links of what is meant, in its own layout and in the other.
    void find(const LayoutScene& scene, const ThreadMap& map, const PointedTarget& meant, LayoutViewResult& result) {
        result.pointed = meant.element;
        result.pointed_companion = meant.companion;
        result.group = meant.group;
        if (meant.nothing()) return;
        const LayoutScene& home = meant.companion ? *companion.scene : scene;
        const ThreadMap& threads = meant.companion ? companion.threads : map;
        const ElementRef element = meant.element.value_or(ElementRef{});
        const Key key{&home.map_values(), home.generation(),        home.format(), home.format(), element,
                      meant.group,        threads.threads_per_block};
        result.links = kept(own, key, [&] {
            return meant.group ? links_of_group(home.format(), home.map_values(), *meant.group, threads)
                               : find_links(home.format(), home.map_values(), element, threads);
        });
        if (!companion.scene || !meant.element) return;
        const LayoutScene& other = meant.companion ? scene : *companion.scene;
        const ThreadMap& others = meant.companion ? map : companion.threads;
        const Key across_key{&other.map_values(),     other.generation(), home.format(), other.format(), element, {},
                             others.threads_per_block};
        result.across = kept(across, across_key, [&] {
            return find_links_across(home.format(), other.format(), home.map_values(), element, others);
        });
    }

    /// A thread, window or partition has the same x and y in every layout whose rows of y are not pooled.
    bool is_common(const PointedTarget& what, const LayoutScene& scene) const {
        return what.group && companion.scene && scene.format() != Format::pecr &&
               companion.scene->format() != Format::pecr;
    }

    /// The block row of the second layout that goes with one of the first, where neither is linked with anything.
    std::int64_t companion_block(const LayoutScene& scene, std::int64_t block) const {
        const ConvShape& s = scene.map_values().shape();
        if (companion.scene->format() == Format::pecr)
            return scene.format() == Format::ecr ? std::min(block / s.pool_stride, s.out_h() - 1) : 0;
        return scene.format() == Format::pecr ? block * s.pool_stride : 0;
    }

    /// Everything that the views share: place, point, link, draw, pin.
    LayoutViewResult show(const LayoutScene& scene, LayoutViewState& state, const ThreadMap& map,
                          const ViewStyle& style, const LayoutPage& page, bool takes_companion = true) {
        LayoutViewResult result;
        const ImVec2 at = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
        const float margin = style.px(8);
        const float footer =
            style.presented ? caption_height(style)
                            : footer_height(page.text(state.block), state.note, {room.x - 2 * margin, room.y}, style);
        const ImVec2 size{room.x - 2 * margin, room.y - footer};
        if (size.x < style.px(120) || size.y < style.px(90)) {
            ImGui::PushTextWrapPos(0);
            ImGui::TextDisabled("Make this view larger to see the arrays.");
            ImGui::PopTextWrapPos();
            return result;
        }
        const CompanionScene wanted = companion;
        if (!takes_companion || (companion.scene && companion.scene->empty())) companion = {};
        std::optional<CompanionPage> second;
        if (companion.scene) second = companion_page(*companion.scene, companion.threads, style);
        renderer.show(state.aggregate);
        settle_pins(scene, page, map, state);
        const float top = second ? style.px(8) : 0;  // for the frame round the second layout
        auto compose = [&](std::int64_t block, std::int64_t block_companion) {
            FigureBoard board(renderer, state.cameras, style);
            page.compose(board, block);
            if (second) {
                board.begin_companion(state.companion_cameras);
                second->compose(board, block_companion);
            }
            board.conceal(concealed, block);
            board.arrange(second ? with_companion(page, *second) : page.arrangements, {at.x + margin, at.y + top},
                          {size.x, size.y - top});
            board.glide(glide, !animate);
            return board;
        };
        std::int64_t shown = state.block, shown_companion = second ? companion_block(scene, shown) : 0;
        std::optional<FigureBoard> board(compose(shown, shown_companion));
        const PointedTarget user = pointed(*board), what = meant(user, state);
        find(scene, map, what, result);
        const LinkSet& first = what.companion && !is_common(what, scene) ? result.across : result.links;
        const LinkSet& other = what.companion || is_common(what, scene) ? result.links : result.across;
        // An element of another block row shows that row while it is pointed at.
        if (page.has_blocks && first.block) shown = *first.block;
        if (second) shown_companion = other.block ? *other.block : companion_block(scene, shown);
        const bool partition = what.group && what.group->kind == LinkGroup::Kind::partition && !page.has_blocks;
        if (partition) shown = what.group->index;
        const bool multiplies = course && concealed.empty() && !words_concealed && what.element && !what.companion &&
                                what.element->array == ArrayId::y && board->shows_multiplication();
        const Multiplication* const m = multiplies ? &multiplication(scene, *what.element) : nullptr;
        if (m && page.second) shown = m->y.row;
        if (shown != state.block || (second && shown_companion != companion_block(scene, state.block)))
            board.emplace(compose(shown, shown_companion));
        const std::optional<MultiplyMoment> now = m ? std::optional(moment(*m)) : std::nullopt;
        if (now && now->slide < 1 && m->windows.size() == 1) board->leave_out_window();
        const bool clicked =
            board->draw(what.nothing() ? nullptr : &first, what.nothing() ? nullptr : &other, what.companion);
        if (m) {
            board->multiply(*m, *now, latest.before);
            result.multiplication =
                ShownMultiplication{m->y, latest.seconds, multiply_seconds(m->windows.size(), m->pools())};
        } else {
            latest.key.reset();
        }
        if (lit) board->light(*lit);
        pin(*board, user, clicked, shown, page.has_blocks, state);
        // In front of an audience the largest type says nothing where there is nothing to say.
        const Lead concealed_lead = style.presented ? Lead{} : Lead{concealed_words, {}, {}};
        const PageText text = words_concealed ? PageText{concealed_lead, {}} : page.text(shown);
        if (words_concealed) result.links.sentence = result.across.sentence = {};
        result.lead =
            m ? lead_of(*m, page.has_blocks ? result.links.block : std::nullopt, result.links.thread) : text.lead;
        if (style.presented) {
            draw_presented({at.x + margin, at.y + room.y - footer}, size.x, result.links.sentence, style);
            companion = wanted;
            return result;
        }
        const bool unused_slots = scene.format() == Format::ecr || scene.format() == Format::pecr;
        draw_footer({at.x + margin, at.y + top + board->bottom()}, size.x, at.y + room.y, text, state.note,
                    board->scale_note(state.aggregate), {board->ranges(), unused_slots && page.has_blocks}, style);
        ImGui::Dummy(room);
        companion = wanted;
        return result;
    }

    /// A click pins an element or a name; another one unpins it.
    static void pin(const FigureBoard& board, const PointedTarget& what, bool clicked, std::int64_t shown,
                    bool has_blocks, LayoutViewState& state) {
        if (clicked && what.element) {
            const bool same = state.pinned == what.element && state.pinned_companion == what.companion;
            state.pinned = same ? std::nullopt : what.element;
            state.pinned_companion = !same && what.companion;
            state.pinned_group.reset();
            if (has_blocks) state.block = shown;
        }
        bool in_companion = false;
        const auto named = board.pointed_group(in_companion);
        if (named && !in_companion && ImGui::IsMouseClicked(0)) {
            state.pinned_group = state.pinned_group == named ? std::nullopt : named;
            state.pinned.reset();
            if (has_blocks) state.block = shown;
        }
        if (board.picked_block()) {
            const bool badge = named && !in_companion && named->kind == LinkGroup::Kind::block_row;
            state.block = badge ? named->index : *board.picked_block();
            state.pinned.reset();
            // The gutter takes the block row apart that begins there; a badge in it its own, and keeps what it lights.
            if (!named) state.pinned_group.reset();
        }
    }

    static bool holds(const LayoutScene* scene, const ElementRef& element) {
        const SceneArray* array = scene ? scene->find(element.array) : nullptr;
        return array && element.cell.row < array->spec.rows && element.cell.col < array->spec.cols;
    }

    /// Drops a pinned target that no longer exists: it was of the second layout, or of a larger map.
    void settle_pins(const LayoutScene& scene, const LayoutPage& page, const ThreadMap& map, LayoutViewState& state) {
        if (course && course->y && !holds(&scene, {ArrayId::y, *course->y})) course->y.reset();
        if (state.pinned_group && !has_group(scene.format(), scene.map_values().shape(), *state.pinned_group, map))
            state.pinned_group.reset();
        if (!state.pinned) {
            state.pinned_companion = false;
            return;
        }
        const bool here = holds(&scene, *state.pinned) || holds(page.second, *state.pinned);
        const bool there = holds(companion.scene, *state.pinned);
        if (!there) state.pinned_companion = false;
        if (there && !here) state.pinned_companion = true;
        if (!here && !there) state.pinned.reset();
    }
};

LayoutViews::LayoutViews() : impl_(std::make_unique<Impl>()) {}
LayoutViews::~LayoutViews() = default;

void LayoutViews::begin_frame(bool animate) {
    impl_->renderer.begin_frame();
    impl_->begin_frame(animate);
}

void LayoutViews::accompany(CompanionScene companion, const LitTerm* lit) {
    impl_->companion = companion;
    impl_->lit = lit;
}

bool LayoutViews::busy() const {
    return impl_->renderer.building() || impl_->glide.moving() || impl_->multiplying;
}

void LayoutViews::multiply(const MultiplicationCourse& course) {
    impl_->course = course;
}

void LayoutViews::conceal(std::vector<ArrayId> arrays, bool words) {
    impl_->concealed = std::move(arrays);
    impl_->words_concealed = words;
}

LayoutViewResult LayoutViews::ecr(const LayoutScene& scene, LayoutViewState& state, const ThreadMap& map,
                                  const ViewStyle& style) {
    state.block = std::clamp<std::int64_t>(state.block, 0, scene.map_values().shape().p() - 1);
    return impl_->show(scene, state, map, style, ecr_page(scene, map, style));
}

LayoutViewResult LayoutViews::pecr(const LayoutScene& scene, LayoutViewState& state, const ThreadMap& map,
                                   const ViewStyle& style) {
    state.block = std::clamp<std::int64_t>(state.block, 0, scene.map_values().shape().out_h() - 1);
    return impl_->show(scene, state, map, style, pecr_page(scene, map, style));
}

LayoutViewResult LayoutViews::mec(const LayoutScene& mec, const LayoutScene& im2col, LayoutViewState& state,
                                  const ViewStyle& style) {
    const std::int64_t partitions = mec.map_values().shape().p();
    // The partition whose overlap is shown.
    const bool pinned = state.pinned_group && state.pinned_group->kind == LinkGroup::Kind::partition;
    state.block = pinned ? std::clamp<std::int64_t>(state.pinned_group->index, 0, partitions - 1) : 0;
    return impl_->show(mec, state, {}, style, mec_page(mec, im2col, style));
}

LayoutViewResult LayoutViews::output(const LayoutScene& scene, LayoutViewState& state, const ViewStyle& style) {
    return impl_->show(scene, state, {}, style, output_page(scene, style), false);
}

LayoutViewResult LayoutViews::map(const LayoutScene& scene, ArrayId array, LayoutViewState& state, const ThreadMap& map,
                                  const ViewStyle& style) {
    return impl_->show(scene, state, map, style, map_page(scene, array), false);
}

}  // namespace convscope
