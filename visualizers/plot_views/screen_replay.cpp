#include "visualizers/plot_views/screen_replay.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_map>

#include "visualizers/theme/font_files.h"

namespace convscope {
namespace {

// ImGui's size of a font is its height from ascender to descender.
constexpr double inter_line = 1.21, monospace_line = 1.32;  ///< of 1 em

struct GlyphOf {
    const ImFont* font = nullptr;
    const ImFontGlyph* glyph = nullptr;
};

std::uint64_t corner(float u, float v) {
    return std::uint64_t{std::bit_cast<std::uint32_t>(u)} << 32 | std::bit_cast<std::uint32_t>(v);
}

/// Finds the letter that a piece of the fonts' texture shows, by its place.
class Letters {
public:
    Letters() {
        for (const ImFont* font : ImGui::GetIO().Fonts->Fonts)
            for (const ImFontGlyph& glyph : font->Glyphs) {
                if (!glyph.Visible) continue;
                upper_left_[corner(glyph.U0, glyph.V0)] = {font, &glyph};
                lower_right_[corner(glyph.U1, glyph.V1)] = {font, &glyph};
            }
    }
    /// One of the corners is enough: a letter may be cut off.
    GlyphOf at(ImVec2 upper_left, ImVec2 lower_right) const {
        if (const auto found = upper_left_.find(corner(upper_left.x, upper_left.y)); found != upper_left_.end())
            return found->second;
        const auto found = lower_right_.find(corner(lower_right.x, lower_right.y));
        return found != lower_right_.end() ? found->second : GlyphOf{};
    }

private:
    std::unordered_map<std::uint64_t, GlyphOf> upper_left_, lower_right_;
};

Rgba rgba_of(ImU32 color) {
    const ImVec4 parts = ImGui::ColorConvertU32ToFloat4(color);
    return {parts.x, parts.y, parts.z, parts.w};
}

void append_utf8(std::string& text, unsigned code) {
    const auto byte = [&](unsigned bits) { text += static_cast<char>(bits); };
    if (code < 0x80) return byte(code);
    if (code < 0x800) {
        byte(0xc0 | code >> 6);
    } else {
        byte(0xe0 | code >> 12);
        byte(0x80 | (code >> 6 & 0x3f));
    }
    byte(0x80 | (code & 0x3f));
}

/// Letters of one font and colour on one line.
struct TextRun {
    std::string text;
    const ImFont* font = nullptr;
    ImU32 color = 0;
    float scale = 1;  ///< of the font's size
    bool turned = false;
    double start = 0, end = 0, baseline = 0;  ///< along the line, and across it

    bool takes(const TextRun& next, double widest_gap) const {
        const double space = font ? font->GetCharAdvance(' ') * scale : 0;
        return font == next.font && color == next.color && turned == next.turned &&
               std::abs(scale - next.scale) < 0.01F && std::abs(baseline - next.baseline) < 0.75 &&
               next.start > end - 0.75 && next.start < end + widest_gap * space;
    }
    void add(const TextRun& next) {
        const double space = font->GetCharAdvance(' ') * scale;
        if (space > 0)
            text.append(static_cast<std::size_t>(std::max(0L, std::lround((next.start - end) / space))), ' ');
        text += next.text;
        end = next.end;
    }
};

/// Takes a draw list apart.
class Reader {
public:
    std::function<void(const TextRun&)> on_text;
    std::function<void(const std::vector<CanvasPoint>&, ImU32)> on_shape;
    double widest_gap = 2.5;  ///< of a run, in spaces

    void read(const ImDrawList& list, const ImDrawCmd& command) {
        const auto vertex = [&](unsigned i) -> const ImDrawVert& {
            return list.VtxBuffer[static_cast<int>(command.VtxOffset + list.IdxBuffer[static_cast<int>(i)])];
        };
        const auto index = [&](unsigned i) { return list.IdxBuffer[static_cast<int>(i)]; };
        const ImVec2 white = ImGui::GetFontTexUvWhitePixel();
        const unsigned end = command.IdxOffset + command.ElemCount;
        for (unsigned i = command.IdxOffset; i + 2 < end;) {
            const ImDrawVert &a = vertex(i), &b = vertex(i + 1), &c = vertex(i + 2);
            if (a.uv.x == white.x && a.uv.y == white.y) {
                // Triangles about one corner are one shape.
                std::vector<CanvasPoint> points{{a.pos.x, a.pos.y}, {b.pos.x, b.pos.y}, {c.pos.x, c.pos.y}};
                const unsigned first = i;
                for (i += 3; i + 2 < end && index(i) == index(first) && index(i + 1) == index(i - 1) &&
                             vertex(i + 2).col == a.col;
                     i += 3)
                    points.push_back({vertex(i + 2).pos.x, vertex(i + 2).pos.y});
                flush();
                if (on_shape) on_shape(points, a.col);
                continue;
            }
            const bool quad = i + 5 < end && index(i + 3) == index(i);
            if (quad) letter(a, b, c, vertex(i + 5));
            i += quad ? 6 : 3;
        }
        flush();
    }

private:
    /// Corners of the piece of texture, from the upper left one on.
    void letter(const ImDrawVert& a, const ImDrawVert& b, const ImDrawVert& c, const ImDrawVert& d) {
        const GlyphOf of = letters_.at(a.uv, c.uv);
        if (!of.glyph) return;
        TextRun next;
        next.turned = std::abs(b.pos.y - a.pos.y) > std::abs(b.pos.x - a.pos.x);
        const auto along = [&](ImVec2 at) { return next.turned ? -at.y : at.x; };
        const auto across = [&](ImVec2 at) { return next.turned ? at.x : at.y; };
        const float drawn = std::hypot(d.pos.x - a.pos.x, d.pos.y - a.pos.y), in_texture = d.uv.y - a.uv.y;
        const ImFontGlyph& glyph = *of.glyph;
        const float share = in_texture / (glyph.V1 - glyph.V0);  // below 1 where it is cut off
        next.scale = drawn / (share * (glyph.Y1 - glyph.Y0));
        next.font = of.font;
        next.color = a.col;
        append_utf8(next.text, glyph.Codepoint);
        const float cut = (a.uv.x - glyph.U0) / (glyph.U1 - glyph.U0) * (glyph.X1 - glyph.X0);
        const float cut_above = (a.uv.y - glyph.V0) / (glyph.V1 - glyph.V0) * (glyph.Y1 - glyph.Y0);
        next.start = along(a.pos) - (glyph.X0 + cut) * next.scale;
        next.end = next.start + glyph.AdvanceX * next.scale;
        next.baseline = across(a.pos) + (of.font->Ascent - glyph.Y0 - cut_above) * next.scale;
        if (run_ && run_->takes(next, widest_gap)) return run_->add(next);
        flush();
        run_ = std::move(next);
    }
    void flush() {
        if (run_ && on_text) on_text(*run_);
        run_.reset();
    }

    Letters letters_;
    std::optional<TextRun> run_;
};

void write(FileCanvas& canvas, const TextRun& run) {
    const std::string_view file = run.font->ConfigData ? run.font->ConfigData->Name : "";
    const bool monospace = file.starts_with(monospace_font);
    const double size = run.font->FontSize * run.scale / (monospace ? monospace_line : inter_line);
    canvas.set_monospace(monospace);
    const double x = run.turned ? run.baseline : run.start, y = run.turned ? -run.start : run.baseline;
    canvas.text(run.text, x, y, std::round(100 * size) / 100, rgba_of(run.color), Align::left,
                file.starts_with(strong_font), run.turned);
    canvas.set_monospace(false);
}

/// A line along its letters: those of which less than half would be seen are another figure's.
CanvasBox middle_of(const TextRun& run) {
    const double up = 0.35 * run.font->FontSize * run.scale, length = run.end - run.start;
    if (run.turned) return {run.baseline - up, -run.end, 0, length};
    return {run.start, run.baseline - up, length, 0};
}

CanvasBox box_of(const std::vector<CanvasPoint>& points) {
    const auto [left, right] = std::ranges::minmax(points, {}, &CanvasPoint::x);
    const auto [top, bottom] = std::ranges::minmax(points, {}, &CanvasPoint::y);
    return {left.x, top.y, right.x - left.x, bottom.y - top.y};
}

std::optional<CanvasBox> common(const CanvasBox& a, const CanvasBox& b) {
    const CanvasBox box{std::max(a.x, b.x), std::max(a.y, b.y), std::min(a.right(), b.right()) - std::max(a.x, b.x),
                        std::min(a.bottom(), b.bottom()) - std::max(a.y, b.y)};
    if (box.w < 1 || box.h < 1) return std::nullopt;
    return box;
}

}  // namespace

void sharp_edges(bool sharp) {
    ImGuiStyle& style = ImGui::GetStyle();
    style.AntiAliasedFill = style.AntiAliasedLines = style.AntiAliasedLinesUseTex = !sharp;
}

void replay(const ImDrawData& data, const std::string& window, FileCanvas& canvas, const CanvasBox& part,
            const std::function<void(const ImDrawCmd&)>& own) {
    Reader reader;
    reader.widest_gap = 1.25;  // words of a line; numbers of cells are each in its place
    CanvasBox sight;
    reader.on_text = [&](const TextRun& run) {
        if (sight.touches(middle_of(run))) write(canvas, run);
    };
    reader.on_shape = [&](const std::vector<CanvasPoint>& points, ImU32 color) {
        if ((color & IM_COL32_A_MASK) != 0 && sight.touches(box_of(points))) canvas.polygon(points, rgba_of(color));
    };
    for (int i = 0; i < data.CmdListsCount; ++i) {
        const char* const owner = data.CmdLists[i]->_OwnerName;
        const std::string_view name = owner ? owner : "";
        if (name != window && !name.starts_with(window + '/')) continue;
        for (const ImDrawCmd& command : data.CmdLists[i]->CmdBuffer) {
            const ImVec4& clip = command.ClipRect;
            const auto box = common(part, {clip.x, clip.y, clip.z - clip.x, clip.w - clip.y});
            if (!box || command.UserCallback == ImDrawCallback_ResetRenderState) continue;
            if (!command.UserCallback && command.ElemCount == 0) continue;
            sight = *box;
            canvas.clip(sight);
            if (command.UserCallback)
                own(command);
            else
                reader.read(*data.CmdLists[i], command);
            canvas.unclip();
        }
    }
}

std::vector<std::string> texts_of(const ImDrawList& list) {
    std::vector<std::string> texts;
    Reader reader;
    reader.on_text = [&](const TextRun& run) { texts.push_back(run.text); };
    for (const ImDrawCmd& command : list.CmdBuffer)
        if (!command.UserCallback) reader.read(list, command);
    return texts;
}

}  // namespace convscope
