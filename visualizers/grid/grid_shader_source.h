// GLSL of the grids: the programs that draw cells, aggregates of single elements, aggregates of the pyramid's tiles,
// and a picture of aggregates that is kept. Software renderers walk both sides of every branch, so what can be told
// beforehand is told by #define: SAMPLES or TILES, and SHOW_SHARE, SHOW_LARGEST or SHOW_MEAN.
#pragma once

namespace convscope {

constexpr const char* glsl_version = "#version 430 core\n";

// Two triangles over the whole framebuffer; the scissor cuts out the grid's box.
constexpr const char* grid_vertex_source = R"(#version 430 core
void main() {
    vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1);
    gl_Position = vec4(corner * 2.0 - 1.0, 0.0, 1.0);
}
)";

// Before the source of cells or of aggregates.
constexpr const char* grid_common_source = R"(
uniform ivec2 size;          // cols, rows
uniform bool integers, empty_slots, zero_is_a_value;
uniform float most;          // largest magnitude
uniform vec2 cell;           // px
uniform ivec2 origin;        // col, row at the box's corner
uniform vec2 origin_part;
uniform uint colors[256];    // of values from -most to most
uniform vec3 zero_color, nan_color;
out vec4 color;

vec3 value_color(float v) {
    float t = most > 0.0 ? clamp(v / most, -1.0, 1.0) : 0.0;
    // Half the table for each sign, so that the smallest value of a sign has that sign's colour.
    int at = v < 0.0 ? int((1.0 + t) * 127.0) : 128 + int(t * 127.0);
    return unpackUnorm4x8(colors[at]).rgb;
}

bool is_nan(uint raw) {
    return !integers && (raw & 0x7fffffffu) > 0x7f800000u;
}

float value_of(uint raw) {
    return integers ? float(int(raw)) : uintBitsToFloat(raw);
}

#ifndef TILES
// The rows 'band.x' to 'band.y' are bound: a shader can see so much of one buffer.
layout(std430, binding = 0) readonly buffer Elements { uint bits[]; };
uniform uint first, row_stride;
uniform ivec2 band;

uint element(ivec2 at) {
    return bits[first + uint(at.y - band.x) * row_stride + uint(at.x)];
}

bool is_zero(uint raw) {
    return !zero_is_a_value && (integers ? int(raw) <= 0 : (raw << 1) == 0u);
}
#endif
)";

constexpr const char* grid_cells_source = R"(
uniform vec2 box;            // top left, px from the top left
uniform float fb_height;
uniform float line, hatch, scale;
uniform int tint_rows, tint_first;
uniform vec3 tints[7];
uniform vec3 hatch_color;

vec3 zero_cell(ivec2 at, vec2 pixel) {
    vec3 c = zero_color;
    if (min(cell.x, cell.y) >= 7.0) {
        float stripe = mod(pixel.x + pixel.y, 6.0 * scale);
        if (stripe < 1.25 * scale) c = mix(c, hatch_color, hatch);
    }
    if (tint_rows > 0) c = mix(c, tints[((at.y / tint_rows) + tint_first) % 7], 0.14);
    return c;
}

void main() {
    vec2 pixel = vec2(gl_FragCoord.x, fb_height - gl_FragCoord.y) - box;
    vec2 grid_at = pixel / cell + origin_part;
    ivec2 at = origin + ivec2(floor(grid_at));
    if (any(lessThan(at, ivec2(0, band.x))) || any(greaterThanEqual(at, ivec2(size.x, band.y)))) discard;
    // A gap between large cells reads as a hairline grid.
    vec2 inside = fract(grid_at) * cell;
    if (min(cell.x, cell.y) >= 6.0 && (inside.x < line || inside.y < line)) discard;
    uint raw = element(at);
    if (empty_slots && raw == 0xffffffffu) {
        if (tint_rows == 0) discard;
        color = vec4(tints[((at.y / tint_rows) + tint_first) % 7], 0.07);
    } else if (is_nan(raw)) {
        color = vec4(nan_color, 1.0);
    } else if (is_zero(raw)) {
        color = vec4(zero_cell(at, pixel), 1.0);
    } else {
        color = vec4(value_color(value_of(raw)), 1.0);
    }
}
)";

constexpr const char* grid_aggregates_source = R"(
// Finds the element under a pixel. The elements are shared out among the pixels: each is under exactly one.
uniform vec2 corner;         // of the picture, px from the box's
uniform float pitch;         // px of the screen to one of the picture; its first row is the upper one
uint elements, filled = 0u, zeros = 0u, nans = 0u;
float least = 1.0, largest = -1.0, sum = 0.0;
bool any_value = false;

void include(float low, float high) {
    least = any_value ? min(least, low) : low;
    largest = any_value ? max(largest, high) : high;
    any_value = true;
}

#ifdef SAMPLES
uniform int max_taps;       // per axis: the work per pixel is bounded
void look(ivec2 from, ivec2 to) {
    ivec2 span = to - from, taps = min(span, ivec2(max_taps));
    elements = uint(taps.x * taps.y);
    for (int j = 0; j < taps.y; ++j)
        for (int i = 0; i < taps.x; ++i) {
            uint raw = element(from + (2 * ivec2(i, j) + 1) * span / (2 * taps));
            if (empty_slots && raw == 0xffffffffu) continue;
            ++filled;
            if (is_nan(raw)) {
                ++nans;
                continue;
            }
            if (is_zero(raw)) ++zeros;
            float v = value_of(raw);
            sum += v;
            include(v, v);
        }
}
#else
layout(std430, binding = 1) readonly buffer Spans { uvec2 spans[]; };
layout(std430, binding = 2) readonly buffer Sums { uvec2 sums[]; };
layout(std430, binding = 3) readonly buffer Counts { uvec2 counts[]; };
uniform ivec2 tile, tiles;   // cols, rows: of a tile in elements, of the level in tiles
void look(ivec2 low, ivec2 high) {
    ivec2 from = low / tile, to = max(high / tile, from + 1);
    if (high.x == size.x) to.x = tiles.x;
    if (high.y == size.y) to.y = tiles.y;
    ivec2 covered = min(to * tile, size) - from * tile;
    elements = uint(covered.x) * uint(covered.y);
    for (int j = from.y; j < to.y; ++j)
        for (int i = from.x; i < to.x; ++i) {
            int at = j * tiles.x + i;
#ifdef SHOW_SHARE
            uvec2 count = counts[at];
            zeros += count.x;
            filled += count.y;
#else
            uvec2 s = sums[at];
            nans += s.y;
#ifdef SHOW_MEAN
            uvec2 count = counts[at];
            zeros += count.x;
            filled += count.y;
            sum += uintBitsToFloat(s.x);
#else
            uvec2 span = spans[at];
            float low_value = value_of(span.x), high_value = value_of(span.y);
            if (low_value <= high_value) include(low_value, high_value);
#endif
#endif
        }
}
#endif

ivec2 edge(vec2 pixel) {
    return clamp(origin + ivec2(floor(pixel / cell + origin_part)), ivec2(0), size);
}

void main() {
    vec2 from = corner + (gl_FragCoord.xy - 0.5) * pitch;
    ivec2 low = edge(from), high = max(edge(from + pitch), low + 1);
    if (any(greaterThanEqual(low, size))) discard;
#ifdef SAMPLES
    if (low.y < band.x || low.y >= band.y) discard;
    high.y = min(high.y, band.y);
#endif
    look(low, high);
#ifdef SHOW_SHARE
    if (filled == 0u) discard;
    float shown = float(filled - zeros) / float(elements);
    bool nothing = filled == zeros;
#else
    if (nans > 0u) {
        color = vec4(nan_color, 1.0);
        return;
    }
#ifdef SHOW_MEAN
    if (filled == 0u) discard;
    float shown = sum / float(filled);
    bool nothing = filled == zeros;
#else
    if (!any_value) discard;
    // Integers below 0 stand for 'none', as 0 does.
    if (integers) least = max(least, 0.0);
    float shown = abs(least) > abs(largest) ? least : largest;
    bool nothing = !zero_is_a_value && (integers ? shown <= 0.0 : shown == 0.0);
#endif
#endif
    color = vec4(nothing ? zero_color : value_color(shown), 1.0);
}
)";

// A kept picture, one of its pixels to pitch x pitch of the screen.
constexpr const char* grid_picture_source = R"(#version 430 core
uniform sampler2D picture;
uniform ivec2 corner;        // px from the top left
uniform int pitch;
uniform float fb_height;
out vec4 color;
void main() {
    color = texelFetch(picture, (ivec2(gl_FragCoord.x, fb_height - gl_FragCoord.y) - corner) / pitch, 0);
    if (color.a == 0.0) discard;
}
)";

}  // namespace convscope
