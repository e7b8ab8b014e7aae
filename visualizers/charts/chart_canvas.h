// What a chart is drawn on, with the few strokes that it needs: pixels by cairo, or the elements of an SVG. Sizes in
// units of 1/96 inch. (cairo's own SVGs carry the outline of every letter, and are twenty times as large.)
#pragma once

#include <cairo.h>

#include <string>

#include "visualizers/color.h"

namespace convscope {

enum class Align { left, centre, right };

class ChartCanvas {
public:
    /// Takes the surface; draws on white.
    explicit ChartCanvas(cairo_surface_t* surface);
    ~ChartCanvas();
    ChartCanvas(const ChartCanvas&) = delete;
    ChartCanvas& operator=(const ChartCanvas&) = delete;

    void set_scale(double scale);
    /// From here on strokes are kept as SVG, and the surface only measures text.
    void record_svg() { recording_ = true; }
    const std::string& svg() const { return svg_; }
    void rectangle(double x, double y, double w, double h, const Rgba& fill);
    void outline(double x, double y, double w, double h, const Rgba&);
    void line(double x0, double y0, double x1, double y1, const Rgba&, double width = 1, bool dashed = false);
    void dot(double x, double y, double radius, const Rgba&, bool hollow);

    double text_width(const std::string&, double size, bool bold = false);
    /// 'y' is the baseline; 'turned' writes upwards from there.
    void text(const std::string&, double x, double y, double size, const Rgba&, Align = Align::left, bool bold = false,
              bool turned = false);
    /// Finishes the file; the canvas is not drawn on afterwards. Returns cairo's message, empty when all is well.
    std::string finish();
    cairo_surface_t* surface() { return surface_; }

private:
    void set_color(const Rgba&);
    void set_font(double size, bool bold);

    cairo_surface_t* surface_;
    cairo_t* cairo_;
    bool recording_ = false;
    std::string svg_;
};

}  // namespace convscope
