#include "kernels/cpu/gemm_tile.h"

#include <array>
#include <utility>

namespace convscope {
namespace {

// Vectors of 4, 8 and 16 floats. (Written out: the attribute is lost on a type that depends on a template argument.)
using Float4 = float __attribute__((vector_size(16), aligned(4), may_alias));
using Float8 = float __attribute__((vector_size(32), aligned(4), may_alias));
using Float16 = float __attribute__((vector_size(64), aligned(4), may_alias));

/// Rows x (Vectors vectors) of C, kept in registers over the whole depth. 'b' has rows of 'width' floats.
template <int Rows, int Vectors, class Vector>
[[gnu::always_inline]] inline void tile(std::int64_t depth, const float* const* a, const float* b, std::int64_t width,
                                        float* const* c, std::int64_t at, bool accumulate) {
    Vector sums[Rows][Vectors] = {};
    const float* rows[Rows];
    for (int r = 0; r < Rows; ++r) {
        rows[r] = a[r];
        if (!accumulate) continue;
        for (int v = 0; v < Vectors; ++v) sums[r][v] = reinterpret_cast<const Vector*>(c[r] + at)[v];
    }
    for (std::int64_t d = 0; d < depth; ++d, b += width) {
        Vector row[Vectors];
        for (int v = 0; v < Vectors; ++v) row[v] = reinterpret_cast<const Vector*>(b)[v];
        for (int r = 0; r < Rows; ++r)
            for (int v = 0; v < Vectors; ++v) sums[r][v] += row[v] * rows[r][d];
    }
    for (int r = 0; r < Rows; ++r)
        for (int v = 0; v < Vectors; ++v) reinterpret_cast<Vector*>(c[r] + at)[v] = sums[r][v];
}

struct Avx512 {
    template <int Rows, int Width>
    [[gnu::target("avx512f")]] static void run(std::int64_t depth, const float* const* a, const float* b,
                                               float* const* c, std::int64_t at, bool accumulate) {
        tile<Rows, Width / 16, Float16>(depth, a, b, Width, c, at, accumulate);
    }
};

/// 16 registers: 12 rows go through in two halves, 32 columns likewise.
struct Avx2 {
    template <int Rows, int Width>
    [[gnu::target("avx2,fma")]] static void run(std::int64_t depth, const float* const* a, const float* b,
                                                float* const* c, std::int64_t at, bool accumulate) {
        constexpr int upper = Rows > 6 ? Rows / 2 : Rows, lower = Rows - upper;
        for (int column = 0; column < Width; column += 16) {
            tile<upper, 2, Float8>(depth, a, b + column, Width, c, at + column, accumulate);
            if constexpr (lower > 0)
                tile<lower, 2, Float8>(depth, a + upper, b + column, Width, c + upper, at + column, accumulate);
        }
    }
};

struct Baseline {
    template <int Rows, int Width>
    static void run(std::int64_t depth, const float* const* a, const float* b, float* const* c, std::int64_t at,
                    bool accumulate) {
        for (int row = 0; row < Rows; ++row)
            for (int column = 0; column < Width; column += 16)
                tile<1, 4, Float4>(depth, a + row, b + column, Width, c + row, at + column, accumulate);
    }
};

/// By rows - 1.
using Table = std::array<TileFunction, tile_rows>;

template <class Set, int Width, int... Rows>
constexpr Table table(std::integer_sequence<int, Rows...>) {
    return {&Set::template run<Rows + 1, Width>...};
}

template <class Set>
TileFunction choose(std::int64_t rows, bool wide) {
    constexpr auto all_rows = std::make_integer_sequence<int, tile_rows>();
    static constexpr Table narrow_tiles = table<Set, narrow_columns>(all_rows);
    static constexpr Table wide_tiles = table<Set, tile_columns>(all_rows);
    return (wide ? wide_tiles : narrow_tiles)[static_cast<std::size_t>(rows - 1)];
}

}  // namespace

TileFunction tile_function(Isa isa, std::int64_t rows, bool wide) {
    if (isa == Isa::avx512) return choose<Avx512>(rows, wide);
    if (isa == Isa::avx2) return choose<Avx2>(rows, wide);
    return choose<Baseline>(rows, wide);
}

bool supported(Isa isa) {
    if (isa == Isa::avx512) return __builtin_cpu_supports("avx512f");
    if (isa == Isa::avx2) return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    return true;
}

Isa best_isa() {
    for (Isa isa : {Isa::avx512, Isa::avx2})
        if (supported(isa)) return isa;
    return Isa::baseline;
}

}  // namespace convscope
