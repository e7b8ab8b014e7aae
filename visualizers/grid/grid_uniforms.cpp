#include "visualizers/grid/grid_uniforms.h"

#include <epoxy/gl.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace convscope {
namespace {

/// Colours of values from -most to most, as the shader looks them up.
std::array<std::uint32_t, 256> value_colors(const Theme& theme, const ValueRange& range, float most) {
    std::array<std::uint32_t, 256> colors;
    for (int i = 0; i < 256; ++i) {
        // No entry stands for zero itself: the first of each sign is its smallest value.
        const float share =
            i < 128 ? static_cast<float>(i - 127) / 127 - 1e-6f : static_cast<float>(i - 128) / 127 + 1e-6f;
        colors[static_cast<std::size_t>(i)] = theme.value(share * most, range).u32();
    }
    return colors;
}

}  // namespace

void set_color_uniform(int location, const Rgba& color) {
    glUniform3f(location, color.r, color.g, color.b);
}

void set_grid_uniforms(const gl::Program& program, const GridDraw& d, const ValueRange& range) {
    glUniform2i(program.uniform("size"), d.cols, d.rows);
    glUniform1i(program.uniform("integers"), d.integers);
    glUniform1i(program.uniform("empty_slots"), d.empty_slots);
    glUniform1i(program.uniform("zero_is_a_value"), d.zero_is_a_value);
    const float most = std::max(std::abs(range.low), std::abs(range.high));
    glUniform1f(program.uniform("most"), most);
    glUniform1uiv(program.uniform("colors"), 256, value_colors(*d.theme, range, most).data());
    glUniform2f(program.uniform("cell"), d.cell_w, d.cell_h);
    glUniform2i(program.uniform("origin"), d.left, d.top);
    glUniform2f(program.uniform("origin_part"), d.left_part, d.top_part);
    set_color_uniform(program.uniform("zero_color"), d.theme->zero);
    set_color_uniform(program.uniform("nan_color"), d.theme->not_a_number);
}

void for_each_band(const gl::Program& program, const GridDraw& d, const PixelBox& box,
                   const std::function<void(int y0, int y1)>& draw) {
    glUniform1ui(program.uniform("row_stride"), static_cast<GLuint>(d.row_stride));
    const std::int64_t alignment = std::max<std::int64_t>(4, gl::limit(GL_SHADER_STORAGE_BUFFER_OFFSET_ALIGNMENT));
    const std::int64_t seen = gl::limit(GL_MAX_SHADER_STORAGE_BLOCK_SIZE) - alignment;
    const std::int64_t at_once = std::max<std::int64_t>(1, seen / (4 * std::max(d.row_stride, std::int64_t{d.cols})));
    auto row_at = [&d](int y) { return d.top + (static_cast<double>(y) - d.y) / d.cell_h + d.top_part; };
    const auto begin = std::clamp<std::int64_t>(static_cast<std::int64_t>(row_at(box.y0)) - 1, 0, d.rows);
    const auto end = std::clamp<std::int64_t>(static_cast<std::int64_t>(row_at(box.y1)) + 2, 0, d.rows);
    auto y_of = [&d](std::int64_t row) { return d.y + (static_cast<double>(row - d.top) - d.top_part) * d.cell_h; };
    for (std::int64_t row = begin; row < end; row += at_once) {
        const std::int64_t last = std::min(end, row + at_once);
        const std::int64_t from = 4 * (d.first + row * d.row_stride), bound = from / alignment * alignment;
        const std::int64_t to = 4 * (d.first + (last - 1) * d.row_stride + d.cols);
        glBindBufferRange(GL_SHADER_STORAGE_BUFFER, 0, d.buffer, bound, to - bound);
        glUniform1ui(program.uniform("first"), static_cast<GLuint>((from - bound) / 4));
        glUniform2i(program.uniform("band"), static_cast<GLint>(row), static_cast<GLint>(last));
        const int y0 = std::clamp(static_cast<int>(y_of(row)) - 1, box.y0, box.y1);
        const int y1 = std::clamp(static_cast<int>(y_of(last)) + 2, box.y0, box.y1);
        if (y1 > y0) draw(y0, y1);
    }
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, 0);
}

}  // namespace convscope
