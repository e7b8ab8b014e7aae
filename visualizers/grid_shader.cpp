#include "visualizers/grid_shader.h"

#include <epoxy/gl.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "visualizers/grid_shader_source.h"

namespace convscope {
namespace {

constexpr int sample_taps = 4;  // per axis, where elements stand for their neighbours

template <std::size_t N>
void set_colors(int location, const std::array<Rgba, N>& colors) {
    std::array<float, 3 * N> flat;
    for (std::size_t i = 0; i < N; ++i) {
        flat[3 * i] = colors[i].r;
        flat[3 * i + 1] = colors[i].g;
        flat[3 * i + 2] = colors[i].b;
    }
    glUniform3fv(location, static_cast<GLsizei>(N), flat.data());
}

void set_color(int location, const Rgba& color) {
    glUniform3f(location, color.r, color.g, color.b);
}

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

/// Where the grid stands, and what its values look like. 'range' is that of what is shown.
void set_common(const gl::Program& program, const GridDraw& d, const ValueRange& range, int fb_height) {
    glUniform2i(program.uniform("size"), d.cols, d.rows);
    glUniform1i(program.uniform("integers"), d.integers);
    glUniform1i(program.uniform("empty_slots"), d.empty_slots);
    glUniform1i(program.uniform("zero_is_a_value"), d.zero_is_a_value);
    const float most = std::max(std::abs(range.low), std::abs(range.high));
    glUniform1f(program.uniform("most"), most);
    glUniform1uiv(program.uniform("colors"), 256, value_colors(*d.theme, range, most).data());
    glUniform2f(program.uniform("box"), d.x, d.y);
    glUniform2f(program.uniform("cell"), d.cell_w, d.cell_h);
    glUniform2i(program.uniform("origin"), d.left, d.top);
    glUniform2f(program.uniform("origin_part"), d.left_part, d.top_part);
    glUniform1f(program.uniform("fb_height"), static_cast<float>(fb_height));
    set_color(program.uniform("zero_color"), d.theme->zero);
    set_color(program.uniform("nan_color"), d.theme->not_a_number);
}

/// What only whole cells have.
void set_cells(const gl::Program& program, const GridDraw& d) {
    glUniform1f(program.uniform("line"), d.line);
    glUniform1f(program.uniform("hatch"), d.hatch);
    glUniform1f(program.uniform("scale"), d.scale);
    glUniform1i(program.uniform("tint_rows"), d.tint_rows);
    glUniform1i(program.uniform("tint_first"), d.tint_first);
    set_colors(program.uniform("tints"), d.theme->categorical);
    set_color(program.uniform("hatch_color"), d.theme->hatch);
}

std::int64_t limit(GLenum name) {
    GLint64 value = 0;
    glGetInteger64v(name, &value);
    return value;
}

ValueRange shown_range(const GridDraw& d) {
    return d.aggregate == Aggregate::share ? ValueRange{0, 1} : d.range;
}

}  // namespace

GridShader::GridShader() : vertices_("grid") {}

const gl::Program& GridShader::program(Kind kind, Aggregate aggregate) const {
    const std::size_t at = kind == cells ? 0
                                         : 1 + static_cast<std::size_t>(aggregate_count) * (kind == tiles) +
                                               static_cast<std::size_t>(aggregate);
    if (!programs_[at]) {
        constexpr const char* kinds[] = {"#define CELLS\n", "#define SAMPLES\n", "#define TILES\n"};
        constexpr const char* shows[] = {"#define SHOW_SHARE\n", "#define SHOW_LARGEST\n", "#define SHOW_MEAN\n"};
        std::string source = "#version 430 core\n";
        source += kinds[kind];
        if (kind != cells) source += shows[static_cast<int>(aggregate)];
        source += grid_fragment_source;
        programs_[at] = std::make_unique<gl::Program>("grid", grid_vertex_source, source);
    }
    return *programs_[at];
}

void GridShader::draw(const GridDraw& d, int fb_width, int fb_height, const float clip[4]) const {
    Box box;
    box.x0 = std::clamp(static_cast<int>(std::floor(std::max(clip[0], d.x))), 0, fb_width);
    box.y0 = std::clamp(static_cast<int>(std::floor(std::max(clip[1], d.y))), 0, fb_height);
    box.x1 = std::clamp(static_cast<int>(std::ceil(std::min(clip[2], d.x + d.width))), 0, fb_width);
    box.y1 = std::clamp(static_cast<int>(std::ceil(std::min(clip[3], d.y + d.height))), 0, fb_height);
    if (box.x1 <= box.x0 || box.y1 <= box.y0) return;
    glViewport(0, 0, fb_width, fb_height);
    glEnable(GL_SCISSOR_TEST);
    glBindVertexArray(vertices_.id());
    if (std::min(d.cell_w, d.cell_h) >= 1) {
        draw_bands(d, cells, 0, box, fb_height);
    } else {
        const double rows = std::max(1.0, 1.0 / static_cast<double>(d.cell_h));
        const double cols = std::max(1.0, 1.0 / static_cast<double>(d.cell_w));
        const bool few = std::ceil(rows) * std::ceil(cols) <= most_single_taps;
        const std::size_t level = d.pyramid ? level_for(d.pyramid->levels(), rows, cols) : no_level;
        if (level != no_level)
            draw_tiles(d, level, box, fb_height);
        else
            draw_bands(d, samples, few ? static_cast<int>(most_single_taps) : sample_taps, box, fb_height);
    }
    glBindVertexArray(0);
    glUseProgram(0);
}

void GridShader::draw_tiles(const GridDraw& d, std::size_t at, const Box& box, int fb_height) const {
    const gl::Program& drawn = program(tiles, d.aggregate);
    const PyramidLevel& level = d.pyramid->levels()[at];
    glUseProgram(drawn.id());
    set_common(drawn, d, shown_range(d), fb_height);
    glUniform2i(drawn.uniform("tile"), static_cast<GLint>(level.tile_cols), static_cast<GLint>(level.tile_rows));
    glUniform2i(drawn.uniform("tiles"), static_cast<GLint>(level.cols), static_cast<GLint>(level.rows));
    for (GLuint plane = 0; plane < TilePyramid::planes; ++plane)
        glBindBufferRange(GL_SHADER_STORAGE_BUFFER, 1 + plane, d.pyramid->buffer(at),
                          plane * TilePyramid::plane_bytes(level), 8 * level.tiles());
    glScissor(box.x0, fb_height - box.y1, box.x1 - box.x0, box.y1 - box.y0);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    for (GLuint plane = 0; plane < TilePyramid::planes; ++plane)
        glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 1 + plane, 0);
}

/// The rows on screen, in as many parts as it takes to bind them: most arrays take one.
void GridShader::draw_bands(const GridDraw& d, Kind kind, int most_taps, const Box& box, int fb_height) const {
    const gl::Program& drawn = program(kind, d.aggregate);
    glUseProgram(drawn.id());
    set_common(drawn, d, kind == cells ? d.range : shown_range(d), fb_height);
    if (kind == cells) set_cells(drawn, d);
    if (kind == samples) glUniform1i(drawn.uniform("most_taps"), most_taps);
    glUniform1ui(drawn.uniform("row_stride"), static_cast<GLuint>(d.row_stride));

    const std::int64_t alignment = std::max<std::int64_t>(4, limit(GL_SHADER_STORAGE_BUFFER_OFFSET_ALIGNMENT));
    const std::int64_t seen = limit(GL_MAX_SHADER_STORAGE_BLOCK_SIZE) - alignment;
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
        glUniform1ui(drawn.uniform("first"), static_cast<GLuint>((from - bound) / 4));
        glUniform2i(drawn.uniform("band"), static_cast<GLint>(row), static_cast<GLint>(last));
        const int y0 = std::clamp(static_cast<int>(y_of(row)) - 1, box.y0, box.y1);
        const int y1 = std::clamp(static_cast<int>(y_of(last)) + 2, box.y0, box.y1);
        if (y1 <= y0) continue;
        glScissor(box.x0, fb_height - y1, box.x1 - box.x0, y1 - y0);
        glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    }
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, 0);
}

}  // namespace convscope
