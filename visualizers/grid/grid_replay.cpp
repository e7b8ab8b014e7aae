#include "visualizers/grid/grid_replay.h"

#include <epoxy/gl.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <vector>

namespace convscope {
namespace {

// As the shader has them (grid_shader_source.h): cells with gaps between them, and with the stripes of zeros.
constexpr float with_gaps = 6, with_stripes = 7;
constexpr float stripe_period = 6, stripe_width = 1.25F;  ///< at scale 1
constexpr float zero_tint = 0.14F, empty_tint = 0.07F;

/// The cells of a row that are in sight.
std::vector<std::uint32_t> read_row(const GridDraw& draw, std::int64_t row, std::int64_t cols) {
    std::vector<std::uint32_t> bits(static_cast<std::size_t>(cols));
    glGetBufferSubData(GL_COPY_READ_BUFFER, 4 * (draw.first + row * draw.row_stride + draw.left), 4 * cols,
                       bits.data());
    return bits;
}

class Cells {
public:
    Cells(const GridDraw& draw, FileCanvas& canvas) : draw_(draw), theme_(*draw.theme), canvas_(canvas) {}

    void draw() {
        const auto count = [](float extent, float cell, float part, std::int32_t first, std::int32_t all) {
            return std::min<std::int64_t>(all - first, static_cast<std::int64_t>(std::ceil(extent / cell + part)));
        };
        const std::int64_t rows = count(draw_.height, draw_.cell_h, draw_.top_part, draw_.top, draw_.rows);
        const std::int64_t cols = count(draw_.width, draw_.cell_w, draw_.left_part, draw_.left, draw_.cols);
        glBindBuffer(GL_COPY_READ_BUFFER, draw_.buffer);
        for (std::int64_t j = 0; j < rows; ++j) {
            const std::vector<std::uint32_t> bits = read_row(draw_, draw_.top + j, cols);
            for (std::int64_t i = 0; i < cols; ++i) cell(bits[static_cast<std::size_t>(i)], draw_.top + j, i, j);
        }
        glBindBuffer(GL_COPY_READ_BUFFER, 0);
        canvas_.segments(stripes_, mix(theme_.zero, theme_.hatch, draw_.hatch),
                         stripe_width * draw_.scale / std::sqrt(2.0));
    }

private:
    void cell(std::uint32_t bits, std::int64_t row, std::int64_t i, std::int64_t j) {
        const double x = draw_.x + (static_cast<double>(i) - draw_.left_part) * draw_.cell_w;
        const double y = draw_.y + (static_cast<double>(j) - draw_.top_part) * draw_.cell_h;
        const CanvasBox box{x + draw_.line, y + draw_.line, draw_.cell_w - draw_.line, draw_.cell_h - draw_.line};
        const auto fill = [&](const Rgba& color) { canvas_.rectangle(box.x, box.y, box.w, box.h, color); };
        const auto tint = [&] { return theme_.category(row / draw_.tint_rows + draw_.tint_first); };
        if (draw_.empty_slots && bits == 0xffffffffU) {
            if (draw_.tint_rows > 0) fill(tint().with_alpha(empty_tint));
            return;
        }
        const float value =
            draw_.integers ? static_cast<float>(std::bit_cast<std::int32_t>(bits)) : std::bit_cast<float>(bits);
        if (std::isnan(value)) return fill(theme_.not_a_number);
        if (draw_.zero_is_a_value || (draw_.integers ? value > 0 : value != 0))
            return fill(theme_.value(value, draw_.range));
        fill(draw_.tint_rows > 0 ? mix(theme_.zero, tint(), zero_tint) : theme_.zero);
        if (std::min(draw_.cell_w, draw_.cell_h) >= with_stripes) stripe(box);
    }
    /// Lines from the lower left to the upper right, which run on from cell to cell.
    void stripe(const CanvasBox& box) {
        const double period = stripe_period * draw_.scale, half = stripe_width * draw_.scale / 2;
        const double from = box.x - draw_.x + box.y - draw_.y, to = from + box.w + box.h;
        for (double sum = std::ceil(from / period) * period + half; sum < to; sum += period) {
            const double at = sum + draw_.x + draw_.y;
            const double x0 = std::max(box.x, at - box.bottom()), x1 = std::min(box.right(), at - box.y);
            if (x1 <= x0) continue;
            stripes_.push_back({x0, at - x0});
            stripes_.push_back({x1, at - x1});
        }
    }

    const GridDraw& draw_;
    const Theme& theme_;
    FileCanvas& canvas_;
    std::vector<CanvasPoint> stripes_;
};

void copy_pixels(const CanvasBox& box, FileCanvas& canvas, const gl::Image& image) {
    std::vector<std::uint32_t> argb;
    for (int y = 0; y < image.height; ++y)
        for (int x = 0; x < image.width; ++x) {
            const gl::Image::Pixel pixel = image.at(x, y);
            argb.push_back(std::uint32_t{pixel.r} << 16 | std::uint32_t{pixel.g} << 8 | pixel.b);
        }
    canvas.image(box, image.width, image.height, std::move(argb));
}

}  // namespace

void replay_grid(const GridDraw& draw, FileCanvas& canvas, const std::function<gl::Image(CanvasBox&)>& pixels) {
    if (std::min(draw.cell_w, draw.cell_h) < with_gaps) {
        CanvasBox box{draw.x, draw.y, draw.width, draw.height};
        const gl::Image image = pixels(box);
        return copy_pixels(box, canvas, image);
    }
    Cells(draw, canvas).draw();
}

}  // namespace convscope
