#include "visualizers/plot_views/screen_canvas.h"

#include <cmath>

namespace convscope {
namespace {

ImVec2 at(double x, double y) {
    return {static_cast<float>(x), static_cast<float>(y)};
}

/// Turns what was drawn last, from vertex 'first' on, a quarter to the left about 'from', which is moved to 'to'.
void turn(ImDrawList& list, int first, ImVec2 from, ImVec2 to) {
    for (int i = first; i < list.VtxBuffer.Size; ++i) {
        ImVec2& place = list.VtxBuffer[i].pos;
        place = {to.x + (place.y - from.y), to.y - (place.x - from.x)};
    }
}

}  // namespace

ScreenCanvas::ScreenCanvas(const ViewStyle& style)
    : style_(style), list_(*ImGui::GetWindowDrawList()), font_(*style.caption()) {}

void ScreenCanvas::rectangle(double x, double y, double w, double h, const Rgba& fill) {
    list_.AddRectFilled(at(x, y), at(x + w, y + h), fill.u32());
}

void ScreenCanvas::outline(double x, double y, double w, double h, const Rgba& color) {
    list_.AddRect(at(x, y), at(x + w, y + h), color.u32());
}

void ScreenCanvas::line(double x0, double y0, double x1, double y1, const Rgba& color, double width, bool dashed) {
    if (!dashed) return list_.AddLine(at(x0, y0), at(x1, y1), color.u32(), static_cast<float>(width));
    const CanvasPoint ends[] = {{x0, y0}, {x1, y1}};
    polyline(ends, color, width, true);
}

void ScreenCanvas::polyline(std::span<const CanvasPoint> points, const Rgba& color, double width, bool dashed) {
    if (!dashed) {
        points_.clear();
        for (const CanvasPoint& point : points) points_.push_back(at(point.x, point.y));
        return list_.AddPolyline(points_.data(), static_cast<int>(points_.size()), color.u32(), 0,
                                 static_cast<float>(width));
    }
    // Dashes run on over the corners.
    const double dash = style_.px(7), period = style_.px(12);
    double walked = 0;
    for (std::size_t i = 0; i + 1 < points.size(); ++i) {
        const CanvasPoint a = points[i], b = points[i + 1];
        const double length = std::hypot(b.x - a.x, b.y - a.y);
        for (double s = 0; s < length && length < 1e5;) {
            const double phase = std::fmod(walked + s, period),
                         stop = std::min(length, s + (phase < dash ? dash : period) - phase);
            if (phase < dash)
                list_.AddLine(at(a.x + (b.x - a.x) * s / length, a.y + (b.y - a.y) * s / length),
                              at(a.x + (b.x - a.x) * stop / length, a.y + (b.y - a.y) * stop / length), color.u32(),
                              static_cast<float>(width));
            s = std::max(stop, s + 0.01);
        }
        walked += length;
    }
}

void ScreenCanvas::band(std::span<const CanvasPoint> above, std::span<const CanvasPoint> below, const Rgba& fill) {
    // Without ImGui's soft edges: between two pieces they would show as a seam.
    const ImVec2 white = ImGui::GetFontTexUvWhitePixel();
    for (std::size_t i = 0; i + 1 < above.size(); ++i) {
        list_.PrimReserve(6, 4);
        list_.PrimQuadUV(at(above[i].x, above[i].y), at(above[i + 1].x, above[i + 1].y),
                         at(below[i + 1].x, below[i + 1].y), at(below[i].x, below[i].y), white, white, white, white,
                         fill.u32());
    }
}

void ScreenCanvas::dot(double x, double y, double radius, const Rgba& color, bool hollow) {
    const auto size = static_cast<float>(radius);
    if (size < 2) return list_.AddRectFilled(at(x - radius, y - radius), at(x + radius, y + radius), color.u32());
    list_.AddCircleFilled(at(x, y), size, (hollow ? style_.theme->panel : color).u32());
    if (hollow) list_.AddCircle(at(x, y), size, color.u32(), 0, style_.px(1.5F));
}

void ScreenCanvas::squares(std::span<const CanvasPoint> middles, double edge, const Rgba& color) {
    const std::uint32_t bits = color.u32();
    for (const CanvasPoint& middle : middles)
        list_.AddRectFilled(at(middle.x - edge / 2, middle.y - edge / 2), at(middle.x + edge / 2, middle.y + edge / 2),
                            bits);
}

double ScreenCanvas::text_width(const std::string& text, double, bool) {
    return font_.CalcTextSizeA(font_.FontSize, 1e9F, 0, text.c_str()).x;
}

void ScreenCanvas::text(const std::string& text, double x, double y, double size, const Rgba& color, Align align,
                        bool bold, bool turned) {
    const double shift = align == Align::left ? 0 : text_width(text, size, bold) / (align == Align::centre ? 2 : 1);
    const int first = list_.VtxBuffer.Size;
    const ImVec2 place = at(std::round(x - shift), std::round(y - font_.Ascent));
    if (!turned) return list_.AddText(&font_, font_.FontSize, place, color.u32(), text.c_str());
    // Letters outside the clip rectangle are left out, so they are laid down where it begins, then turned.
    const ImVec2 start = list_.GetClipRectMin();
    list_.AddText(&font_, font_.FontSize, start, color.u32(), text.c_str());
    turn(list_, first, {start.x + static_cast<float>(shift), start.y + font_.Ascent}, at(std::round(x), std::round(y)));
}

void ScreenCanvas::clip(const CanvasBox& box) {
    list_.PushClipRect(at(box.x, box.y), at(box.right(), box.bottom()), true);
}

void ScreenCanvas::unclip() {
    list_.PopClipRect();
}

}  // namespace convscope
