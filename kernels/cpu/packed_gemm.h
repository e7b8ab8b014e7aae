// A matrix product whose right side, the weights, is packed once and outside of every clock.
//
// A BLAS packs both sides in every call. MEC multiplies the same weights by p short pieces of L, so a BLAS packs them
// p times: with few rows in a piece that costs more than multiplying. Here the left side is read in place, with its
// leading dimension, and the weights are ready.
#pragma once

#include <array>
#include <cstdint>

#include "kernels/cpu/products.h"

namespace convscope {

/// The instructions that a product is compiled for.
enum class Isa { avx512, avx2, baseline };
bool supported(Isa);  ///< by this CPU
Isa best_isa();

class PackedGemm {
public:
    /// B is depth x columns.
    PackedGemm(std::int64_t depth, std::int64_t columns, Isa = best_isa());

    /// Floats of the packed B: [slab][depth][slab width], padded with zeros.
    std::int64_t elements() const { return slabs_ * depth_ * width_; }
    void pack(const float* b, float* packed) const;

    /// In parallel over slabs, tiles of rows and products.
    void multiply(const float* packed, const Products&) const;

    static constexpr int tallest = 12;  ///< rows of a tile

private:
    /// Where the rows of a tile begin in A and in C.
    struct TileRows {
        std::array<const float*, tallest> a;
        std::array<float*, tallest> c;
        std::size_t count = 0;
    };
    TileRows rows_of_one(const Products&, std::int64_t i, std::int64_t first, std::int64_t count) const;
    TileRows rows_of_many(const Products&, std::int64_t first, std::int64_t count) const;
    std::int64_t slabs_per_block(std::int64_t tiles) const;
    void multiply_tile(const float* packed, std::int64_t slab, const TileRows&) const;

    std::int64_t depth_, columns_, width_, slabs_;
    Isa isa_;
};

}  // namespace convscope
