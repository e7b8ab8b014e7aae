// The surface that plots are drawn on, with the few strokes that they need. On the screen it is ImGui's draw list
// (ScreenCanvas), in files cairo's pixels or the elements of an SVG (FileCanvas). Units are those of the surface:
// pixels on the screen, 1/96 inch in files; y grows downwards.
#pragma once

#include <span>
#include <string>

#include "visualizers/theme/color.h"

namespace convscope {

enum class Align { left, centre, right };

struct CanvasPoint {
    double x = 0, y = 0;
};

struct CanvasBox {
    double x = 0, y = 0, w = 0, h = 0;
    double right() const { return x + w; }
    double bottom() const { return y + h; }
    bool touches(const CanvasBox& other) const {
        return right() > other.x && x < other.right() && bottom() > other.y && y < other.bottom();
    }
    bool holds(double px, double py) const { return px >= x && px <= right() && py >= y && py <= bottom(); }
};

class Canvas {
public:
    virtual ~Canvas() = default;

    virtual void rectangle(double x, double y, double w, double h, const Rgba& fill) = 0;
    virtual void outline(double x, double y, double w, double h, const Rgba&) = 0;
    virtual void line(double x0, double y0, double x1, double y1, const Rgba&, double width = 1,
                      bool dashed = false) = 0;
    virtual void polyline(std::span<const CanvasPoint>, const Rgba&, double width = 1, bool dashed = false) = 0;
    /// Between two lines with as many points.
    virtual void band(std::span<const CanvasPoint> above, std::span<const CanvasPoint> below, const Rgba& fill) = 0;
    virtual void dot(double x, double y, double radius, const Rgba&, bool hollow = false) = 0;

    /// Small ones of one colour, about these middles.
    virtual void squares(std::span<const CanvasPoint>, double edge, const Rgba&) = 0;

    virtual double text_width(const std::string&, double size, bool bold = false) = 0;
    /// 'y' is the baseline; 'turned' writes upwards from there.
    virtual void text(const std::string&, double x, double y, double size, const Rgba&, Align = Align::left,
                      bool bold = false, bool turned = false) = 0;

    /// Only what is inside the box is drawn until unclip(). Boxes may be nested.
    virtual void clip(const CanvasBox&) = 0;
    virtual void unclip() = 0;
};

}  // namespace convscope
