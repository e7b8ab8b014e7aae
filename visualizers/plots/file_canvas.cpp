#include "visualizers/plots/file_canvas.h"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <cmath>
#include <numbers>
#include <vector>

#include "kernels/core/error.h"
#include "visualizers/plots/file_font.h"
#include "visualizers/plots/plot_text.h"

namespace convscope {
namespace {

/// ' fill='#56b4e9' fill-opacity='0.2'', the opacity only where there is one.
std::string svg_paint(const char* what, const Rgba& color) {
    std::string text = fmt::format(" {}='{}'", what, hex(color));
    if (color.a < 1) text += fmt::format(" {}-opacity='{:.2g}'", what, color.a);
    return text;
}

std::string svg_path(std::span<const CanvasPoint> points) {
    std::string path;
    for (const CanvasPoint& point : points)
        path += fmt::format("{}{:.1f} {:.1f}", path.empty() ? 'M' : 'L', point.x, point.y);
    return path;
}

std::string base64(const std::string& bytes) {
    constexpr const char* letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string text;
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        std::uint32_t three = 0;
        for (std::size_t j = i; j < i + 3; ++j)
            three = three << 8 | (j < bytes.size() ? static_cast<unsigned char>(bytes[j]) : 0U);
        for (std::size_t j = 0; j < 4; ++j) text += i + j <= bytes.size() ? letters[three >> (18 - 6 * j) & 63] : '=';
    }
    return text;
}

cairo_status_t append(void* to, const unsigned char* bytes, unsigned count) {
    static_cast<std::string*>(to)->append(bytes, bytes + count);
    return CAIRO_STATUS_SUCCESS;
}

}  // namespace

FileCanvas::FileCanvas(cairo_surface_t* surface, const Rgba& background)
    : surface_(surface), cairo_(cairo_create(surface)), background_(background) {
    set_color(background);
    cairo_paint(cairo_);
}

FileCanvas::~FileCanvas() {
    cairo_destroy(cairo_);
    cairo_surface_destroy(surface_);
}

void FileCanvas::set_scale(double scale) {
    cairo_scale(cairo_, scale, scale);
}

void FileCanvas::move_to_corner(const CanvasPoint& corner) {
    cairo_translate(cairo_, -corner.x, -corner.y);
}

void FileCanvas::set_color(const Rgba& color) {
    cairo_set_source_rgba(cairo_, color.r, color.g, color.b, color.a);
}

void FileCanvas::rectangle(double x, double y, double w, double h, const Rgba& fill) {
    if (recording_) {
        svg_ += fmt::format("<rect x='{:.1f}' y='{:.1f}' width='{:.1f}' height='{:.1f}'{}/>\n", x, y, w, h,
                            svg_paint("fill", fill));
        return;
    }
    set_color(fill);
    cairo_rectangle(cairo_, x, y, w, h);
    cairo_fill(cairo_);
}

void FileCanvas::outline(double x, double y, double w, double h, const Rgba& color) {
    if (recording_) {
        svg_ += fmt::format("<rect x='{:.1f}' y='{:.1f}' width='{:.1f}' height='{:.1f}' fill='none'{}/>\n", x + 0.5,
                            y + 0.5, w - 1, h - 1, svg_paint("stroke", color));
        return;
    }
    set_color(color);
    cairo_set_line_width(cairo_, 1);
    cairo_rectangle(cairo_, x + 0.5, y + 0.5, w - 1, h - 1);
    cairo_stroke(cairo_);
}

void FileCanvas::line(double x0, double y0, double x1, double y1, const Rgba& color, double width, bool dashed) {
    const std::array<CanvasPoint, 2> ends{{{x0, y0}, {x1, y1}}};
    polyline(ends, color, width, dashed);
}

void FileCanvas::polyline(std::span<const CanvasPoint> points, const Rgba& color, double width, bool dashed) {
    if (recording_) {
        svg_ += fmt::format("<path d='{}'{}{} stroke-width='{}'{}/>\n", svg_path(points),
                            points.size() > 2 ? " fill='none'" : "", svg_paint("stroke", color), width,
                            dashed ? " stroke-dasharray='6 4'" : "");
        return;
    }
    constexpr std::array<double, 2> dashes{6, 4};
    set_color(color);
    cairo_set_line_width(cairo_, width);
    cairo_set_dash(cairo_, dashes.data(), dashed ? 2 : 0, 0);
    cairo_new_path(cairo_);
    for (const CanvasPoint& point : points) cairo_line_to(cairo_, point.x, point.y);
    cairo_stroke(cairo_);
    cairo_set_dash(cairo_, nullptr, 0, 0);
}

void FileCanvas::band(std::span<const CanvasPoint> above, std::span<const CanvasPoint> below, const Rgba& fill) {
    std::vector<CanvasPoint> around(above.begin(), above.end());
    around.insert(around.end(), below.rbegin(), below.rend());
    polygon(around, fill);
}

void FileCanvas::polygon(std::span<const CanvasPoint> points, const Rgba& fill) {
    if (recording_) {
        svg_ += fmt::format("<path d='{}Z'{}/>\n", svg_path(points), svg_paint("fill", fill));
        return;
    }
    set_color(fill);
    cairo_new_path(cairo_);
    for (const CanvasPoint& point : points) cairo_line_to(cairo_, point.x, point.y);
    cairo_close_path(cairo_);
    cairo_fill(cairo_);
}

void FileCanvas::segments(std::span<const CanvasPoint> ends, const Rgba& color, double width) {
    if (ends.size() < 2) return;
    if (recording_) {
        svg_ += "<path d='";
        for (std::size_t i = 0; i + 1 < ends.size(); i += 2) svg_ += svg_path(ends.subspan(i, 2));
        svg_ += fmt::format("'{} stroke-width='{:.2f}'/>\n", svg_paint("stroke", color), width);
        return;
    }
    set_color(color);
    cairo_set_line_width(cairo_, width);
    cairo_new_path(cairo_);
    for (std::size_t i = 0; i + 1 < ends.size(); i += 2) {
        cairo_move_to(cairo_, ends[i].x, ends[i].y);
        cairo_line_to(cairo_, ends[i + 1].x, ends[i + 1].y);
    }
    cairo_stroke(cairo_);
}

void FileCanvas::image(const CanvasBox& box, int columns, int rows, std::vector<std::uint32_t> argb) {
    if (columns < 1 || rows < 1) return;
    cairo_surface_t* const pixels = cairo_image_surface_create_for_data(std::bit_cast<unsigned char*>(argb.data()),
                                                                        CAIRO_FORMAT_RGB24, columns, rows, 4 * columns);
    if (recording_) {
        std::string png;
        cairo_surface_write_to_png_stream(pixels, append, &png);
        svg_ += fmt::format(
            "<image x='{:.1f}' y='{:.1f}' width='{:.1f}' height='{:.1f}' preserveAspectRatio='none' "
            "style='image-rendering:pixelated' href='data:image/png;base64,{}'/>\n",
            box.x, box.y, box.w, box.h, base64(png));
    } else {
        cairo_save(cairo_);
        cairo_translate(cairo_, box.x, box.y);
        cairo_scale(cairo_, box.w / columns, box.h / rows);
        cairo_set_source_surface(cairo_, pixels, 0, 0);
        cairo_pattern_set_filter(cairo_get_source(cairo_), CAIRO_FILTER_NEAREST);
        cairo_rectangle(cairo_, 0, 0, columns, rows);
        cairo_fill(cairo_);
        cairo_restore(cairo_);
    }
    cairo_surface_destroy(pixels);
}

void FileCanvas::dot(double x, double y, double radius, const Rgba& color, bool hollow) {
    if (recording_) {
        svg_ +=
            fmt::format("<circle cx='{:.1f}' cy='{:.1f}' r='{}'{}{} stroke-width='{}'/>\n", x, y, radius,
                        svg_paint("fill", hollow ? background_ : color), svg_paint("stroke", color), hollow ? 1.5 : 0);
        return;
    }
    cairo_new_path(cairo_);
    cairo_arc(cairo_, x, y, radius, 0, 2 * std::numbers::pi);
    if (hollow) {
        set_color(background_);
        cairo_fill_preserve(cairo_);
        set_color(color);
        cairo_set_line_width(cairo_, 1.5);
        cairo_stroke(cairo_);
    } else {
        set_color(color);
        cairo_fill(cairo_);
    }
}

void FileCanvas::squares(std::span<const CanvasPoint> middles, double edge, const Rgba& color) {
    if (middles.empty()) return;
    if (recording_) {
        svg_ += "<path d='";
        for (const CanvasPoint& at : middles) svg_ += fmt::format("M{:.1f} {:.1f}h{}", at.x - edge / 2, at.y, edge);
        svg_ += fmt::format("'{} stroke-width='{}'/>\n", svg_paint("stroke", color), edge);
        return;
    }
    for (const CanvasPoint& at : middles) rectangle(at.x - edge / 2, at.y - edge / 2, edge, edge, color);
}

void FileCanvas::set_font(double size, bool bold) {
    cairo_set_font_face(cairo_, file_font(monospace_ ? FileFont::monospace : bold ? FileFont::strong : FileFont::text));
    cairo_set_font_size(cairo_, size);
}

double FileCanvas::text_width(const std::string& text, double size, bool bold) {
    set_font(size, bold);
    cairo_text_extents_t extents;
    cairo_text_extents(cairo_, text.c_str(), &extents);
    return extents.x_advance;
}

void FileCanvas::text(const std::string& text, double x, double y, double size, const Rgba& color, Align align,
                      bool bold, bool turned) {
    if (recording_) {
        constexpr const char* anchors[] = {"start", "middle", "end"};
        const std::string turn = turned ? fmt::format(" transform='rotate(-90 {:.1f} {:.1f})'", x, y) : "";
        svg_ += fmt::format("<text x='{:.1f}' y='{:.1f}' font-size='{}' fill='{}' text-anchor='{}'{}{}{}>{}</text>\n",
                            x, y, size, hex(color), anchors[static_cast<int>(align)], bold ? " font-weight='bold'" : "",
                            monospace_ ? " font-family='JetBrains Mono, monospace'" : "", turn, escaped(text));
        return;
    }
    const double shift = align == Align::left ? 0 : text_width(text, size, bold) / (align == Align::centre ? 2 : 1);
    set_font(size, bold);
    set_color(color);
    cairo_save(cairo_);
    cairo_translate(cairo_, x, y);
    if (turned) cairo_rotate(cairo_, -std::numbers::pi / 2);
    cairo_move_to(cairo_, -shift, 0);
    cairo_show_text(cairo_, text.c_str());
    cairo_restore(cairo_);
}

void FileCanvas::clip(const CanvasBox& box) {
    if (recording_) {
        svg_ += fmt::format(
            "<clipPath id='clip{0}'><rect x='{1:.1f}' y='{2:.1f}' width='{3:.1f}' height='{4:.1f}'/></clipPath>\n"
            "<g clip-path='url(#clip{0})'>\n",
            ++clips_, box.x, box.y, box.w, box.h);
        return;
    }
    cairo_save(cairo_);
    cairo_rectangle(cairo_, box.x, box.y, box.w, box.h);
    cairo_clip(cairo_);
}

void FileCanvas::unclip() {
    if (recording_)
        svg_ += "</g>\n";
    else
        cairo_restore(cairo_);
}

std::string FileCanvas::finish() {
    cairo_surface_flush(surface_);
    const cairo_status_t drawing = cairo_status(cairo_);
    const cairo_status_t status = drawing != CAIRO_STATUS_SUCCESS ? drawing : cairo_surface_status(surface_);
    return status == CAIRO_STATUS_SUCCESS ? "" : cairo_status_to_string(status);
}

void require_written(const std::string& problem, const std::filesystem::path& path) {
    if (!problem.empty())
        throw Error(ErrorKind::file, fmt::format("'{}' cannot be written: {}", path.string(), problem));
}

}  // namespace convscope
