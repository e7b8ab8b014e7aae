#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "visualizers/step/request_pieces.h"
#include "visualizers/step/step_description.h"
#include "visualizers/step/warp_strip.h"
#include "visualizers/step/warp_strip_parts.h"

namespace convscope {
namespace {

constexpr float row_px = 15, caption_px = 19;  // at scale 1

/// The latest step that touched memory, of those done.
const simt::ReplayStep* latest_request(const TracedBlock& block, std::size_t done) {
    while (done-- > 0)
        if (block.replay().at(done).request >= 0) return &block.replay().at(done);
    return nullptr;
}

class Strip {
public:
    Strip(ImVec2 at, float width, const ViewStyle& style, unsigned chosen, unsigned warp, float strength)
        : at_(at), columns_(at, width, style), style_(style), chosen_(chosen), warp_(warp), strength_(strength) {}

    /// The first of the texts that there is room for.
    void caption(const std::vector<std::string>& texts) const {
        for (const std::string& text : texts) {
            if (extent_of(style_.caption(), text).x > 32 * columns_.column) continue;
            return print(style_.caption(), {columns_.left, at_.y}, colour(style_.theme->text_dim, 0.7F), text);
        }
    }
    void label(int row, const std::string& text, const Rgba& as) const {
        print(style_.caption(), {at_.x, top(row) + style_.px(row_px) / 2 - style_.caption()->FontSize / 2},
              colour(as, 0.7F), text);
    }
    void line(int row, const LineUse& use) const {
        const Theme& theme = *style_.theme;
        ImDrawList& list = *ImGui::GetWindowDrawList();
        for (unsigned sector = 0; sector < 4; ++sector) {
            const unsigned first = sector * words_of_a_sector;
            const bool moves = (use.sectors >> sector & 1) != 0;
            const ImVec2 from{columns_.x(first), top(row)};
            const ImVec2 to{columns_.x(first + words_of_a_sector) - style_.px(3), top(row) + height()};
            if (moves) list.AddRectFilled(from, to, colour(mix(theme.panel, theme.text, 0.22F)), style_.px(2));
            for (unsigned word = first; word < first + words_of_a_sector; ++word)
                if ((use.wanted >> word & 1) != 0) fill(row, word, use.lane_of[word], word + 1 == first + 8);
            list.AddRect(from, to, colour(moves ? theme.text_dim : theme.hairline), style_.px(2));
        }
    }
    void wavefront(int row, const Wavefront& wave) const {
        ImDrawList& list = *ImGui::GetWindowDrawList();
        for (unsigned bank = 0; bank < 32; ++bank) {
            const std::uint32_t lanes = wave.lanes_of[bank];
            const ImVec2 from{columns_.x(bank), top(row)};
            const ImVec2 to{columns_.x(bank + 1) - style_.px(1), top(row) + height()};
            list.AddRect(from, to, colour(style_.theme->hairline), style_.px(2));
            if (lanes == 0) continue;
            const bool mine = (lanes >> chosen_ % 32 & 1) != 0 && chosen_ / 32 == warp_;
            fill(row, bank, mine ? chosen_ % 32 : static_cast<unsigned>(std::countr_zero(lanes)), false);
            if (const int count = std::popcount(lanes); count > 1)
                print_centred(style_.caption(), from, to, readable_on(style_.theme->category(0)),
                              fmt::format("×{}", count));
        }
    }

private:
    float top(int row) const { return at_.y + style_.px(caption_px) + style_.px(row_px) * static_cast<float>(row); }
    float height() const { return style_.px(row_px - 3); }
    std::uint32_t colour(const Rgba& full, float least = 0) const {
        return full.with_alpha(full.a * std::max(least, strength_)).u32();
    }
    void print(ImFont* font, ImVec2 at, std::uint32_t as, const std::string& text) const {
        ImGui::GetWindowDrawList()->AddText(font, font->FontSize, {std::round(at.x), std::round(at.y)}, as,
                                            text.c_str());
    }
    void fill(int row, unsigned column, unsigned lane, bool last_of_sector) const {
        const unsigned thread = warp_ * 32 + lane;
        const Rgba full = thread_colour(*style_.theme, thread, chosen_);
        const float right = columns_.x(column + 1) - style_.px(last_of_sector ? 3 : 1);
        ImGui::GetWindowDrawList()->AddRectFilled({columns_.x(column), top(row)}, {right, top(row) + height()},
                                                  colour(full), style_.px(2));
    }

    ImVec2 at_;
    WarpColumns columns_;
    const ViewStyle& style_;
    unsigned chosen_, warp_;
    float strength_;
};

void draw_global(const Strip& strip, int rows, const simt::Request& request,
                 const std::vector<const simt::TraceEvent*>& lanes, const ViewStyle& style) {
    const std::vector<LineUse> lines = lines_of_request(lanes);
    const double wanted = 100.0 * request.bytes_wanted / std::max(1U, 32 * request.sectors);
    const std::string sectors = request.sectors == 1 ? "1 sector" : fmt::format("{} sectors", request.sectors);
    strip.caption({fmt::format("global {}: {} bytes wanted, {} of 32 bytes {}: {:.0f} % of what moves is wanted",
                               simt::to_string(request.kind), request.bytes_wanted, sectors,
                               request.sectors == 1 ? "moves" : "move", wanted),
                   fmt::format("global {}: {} bytes, {}, {:.0f} % wanted", simt::to_string(request.kind),
                               request.bytes_wanted, sectors, wanted),
                   fmt::format("{}, {:.0f} % wanted", sectors, wanted)});
    const int shown = std::min(rows, static_cast<int>(lines.size()));
    for (int row = 0; row < shown; ++row) {
        const bool more = row + 1 == shown && static_cast<int>(lines.size()) > shown;
        strip.label(row,
                    more ? fmt::format("+ {} lines", lines.size() - static_cast<std::size_t>(row) - 1)
                         : fmt::format("line {}", lines[static_cast<std::size_t>(row)].number),
                    style.theme->text_dim);
        strip.line(row, lines[static_cast<std::size_t>(row)]);
    }
}

void draw_shared(const Strip& strip, int rows, const simt::Request& request,
                 const std::vector<const simt::TraceEvent*>& lanes, const ViewStyle& style) {
    const std::vector<Wavefront> waves = wavefronts_of_request(lanes);
    const bool conflicts = has_conflicts(waves);
    const std::string passes = waves.size() == 1 ? "one wavefront" : fmt::format("{} wavefronts", waves.size());
    strip.caption({fmt::format("shared {}: {} of the 32 banks: {}", simt::to_string(request.kind), passes,
                               conflicts ? "lanes want different words of one bank" : "no conflict"),
                   fmt::format("shared {}: {}, {}", simt::to_string(request.kind), passes,
                               conflicts ? "bank conflicts" : "no conflict"),
                   passes});
    const int shown = std::min(rows, static_cast<int>(waves.size()));
    for (int row = 0; row < shown; ++row) {
        const bool more = row + 1 == shown && static_cast<int>(waves.size()) > shown;
        strip.label(row,
                    more ? fmt::format("+ {} more", waves.size() - static_cast<std::size_t>(row) - 1)
                         : fmt::format("wavefront {}", row + 1),
                    waves[static_cast<std::size_t>(row)].conflict ? style.theme->bad : style.theme->text_dim);
        strip.wavefront(row, waves[static_cast<std::size_t>(row)]);
    }
}

}  // namespace

float request_strip_height(int rows, const ViewStyle& style) {
    return style.px(caption_px + row_px * static_cast<float>(rows));
}

void draw_request_strip(ImVec2 at, float width, int rows, const TracedBlock& block, const StepPoint& point,
                        const ViewStyle& style) {
    const simt::ReplayStep* step = latest_request(block, point.done);
    print(style.caption(), at, style.theme->text_dim, "request");
    if (!step) return;
    // A request that the check stops is not carried out.
    const bool now = step == &block.replay().at(point.done - 1) && !block.stopped_at(point.done);
    const Strip strip(at, width, style, point.thread, step->warp, now ? 1.0F : 0.35F);
    const simt::Request& request = block.replay().cost().requests[static_cast<std::size_t>(step->request)];
    const auto lanes = block.events(*step);
    if (request.space == simt::Space::shared)
        draw_shared(strip, rows, request, lanes, style);
    else
        draw_global(strip, rows, request, lanes, style);
}

}  // namespace convscope
