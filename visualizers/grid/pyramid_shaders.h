// GLSL of the pyramid's two compute shaders and what they share.
#pragma once

namespace convscope {

// NaN and zero are told from the bits: compilers may assume that there is no NaN, and GPUs may flush denormals.
constexpr const char* pyramid_common = R"(#version 430 core
layout(local_size_x = 64) in;
uniform bool integers;
uniform uint first_tile, tile_end;      // of this dispatch; linear, row by row
uniform uvec2 tiles;                    // cols, rows of the level that is written

struct Stats { uvec2 span; float sum; uint nans, zeros, filled; };

Stats nothing() {
    // Least above largest: there are no values.
    return Stats(integers ? uvec2(0x7fffffffu, 0x80000000u) : uvec2(0x7f800000u, 0xff800000u), 0.0, 0u, 0u, 0u);
}

// Floats ordered by their bits, as integers are.
int order(uint raw) {
    int signed_bits = int(raw);
    return integers || signed_bits >= 0 ? signed_bits : signed_bits ^ 0x7fffffff;
}

uvec2 wider(uvec2 a, uvec2 b) {
    return uvec2(order(b.x) < order(a.x) ? b.x : a.x, order(b.y) > order(a.y) ? b.y : a.y);
}

layout(std430, binding = 1) buffer Spans { uvec2 spans[]; };
layout(std430, binding = 2) buffer Sums { uvec2 sums[]; };
layout(std430, binding = 3) buffer Counts { uvec2 counts[]; };

void store(uint at, Stats s) {
    spans[at] = s.span;
    sums[at] = uvec2(floatBitsToUint(s.sum), s.nans);
    counts[at] = uvec2(s.zeros, s.filled);
}
)";

// One invocation makes one tile of the finest level from its elements.
constexpr const char* pyramid_base = R"(
uniform bool empty_slots, zero_is_a_value;
uniform uint offset, row_stride;        // element of the array's row 'first_row' in the part that is bound
uniform uint first_row;
uniform uvec2 size;                     // cols, rows of the array
uniform uvec2 tile;                     // cols, rows of a tile
layout(std430, binding = 0) readonly buffer Elements { uint bits[]; };

void main() {
    uint at = first_tile + gl_GlobalInvocationID.x;
    if (at >= tile_end) return;
    uvec2 from = uvec2(at % tiles.x, at / tiles.x) * tile;
    uvec2 to = min(from + tile, size);
    Stats s = nothing();
    for (uint row = from.y; row < to.y; ++row) {
        uint line = offset + (row - first_row) * row_stride;
        for (uint col = from.x; col < to.x; ++col) {
            uint raw = bits[line + col];
            if (empty_slots && raw == 0xffffffffu) continue;
            ++s.filled;
            if (!integers && (raw & 0x7fffffffu) > 0x7f800000u) {
                ++s.nans;
                continue;
            }
            s.span = wider(s.span, uvec2(raw));
            s.sum += integers ? float(int(raw)) : uintBitsToFloat(raw);
            bool zero = integers ? int(raw) <= 0 : (raw << 1) == 0u;
            if (zero && !zero_is_a_value) ++s.zeros;
        }
    }
    store(at, s);
}
)";

// One invocation makes one tile of a coarser level from up to four of the level below.
constexpr const char* pyramid_merge = R"(
uniform uvec2 below;                    // cols, rows of the level that is read
uniform uvec2 factor;                   // its tiles in one of this level
layout(std430, binding = 4) readonly buffer FineSpans { uvec2 fine_spans[]; };
layout(std430, binding = 5) readonly buffer FineSums { uvec2 fine_sums[]; };
layout(std430, binding = 6) readonly buffer FineCounts { uvec2 fine_counts[]; };

void main() {
    uint at = first_tile + gl_GlobalInvocationID.x;
    if (at >= tile_end) return;
    uvec2 from = uvec2(at % tiles.x, at / tiles.x) * factor;
    uvec2 to = min(from + factor, below);
    Stats s = nothing();
    for (uint row = from.y; row < to.y; ++row)
        for (uint col = from.x; col < to.x; ++col) {
            uint fine = row * below.x + col;
            s.span = wider(s.span, fine_spans[fine]);
            s.sum += uintBitsToFloat(fine_sums[fine].x);
            s.nans += fine_sums[fine].y;
            s.zeros += fine_counts[fine].x;
            s.filled += fine_counts[fine].y;
        }
    store(at, s);
}
)";

}  // namespace convscope
