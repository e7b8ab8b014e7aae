#include "kernels/cpu/packed_gemm.h"

#include <omp.h>

#include <algorithm>
#include <array>
#include <utility>

#include "kernels/cpu/parallel.h"

namespace convscope {
namespace {

constexpr std::int64_t widest = 32;  // columns of a slab: two vectors of AVX-512, so that 12 rows keep 24 sums
constexpr int tallest = PackedGemm::tallest;
constexpr std::int64_t block_bytes = 512 << 10;  // of packed B: half of a usual second-level cache

// Vectors of 4, 8 and 16 floats. (Written out: the attribute is lost on a type that depends on a template argument.)
using Float4 = float __attribute__((vector_size(16), aligned(4), may_alias));
using Float8 = float __attribute__((vector_size(32), aligned(4), may_alias));
using Float16 = float __attribute__((vector_size(64), aligned(4), may_alias));

/// Rows x (Vectors vectors) of C, kept in registers over the whole depth, stored from column 'at' of each row on. 'b'
/// has rows of 'width' floats.
template <int Rows, int Vectors, class Vector>
[[gnu::always_inline]] inline void tile(std::int64_t depth, const float* const* a, const float* b, std::int64_t width,
                                        float* const* c, std::int64_t at) {
    Vector sums[Rows][Vectors] = {};
    const float* rows[Rows];
    for (int r = 0; r < Rows; ++r) rows[r] = a[r];
    for (std::int64_t d = 0; d < depth; ++d, b += width) {
        Vector row[Vectors];
        for (int v = 0; v < Vectors; ++v) row[v] = reinterpret_cast<const Vector*>(b)[v];
        for (int r = 0; r < Rows; ++r)
            for (int v = 0; v < Vectors; ++v) sums[r][v] += row[v] * rows[r][d];
    }
    for (int r = 0; r < Rows; ++r)
        for (int v = 0; v < Vectors; ++v) reinterpret_cast<Vector*>(c[r] + at)[v] = sums[r][v];
}

/// One tile of up to 12 rows by a slab's 16 or 32 columns.
using TileFunction = void (*)(std::int64_t depth, const float* const* a, const float* b, float* const* c,
                              std::int64_t at);

struct Avx512 {
    template <int Rows, int Width>
    [[gnu::target("avx512f")]] static void run(std::int64_t depth, const float* const* a, const float* b,
                                               float* const* c, std::int64_t at) {
        tile<Rows, Width / 16, Float16>(depth, a, b, Width, c, at);
    }
};

/// 16 registers: 12 rows go through in two halves, 32 columns likewise.
struct Avx2 {
    template <int Rows, int Width>
    [[gnu::target("avx2,fma")]] static void run(std::int64_t depth, const float* const* a, const float* b,
                                                float* const* c, std::int64_t at) {
        constexpr int upper = Rows > 6 ? Rows / 2 : Rows, lower = Rows - upper;
        for (int column = 0; column < Width; column += 16) {
            tile<upper, 2, Float8>(depth, a, b + column, Width, c, at + column);
            if constexpr (lower > 0)
                tile<lower, 2, Float8>(depth, a + upper, b + column, Width, c + upper, at + column);
        }
    }
};

struct Baseline {
    template <int Rows, int Width>
    static void run(std::int64_t depth, const float* const* a, const float* b, float* const* c, std::int64_t at) {
        for (int row = 0; row < Rows; ++row)
            for (int column = 0; column < Width; column += 16)
                tile<1, 4, Float4>(depth, a + row, b + column, Width, c + row, at + column);
    }
};

template <class Isa, int Width, int... Rows>
constexpr auto table(std::integer_sequence<int, Rows...>) {
    return std::array<TileFunction, sizeof...(Rows)>{&Isa::template run<Rows + 1, Width>...};
}

/// By rows - 1.
using Table = std::array<TileFunction, tallest>;

template <class Isa>
constexpr std::array<Table, 2> tables_of{table<Isa, 16>(std::make_integer_sequence<int, tallest>()),
                                         table<Isa, 32>(std::make_integer_sequence<int, tallest>())};

const std::array<Table, 2>& tables(Isa isa) {
    switch (isa) {
        case Isa::avx512:
            return tables_of<Avx512>;
        case Isa::avx2:
            return tables_of<Avx2>;
        case Isa::baseline:
            return tables_of<Baseline>;
    }
    return tables_of<Baseline>;
}

}  // namespace

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

PackedGemm::PackedGemm(std::int64_t depth, std::int64_t columns, Isa isa)
    : depth_(depth),
      columns_(columns),
      width_(columns <= 16 ? 16 : widest),
      slabs_((columns + width_ - 1) / width_),
      isa_(isa) {}

void PackedGemm::pack(const float* b, float* packed) const {
#pragma omp parallel for if (worth_threads(elements()))
    for (std::int64_t slab = 0; slab < slabs_; ++slab)
        for (std::int64_t d = 0; d < depth_; ++d) {
            const std::int64_t first = slab * width_, filled = std::min(width_, columns_ - first);
            float* to = std::copy_n(b + d * columns_ + first, filled, packed + (slab * depth_ + d) * width_);
            std::fill_n(to, width_ - filled, 0.0f);
        }
}

std::int64_t PackedGemm::slabs_per_block(std::int64_t tiles) const {
    if (tiles < omp_get_max_threads()) return 1;
    return std::clamp<std::int64_t>(block_bytes / (depth_ * width_ * std::int64_t{sizeof(float)}), 1, slabs_);
}

/// Rows [first, first + count) of product i.
PackedGemm::TileRows PackedGemm::rows_of_one(const Products& products, std::int64_t i, std::int64_t first,
                                             std::int64_t count) const {
    TileRows rows{};
    const float* a = products.a(i);
    for (std::int64_t r = first; r < first + count; ++r) {
        rows.a[rows.count] = a + r * products.lda;
        rows.c[rows.count++] = products.c + (i * products.rows + r) * columns_;
    }
    return rows;
}

/// Rows [first, first + count) in the order (row, product), products running fastest: those of MEC overlap, so a tile
/// reads little more of L than one of its rows does.
PackedGemm::TileRows PackedGemm::rows_of_many(const Products& products, std::int64_t first, std::int64_t count) const {
    TileRows rows{};
    for (std::int64_t at = first; at < first + count; ++at) {
        const std::int64_t row = at / products.count, i = at % products.count;
        rows.a[rows.count] = products.a(i) + row * products.lda;
        rows.c[rows.count++] = products.c + (i * products.rows + row) * columns_;
    }
    return rows;
}

// Outermost, as many slabs as stay in a core's cache; then a tile of rows, and within it every product: consecutive
// products of MEC share most of what they read of L. Innermost the slabs, which share a tile. Products of few rows
// share tiles, which would be half empty otherwise; for long ones that would scatter what is written.
void PackedGemm::multiply(const float* packed, const Products& products) const {
    const bool share = products.rows < 2 * tallest;
    const std::int64_t parts = share ? 1 : products.count;
    const std::int64_t rows = share ? products.count * products.rows : products.rows;
    const std::int64_t tiles = (rows + tallest - 1) / tallest;
    const std::int64_t per_block = slabs_per_block(tiles * parts), blocks = (slabs_ + per_block - 1) / per_block;
#pragma omp parallel for collapse(3) if (worth_threads(products.count * products.rows * depth_ * columns_))
    for (std::int64_t block = 0; block < blocks; ++block)
        for (std::int64_t t = 0; t < tiles; ++t)
            for (std::int64_t i = 0; i < parts; ++i) {
                // Tiles of equal height: 13 rows are 6 and 7, not 12 and 1.
                const std::int64_t first = rows * t / tiles, count = rows * (t + 1) / tiles - first;
                const TileRows tile =
                    share ? rows_of_many(products, first, count) : rows_of_one(products, i, first, count);
                const std::int64_t end = std::min(slabs_, (block + 1) * per_block);
                for (std::int64_t slab = block * per_block; slab < end; ++slab) multiply_tile(packed, slab, tile);
            }
}

void PackedGemm::multiply_tile(const float* packed, std::int64_t slab, const TileRows& rows) const {
    const TileFunction run = tables(isa_)[width_ == widest][rows.count - 1];
    const float* b = packed + slab * depth_ * width_;
    const std::int64_t first = slab * width_, filled = columns_ - first;
    if (filled >= width_) return run(depth_, rows.a.data(), b, rows.c.data(), first);
    // The last slab is wider than what is left of C.
    float sums[tallest][widest];
    std::array<float*, tallest> aside;
    for (std::size_t r = 0; r < tallest; ++r) aside[r] = sums[r];
    run(depth_, rows.a.data(), b, aside.data(), 0);
    for (std::size_t r = 0; r < rows.count; ++r) std::copy_n(sums[r], filled, rows.c[r] + first);
}

}  // namespace convscope
