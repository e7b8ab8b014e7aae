// One tile of a matrix product, compiled for several instruction sets.
#pragma once

#include <cstdint>

namespace convscope {

/// The instructions that a tile is compiled for.
enum class Isa { avx512, avx2, baseline };
bool supported(Isa);  ///< by this CPU
Isa best_isa();

constexpr int tile_rows = 12;     ///< the most rows of a tile
constexpr int tile_columns = 32;  ///< of a wide one: two vectors of AVX-512, so that 12 rows keep 24 sums
constexpr int narrow_columns = 16;

/// C = A B, or C += A B with 'accumulate'. Row r of A begins at a[r], row r of C at c[r] + at; B has rows of 16 or 32
/// floats, one behind the other.
using TileFunction = void (*)(std::int64_t depth, const float* const* a, const float* b, float* const* c,
                              std::int64_t at, bool accumulate);

/// 'rows' is 1 .. tile_rows.
TileFunction tile_function(Isa, std::int64_t rows, bool wide);

}  // namespace convscope
