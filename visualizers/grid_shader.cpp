#include "visualizers/grid_shader.h"

#include <epoxy/gl.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace convscope {
namespace {

// Two triangles over the whole framebuffer; the scissor cuts out the grid's box.
constexpr const char* vertex_source = R"(#version 430 core
void main() {
    vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1);
    gl_Position = vec4(corner * 2.0 - 1.0, 0.0, 1.0);
}
)";

constexpr const char* fragment_source = R"(#version 430 core
layout(std430, binding = 0) readonly buffer Elements { uint bits[]; };
uniform uint first, row_stride;
uniform ivec2 size;          // cols, rows
uniform bool integers, empty_slots, zero_is_a_value;
uniform vec2 range;
uniform vec2 box;            // top left, px from the top left
uniform vec2 cell;           // px
uniform ivec2 origin;        // col, row at the box's corner
uniform vec2 origin_part;
uniform float fb_height, line, hatch, scale;
uniform int tint_rows, tint_first;
uniform vec3 ramp[9];
uniform vec3 tints[7];
uniform vec3 zero_color, hatch_color, nan_color;
out vec4 color;

const int most_taps = 4;     // per axis: the work per pixel is bounded, whatever the array's size

vec3 value_color(float v) {
    float most = max(abs(range.x), abs(range.y));
    float t = most > 0.0 ? clamp(v / most, -1.0, 1.0) : 0.0;
    // The smallest values keep clear of the colour of zero; the same numbers as Theme::value.
    t = range.x < 0.0 ? 0.5 + 0.42 * t + (t < 0.0 ? -0.08 : 0.08) : 0.15 + 0.85 * max(t, 0.0);
    float at = t * 8.0;
    int low = min(int(at), 7);
    return mix(ramp[low], ramp[low + 1], at - float(low));
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
    vec2 grid_at = pixel / cell + origin_part;
    ivec2 taps = clamp(ivec2(ceil(1.0 / cell)), ivec2(1), ivec2(most_taps));
    if (taps.x * taps.y > 1) {
        color = aggregate(grid_at, taps);
        if (color.a == 0.0) discard;
        return;
    }
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

void set_color(int location, const Rgba& color) {
    glUniform3f(location, color.r, color.g, color.b);
}

}  // namespace

GridShader::GridShader() : program_("grid", vertex_source, fragment_source), vertices_("grid") {}

void GridShader::set_array(const GridDraw& d) const {
    glUniform1ui(program_.uniform("first"), d.first);
    glUniform1ui(program_.uniform("row_stride"), d.row_stride);
    glUniform2i(program_.uniform("size"), d.cols, d.rows);
    glUniform1i(program_.uniform("integers"), d.integers);
    glUniform1i(program_.uniform("empty_slots"), d.empty_slots);
    glUniform1i(program_.uniform("zero_is_a_value"), d.zero_is_a_value);
    glUniform2f(program_.uniform("range"), d.range.low, d.range.high);
}

void GridShader::set_look(const GridDraw& d) const {
    glUniform2f(program_.uniform("box"), d.x, d.y);
    glUniform2f(program_.uniform("cell"), d.cell_w, d.cell_h);
    glUniform2i(program_.uniform("origin"), d.left, d.top);
    glUniform2f(program_.uniform("origin_part"), d.left_part, d.top_part);
    glUniform1f(program_.uniform("line"), d.line);
    glUniform1f(program_.uniform("hatch"), d.hatch);
    glUniform1f(program_.uniform("scale"), d.scale);
    glUniform1i(program_.uniform("tint_rows"), d.tint_rows);
    glUniform1i(program_.uniform("tint_first"), d.tint_first);
    set_colors(program_.uniform("ramp"), d.range.low < 0 ? d.theme->diverging : d.theme->sequential);
    set_colors(program_.uniform("tints"), d.theme->categorical);
    set_color(program_.uniform("zero_color"), d.theme->zero);
    set_color(program_.uniform("hatch_color"), d.theme->hatch);
    set_color(program_.uniform("nan_color"), d.theme->not_a_number);
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
    glUseProgram(program_.id());
    set_array(d);
    set_look(d);
    glUniform1f(program_.uniform("fb_height"), static_cast<float>(fb_height));
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, d.buffer);
    glBindVertexArray(vertices_.id());
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    glBindVertexArray(0);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, 0);
    glUseProgram(0);
}

}  // namespace convscope
