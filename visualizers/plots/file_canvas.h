// The canvas of files: pixels by cairo, or the elements of an SVG. Sizes in
// units of 1/96 inch. (cairo's own SVGs carry the outline of every letter, and are twenty times as large.)
#pragma once

#include <cairo.h>

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "visualizers/plots/canvas.h"

namespace convscope {

class FileCanvas : public Canvas {
public:
    /// Takes the surface.
    explicit FileCanvas(cairo_surface_t* surface, const Rgba& background = Rgba::hex(0xffffff));
    ~FileCanvas() override;
    FileCanvas(const FileCanvas&) = delete;
    FileCanvas& operator=(const FileCanvas&) = delete;

    void set_scale(double scale);
    /// Moves this point of the drawing to the page's upper left.
    void move_to_corner(const CanvasPoint&);
    /// From here on strokes are kept as SVG, and the surface only measures text.
    void record_svg() { recording_ = true; }
    const std::string& svg() const { return svg_; }
    void rectangle(double x, double y, double w, double h, const Rgba& fill) override;
    void outline(double x, double y, double w, double h, const Rgba&) override;
    void line(double x0, double y0, double x1, double y1, const Rgba&, double width = 1, bool dashed = false) override;
    void polyline(std::span<const CanvasPoint>, const Rgba&, double width = 1, bool dashed = false) override;
    void band(std::span<const CanvasPoint> above, std::span<const CanvasPoint> below, const Rgba& fill) override;
    void dot(double x, double y, double radius, const Rgba&, bool hollow = false) override;
    void squares(std::span<const CanvasPoint>, double edge, const Rgba&) override;
    double text_width(const std::string&, double size, bool bold = false) override;
    void text(const std::string&, double x, double y, double size, const Rgba&, Align = Align::left, bool bold = false,
              bool turned = false) override;
    void clip(const CanvasBox&) override;
    void unclip() override;
    // Elements that only a file can hold.
    void polygon(std::span<const CanvasPoint>, const Rgba& fill);
    /// Lines apart from each other: from each even point to the one behind it.
    void segments(std::span<const CanvasPoint>, const Rgba&, double width);
    /// Pixels without blending between them: columns x rows of 0xAARRGGBB, the top row first.
    void image(const CanvasBox&, int columns, int rows, std::vector<std::uint32_t> argb);
    /// From here on text is in the monospaced face.
    void set_monospace(bool monospace) { monospace_ = monospace; }
    /// Finishes the file; the canvas is not drawn on afterwards. Returns cairo's message, empty when all is well.
    std::string finish();
    cairo_surface_t* surface() { return surface_; }

private:
    void set_color(const Rgba&);
    void set_font(double size, bool bold);

    cairo_surface_t* surface_;
    cairo_t* cairo_;
    Rgba background_;
    bool recording_ = false, monospace_ = false;
    int clips_ = 0;  ///< of the SVG, so far
    std::string svg_;
};

/// Throws Error(file) where there was a problem.
void require_written(const std::string& problem, const std::filesystem::path&);

}  // namespace convscope
