#include "visualizers/style/math_view.h"

#include <algorithm>
#include <cmath>

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

}  // namespace

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

void draw_math(ImDrawList& draw, ImVec2 at, const MathPicture& picture, const MathFonts& fonts, float scale,
               const std::function<ImU32(const MathPiece&)>& colour) {
    for (const MathPiece& piece : picture.pieces) {
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

void slant(ImDrawList& draw, int from, float base) {
    for (int i = from; i < draw.VtxBuffer.Size; ++i) draw.VtxBuffer[i].pos.x += (base - draw.VtxBuffer[i].pos.y) * 0.2F;
}

}  // namespace convscope
