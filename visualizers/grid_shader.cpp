#include "visualizers/grid_shader.h"

#include <epoxy/gl.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

namespace convscope {
namespace {

// Two triangles over the whole framebuffer; the scissor cuts out the grid's box.
constexpr const char* vertex_source = R"(#version 430 core
void main() {
    vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1);
    gl_Position = vec4(corner * 2.0 - 1.0, 0.0, 1.0);
}
)";

// Software renderers walk both sides of every branch, so what is drawn in exact cells and what in aggregates are two
// programs made from one source.
constexpr const char* fragment_source = R"(
layout(std430, binding = 0) readonly buffer Elements { uint bits[]; };
uniform uint first, row_stride;
uniform ivec2 size;          // cols, rows
uniform bool integers, empty_slots, zero_is_a_value;
uniform float most;          // largest magnitude
uniform vec2 box;            // top left, px from the top left
uniform vec2 cell;           // px
uniform ivec2 origin;        // col, row at the box's corner
uniform vec2 origin_part;
uniform float fb_height, line, hatch, scale;
uniform int tint_rows, tint_first;
uniform uint colors[256];    // of values from -most to most
uniform vec3 tints[7];
uniform vec3 zero_color, hatch_color, nan_color;
out vec4 color;

const int most_taps = 4;     // per axis: the work per pixel is bounded, whatever the array's size

vec3 value_color(float v) {
    float t = most > 0.0 ? clamp(v / most, -1.0, 1.0) : 0.0;
    // Half the table for each sign, so that the smallest value of a sign has that sign's colour.
    int at = v < 0.0 ? int((1.0 + t) * 127.0) : 128 + int(t * 127.0);
    return unpackUnorm4x8(colors[at]).rgb;
}

bool element(ivec2 at, out float v) {
    uint raw = bits[first + uint(at.y) * row_stride + uint(at.x)];
    v = integers ? float(int(raw)) : uintBitsToFloat(raw);
    return !(empty_slots && raw == 0xffffffffu);
}

bool is_zero(float v) {
    return !zero_is_a_value && (integers ? v <= 0.0 : v == 0.0);
}

vec3 zero_cell(ivec2 at, vec2 pixel) {
    vec3 c = zero_color;
    if (min(cell.x, cell.y) >= 7.0) {
        float stripe = mod(pixel.x + pixel.y, 6.0 * scale);
        if (stripe < 1.25 * scale) c = mix(c, hatch_color, hatch);
    }
    if (tint_rows > 0) c = mix(c, tints[((at.y / tint_rows) + tint_first) % 7], 0.14);
    return c;
}

#ifdef AGGREGATE
// Mean magnitude of the non-zero elements under the pixel, and how many of them there are.
vec4 aggregate(vec2 grid_at, ivec2 taps) {
    int seen = 0, filled = 0;
    float sum = 0.0, signs = 0.0;
    for (int j = 0; j < taps.y; ++j)
        for (int i = 0; i < taps.x; ++i) {
            vec2 part = (vec2(i, j) + 0.5) / vec2(taps) - 0.5;
            ivec2 at = origin + ivec2(floor(grid_at + part / cell));
            float v;
            if (any(lessThan(at, ivec2(0))) || any(greaterThanEqual(at, size)) || !element(at, v)) continue;
            ++seen;
            if (is_zero(v) || isnan(v)) continue;
            ++filled;
            sum += abs(v);
            signs += v;
        }
    if (seen == 0) return vec4(0.0);
    if (filled == 0) return vec4(zero_color, 1.0);
    float density = float(filled) / float(seen);
    float mean = sum / float(filled) * (signs < 0.0 ? -1.0 : 1.0);
    return vec4(mix(zero_color, value_color(mean), max(density, 0.25)), 1.0);
}

void main() {
    vec2 pixel = vec2(gl_FragCoord.x, fb_height - gl_FragCoord.y) - box;
    color = aggregate(pixel / cell + origin_part, clamp(ivec2(ceil(1.0 / cell)), ivec2(1), ivec2(most_taps)));
    if (color.a == 0.0) discard;
}
#else
void main() {
    vec2 pixel = vec2(gl_FragCoord.x, fb_height - gl_FragCoord.y) - box;
    vec2 grid_at = pixel / cell + origin_part;
    ivec2 at = origin + ivec2(floor(grid_at));
    if (any(lessThan(at, ivec2(0))) || any(greaterThanEqual(at, size))) discard;
    // A gap between large cells reads as a hairline grid.
    vec2 inside = fract(grid_at) * cell;
    if (min(cell.x, cell.y) >= 6.0 && (inside.x < line || inside.y < line)) discard;
    float v;
    if (!element(at, v)) {
        if (tint_rows == 0) discard;
        color = vec4(tints[((at.y / tint_rows) + tint_first) % 7], 0.07);
    } else if (isnan(v)) {
        color = vec4(nan_color, 1.0);
    } else if (is_zero(v)) {
        color = vec4(zero_cell(at, pixel), 1.0);
    } else {
        color = vec4(value_color(v), 1.0);
    }
}
#endif
)";

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

std::string fragment(const char* defines) {
    return std::string("#version 430 core\n") + defines + fragment_source;
}

/// Colours of values from -most to most, as the shader looks them up.
std::array<std::uint32_t, 256> value_colors(const GridDraw& d, float most) {
    std::array<std::uint32_t, 256> colors;
    for (int i = 0; i < 256; ++i) {
        // No entry stands for zero itself: the first of each sign is its smallest value.
        const float share =
            i < 128 ? static_cast<float>(i - 127) / 127 - 1e-6f : static_cast<float>(i - 128) / 127 + 1e-6f;
        colors[static_cast<std::size_t>(i)] = d.theme->value(share * most, d.range).u32();
    }
    return colors;
}

void set_color(int location, const Rgba& color) {
    glUniform3f(location, color.r, color.g, color.b);
}

}  // namespace

GridShader::GridShader()
    : exact_("grid", vertex_source, fragment("")),
      aggregate_("grid.aggregate", vertex_source, fragment("#define AGGREGATE\n")),
      vertices_("grid") {}

void GridShader::set_array(const gl::Program& program, const GridDraw& d) {
    glUniform1ui(program.uniform("first"), d.first);
    glUniform1ui(program.uniform("row_stride"), d.row_stride);
    glUniform2i(program.uniform("size"), d.cols, d.rows);
    glUniform1i(program.uniform("integers"), d.integers);
    glUniform1i(program.uniform("empty_slots"), d.empty_slots);
    glUniform1i(program.uniform("zero_is_a_value"), d.zero_is_a_value);
    const float most = std::max(std::abs(d.range.low), std::abs(d.range.high));
    glUniform1f(program.uniform("most"), most);
    glUniform1uiv(program.uniform("colors"), 256, value_colors(d, most).data());
}

void GridShader::set_look(const gl::Program& program, const GridDraw& d) {
    glUniform2f(program.uniform("box"), d.x, d.y);
    glUniform2f(program.uniform("cell"), d.cell_w, d.cell_h);
    glUniform2i(program.uniform("origin"), d.left, d.top);
    glUniform2f(program.uniform("origin_part"), d.left_part, d.top_part);
    glUniform1f(program.uniform("line"), d.line);
    glUniform1f(program.uniform("hatch"), d.hatch);
    glUniform1f(program.uniform("scale"), d.scale);
    glUniform1i(program.uniform("tint_rows"), d.tint_rows);
    glUniform1i(program.uniform("tint_first"), d.tint_first);
    set_colors(program.uniform("tints"), d.theme->categorical);
    set_color(program.uniform("zero_color"), d.theme->zero);
    set_color(program.uniform("hatch_color"), d.theme->hatch);
    set_color(program.uniform("nan_color"), d.theme->not_a_number);
}

void GridShader::draw(const GridDraw& d, int fb_width, int fb_height, const float clip[4]) const {
    const int x0 = std::clamp(static_cast<int>(std::floor(std::max(clip[0], d.x))), 0, fb_width);
    const int y0 = std::clamp(static_cast<int>(std::floor(std::max(clip[1], d.y))), 0, fb_height);
    const int x1 = std::clamp(static_cast<int>(std::ceil(std::min(clip[2], d.x + d.width))), 0, fb_width);
    const int y1 = std::clamp(static_cast<int>(std::ceil(std::min(clip[3], d.y + d.height))), 0, fb_height);
    if (x1 <= x0 || y1 <= y0) return;
    glViewport(0, 0, fb_width, fb_height);
    glEnable(GL_SCISSOR_TEST);
    glScissor(x0, fb_height - y1, x1 - x0, y1 - y0);
    const gl::Program& program = std::min(d.cell_w, d.cell_h) < 1 ? aggregate_ : exact_;
    glUseProgram(program.id());
    set_array(program, d);
    set_look(program, d);
    glUniform1f(program.uniform("fb_height"), static_cast<float>(fb_height));
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, d.buffer);
    glBindVertexArray(vertices_.id());
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    glBindVertexArray(0);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, 0);
    glUseProgram(0);
}

}  // namespace convscope
