#include "visualizers/style/math_view.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <tuple>
#include <utility>

#include "visualizers/explain/math_text.h"

namespace convscope {
namespace {

/// As tall as what it encloses.
void draw_bracket(ImDrawList& draw, ImVec2 at, const MathPiece& piece, float thick, ImU32 colour) {
    const float inset = piece.width * 0.25F, left = at.x + inset, right = at.x + piece.width - inset;
    const float top = at.y + thick, bottom = at.y + piece.height - thick, tall = bottom - top;
    const std::string& which = piece.text;
    const auto upright = [&](float x) { draw.AddLine({x, top}, {x, bottom}, colour, thick); };
    const auto across = [&](float y) { draw.AddLine({left, y}, {right, y}, colour, thick); };
    if (which == "(" || which == ")") {
        const float end = which == "(" ? right : left, bulge = which == "(" ? left : right;
        const float beyond = bulge + (bulge - end) / 3;  // the curve stays within its control points
        draw.AddBezierCubic({end, top}, {beyond, top + tall * 0.3F}, {beyond, bottom - tall * 0.3F}, {end, bottom},
                            colour, thick);
    } else if (which == "\u230a" || which == "\u2308" || which == "[") {
        upright(left);
        if (which != "\u230a") across(top);
        if (which != "\u2308") across(bottom);
    } else {
        upright(right);
        if (which != "\u230b") across(top);
        if (which != "\u2309") across(bottom);
    }
}

/// The inputs of a rendered formula, apart from the typefaces.
struct BoxKey {
    Math math;
    std::string text;
    float width = 0, scale = 1;
    bool small_fractions = false;
    bool operator==(const BoxKey&) const = default;
};

/// Fonts are loaded again where others have been.
auto sizes_of(const MathFonts& fonts) {
    return std::tuple(fonts.text, fonts.text->FontSize, fonts.script, fonts.script->FontSize);
}

std::shared_ptr<const MathBox> cached_box(const BoxKey& of, const MathFonts& fonts) {
    constexpr std::size_t max_kept = 96;  // more than a screen holds
    struct Kept {
        BoxKey of;
        decltype(sizes_of(MathFonts{})) sizes;
        std::shared_ptr<const MathBox> box;
    };
    static std::deque<Kept> all;  // drawing has one thread
    const auto found =
        std::ranges::find_if(all, [&](const Kept& kept) { return kept.of == of && kept.sizes == sizes_of(fonts); });
    if (found != all.end()) return found->box;
    MathFace face = fonts.face(of.scale);
    face.small_fractions = of.small_fractions;
    auto box = std::make_shared<const MathBox>(of.text.empty() ? lay_out(of.math, of.width, face)
                                                               : set_text(of.text, of.width, face));
    if (all.size() == max_kept) all.pop_front();
    all.push_back({of, sizes_of(fonts), box});
    return box;
}

}  // namespace

std::shared_ptr<const MathBox> formula_box(const Math& math, float width, const MathFonts& fonts, float scale,
                                           bool small_fractions) {
    return cached_box({math, {}, width, scale, small_fractions}, fonts);
}

std::shared_ptr<const MathBox> text_box(const std::string& text, float width, const MathFonts& fonts, float scale) {
    return cached_box({{}, text, width, scale, false}, fonts);
}

MathFace MathFonts::face(float scale) const {
    MathFace face;
    face.width = [text = text, script = script](std::string_view letters, int level) {
        ImFont* font = level == 0 ? text : script;
        return font->CalcTextSizeA(font->FontSize, 1e9F, 0, letters.data(), letters.data() + letters.size()).x;
    };
    for (int level = 0; level < 2; ++level) {
        const ImFont* font = level == 0 ? text : script;
        face.ascent[level] = font->Ascent;
        face.descent[level] = font->FontSize - font->Ascent;
    }
    face.line = std::max(1.0F, std::round(scale));
    return face;
}

void draw_math(ImDrawList& draw, ImVec2 at, const MathBox& box, const MathFonts& fonts, float scale,
               const std::function<ImU32(const MathPiece&)>& colour) {
    for (const MathPiece& piece : box.pieces) {
        const ImVec2 corner{std::round(at.x + piece.x), std::round(at.y + piece.y)};
        const ImU32 ink = colour(piece);
        switch (piece.kind) {
            case MathPiece::Kind::text: {
                ImFont* font = piece.level == 0 ? fonts.text : fonts.script;
                const int from = draw.VtxBuffer.Size;
                draw.AddText(font, font->FontSize, corner, ink, piece.text.c_str());
                if (piece.slanted) slant(draw, from, corner.y + font->Ascent * 0.75F);
                break;
            }
            case MathPiece::Kind::bar:
                draw.AddRectFilled(corner, {corner.x + piece.width, corner.y + piece.height}, ink);
                break;
            case MathPiece::Kind::bracket:
                draw_bracket(draw, corner, piece, 1.2F * scale, ink);
                break;
        }
    }
}

namespace {

constexpr float unbroken = 1e9F;

/// Most captions are words alone, which ImGui draws by itself.
bool has_mathematics(const std::string& text) {
    return text.find('$') != std::string::npos;
}

MathFonts fonts_of_words(ImFont* font, const ViewStyle& style) {
    return {font, style.script ? style.script : font};
}

}  // namespace

ImVec2 words_size(ImFont* font, const std::string& text, float width, const ViewStyle& style) {
    if (!has_mathematics(text)) return font->CalcTextSizeA(font->FontSize, unbroken, width, text.c_str());
    const auto box = text_box(text, width, fonts_of_words(font, style), style.scale);
    return {box->width, box->height};
}

void draw_words(ImFont* font, ImVec2 at, float width, const std::string& text, const Rgba& colour,
                const ViewStyle& style) {
    ImDrawList& draw = *ImGui::GetWindowDrawList();
    at = {std::round(at.x), std::round(at.y)};
    if (!has_mathematics(text))
        return draw.AddText(font, font->FontSize, at, colour.u32(), text.c_str(), nullptr, width);
    const MathFonts fonts = fonts_of_words(font, style);
    draw_math(draw, at, *text_box(text, width, fonts, style.scale), fonts, style.scale,
              [ink = colour.u32()](const MathPiece&) { return ink; });
}

void draw_shortened_words(ImFont* font, ImVec2 at, float width, const std::string& text, const Rgba& colour,
                          const ViewStyle& style) {
    if (!has_mathematics(text)) return draw_shortened(font, at, width, text, colour);
    const MathFonts fonts = fonts_of_words(font, style);
    MathBox box = *text_box(text, unbroken, fonts, style.scale);
    if (box.width > width) {
        MathPiece dots;
        dots.text = "\u2026";
        const float end = width - fonts.face(style.scale).width(dots.text, 0);
        std::erase_if(box.pieces, [end](const MathPiece& piece) { return piece.x + piece.width > end; });
        for (const MathPiece& piece : box.pieces) dots.x = std::max(dots.x, piece.x + piece.width);
        box.pieces.push_back(std::move(dots));
    }
    draw_math(*ImGui::GetWindowDrawList(), at, box, fonts, style.scale,
              [ink = colour.u32()](const MathPiece&) { return ink; });
}

void slant(ImDrawList& draw, int from, float base) {
    for (int i = from; i < draw.VtxBuffer.Size; ++i) draw.VtxBuffer[i].pos.x += (base - draw.VtxBuffer[i].pos.y) * 0.2F;
}

}  // namespace convscope
