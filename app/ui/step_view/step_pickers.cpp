#include "app/ui/step_view/step_pickers.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>

#include "app/ui/input/focus.h"
#include "app/ui/input/item_registry.h"
#include "app/ui/input/keys.h"
#include "app/ui/widgets/widgets.h"
#include "visualizers/step/cell_map.h"
#include "visualizers/step/step_description.h"

namespace convscope::app {
namespace {

constexpr float caption_height = 19, squares_height = 32, min_square = 3, max_square = 28;
constexpr std::int64_t max_logged = 64;

/// A box of squares to pick one from.
struct Squares {
    std::string caption, what;  ///< "grid 3x1x1"; "block", for the item registry
    std::int64_t cols = 1, count = 1, chosen = 0;
    std::function<Rgba(std::int64_t)> colour;
    std::function<std::string(std::int64_t)> label;  ///< in a square that has room for it
    std::function<std::string(std::int64_t)> name;
};

Dim3 index_of(std::int64_t linear, const Dim3& extent) {
    return {linear % extent.x, linear / extent.x % extent.y, linear / extent.x / extent.y};
}

std::int64_t linear_of(const Dim3& index, const Dim3& extent) {
    return (index.z * extent.y + index.y) * extent.x + index.x;
}

void register_squares(const char* prefix, const Squares& squares, const CellMap& map, ImVec2 at) {
    if (!ItemRegistry::active) return;
    for (std::int64_t i = map.first; i < map.first + std::min(map.shown, max_logged); ++i) {
        const CellMap::Rect rect = map.rect(i);
        ItemRegistry::active->add(fmt::format("{}/{} {}", prefix, squares.what, i), {at.x + rect.x, at.y + rect.y},
                                  {at.x + rect.x + rect.size, at.y + rect.y + rect.size});
    }
}

/// The arrows choose another square while the ring is round them.
std::optional<std::int64_t> step_by_keys(const Squares& squares) {
    focus_order().keep_arrows();
    if (!focus_order().is_last_item()) return std::nullopt;
    const std::int64_t by = pressed(Key::right, true) - pressed(Key::left, true) +
                            squares.cols * (pressed(Key::down, true) - pressed(Key::up, true));
    const std::int64_t next = squares.chosen + by;
    return by != 0 && next >= 0 && next < squares.count ? std::optional(next) : std::nullopt;
}

std::optional<std::int64_t> pick(const char* prefix, ImVec2 size, const Squares& squares) {
    const Theme& theme = *look().theme;
    const ImVec2 start = ImGui::GetCursorScreenPos();
    WithFont font(look().fonts->small);
    draw_shortened(ImGui::GetFont(), start, size.x, squares.caption, theme.text_dim);
    const ImVec2 at{start.x, start.y + px(caption_height)};
    const CellMap map = fit_cells(size.x, px(squares_height), squares.cols, squares.count, squares.chosen,
                                  px(min_square), px(max_square));
    ImDrawList& draw = *ImGui::GetWindowDrawList();
    const float round = map.side >= px(8) ? px(2) : 0;
    for (std::int64_t i = map.first; i < map.first + map.shown; ++i) {
        const CellMap::Rect rect = map.rect(i);
        const ImVec2 from{at.x + rect.x, at.y + rect.y}, to{from.x + rect.size, from.y + rect.size};
        const Rgba colour = i == squares.chosen ? theme.accent : squares.colour(i);
        draw.AddRectFilled(from, to, colour.u32(), round);
        const std::string label = squares.label(i);
        const ImVec2 text = ImGui::CalcTextSize(label.c_str());
        if (text.x + px(4) > rect.size) continue;
        draw.AddText({std::round((from.x + to.x - text.x) / 2), std::round((from.y + to.y - text.y) / 2)},
                     readable_on(colour).u32(), label.c_str());
    }
    ImGui::SetCursorScreenPos(at);
    const std::string id = fmt::format("{}/{}s", prefix, squares.what);
    const bool clicked =
        ImGui::InvisibleButton(id.c_str(), {std::max(1.0F, map.width()), std::max(1.0F, map.height())});
    register_item(id.c_str(), {ControlRole::image, squares.what, std::to_string(squares.chosen)});
    if (const auto stepped = step_by_keys(squares)) return stepped;
    register_squares(prefix, squares, map, at);
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    const std::optional<std::int64_t> pointed = map.at(mouse.x - at.x, mouse.y - at.y);
    if (pointed && ImGui::IsItemHovered())
        tip(squares.name(*pointed) + ": click to look into it");
    else
        focus_order().explain(fmt::format("Which {} is looked into: the arrows choose another", squares.what));
    return clicked ? pointed : std::nullopt;
}

}  // namespace

float pickers_height() {
    return px(caption_height + squares_height + 4);
}

std::optional<Dim3> pick_block(const char* prefix, ImVec2 size, const KernelLaunch& launch, const Dim3& chosen) {
    const Dim3& grid = launch.grid;
    Squares squares;
    squares.caption = fmt::format("grid {}: block {}", to_string(grid), block_name(chosen, grid));
    squares.what = "block";
    squares.cols = grid.x;
    squares.count = grid.count();
    squares.chosen = linear_of(chosen, grid);
    squares.colour = [](std::int64_t) { return mix(look().theme->raised, look().theme->text_dim, 0.35F); };
    squares.label = [&](std::int64_t i) { return block_name(index_of(i, grid), grid); };
    squares.name = [&](std::int64_t i) { return "block " + block_name(index_of(i, grid), grid); };
    const std::optional<std::int64_t> picked = pick(prefix, size, squares);
    return picked ? std::optional(index_of(*picked, grid)) : std::nullopt;
}

std::optional<unsigned> pick_thread(const char* prefix, ImVec2 size, const TracedBlock& trace, unsigned chosen) {
    Squares squares;
    squares.caption = fmt::format("block {}: thread {}", to_string(trace.launch().block), thread_name(chosen));
    squares.what = "thread";
    squares.cols = 32;  // a row for each warp
    squares.count = trace.launch().block.count();
    squares.chosen = chosen;
    squares.colour = [&](std::int64_t i) {
        const Theme& theme = *look().theme;
        return trace.takes_part(static_cast<unsigned>(i)) ? theme.category(i) : theme.raised;
    };
    squares.label = [](std::int64_t i) { return thread_name(static_cast<unsigned>(i)); };
    squares.name = [&](std::int64_t i) {
        const simt::Index3 at = trace.trace().thread_index(static_cast<unsigned>(i));
        return fmt::format("{}, thread ({},{},{}) of warp {}", thread_name(static_cast<unsigned>(i)), at.x, at.y, at.z,
                           i / 32);
    };
    const std::optional<std::int64_t> picked = pick(prefix, size, squares);
    return picked ? std::optional(static_cast<unsigned>(*picked)) : std::nullopt;
}

}  // namespace convscope::app
