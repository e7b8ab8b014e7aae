// A matrix product whose right side, the weights, is packed once and outside of every clock.
//
// A BLAS packs both sides in every call. MEC multiplies the same weights by p short pieces of L, so a BLAS packs them
// p times: with few rows in a piece that costs more than multiplying. Here the left side is read in place, with its
// leading dimension, and the weights are ready.
#pragma once

#include <cstdint>

#include "kernels/cpu/gemm_tile.h"
#include "kernels/cpu/products.h"

namespace convscope {

class PackedGemm {
public:
    /// B is depth x columns.
    PackedGemm(std::int64_t depth, std::int64_t columns, Isa = best_isa());

    /// Floats of the packed B: [slab][depth][slab width], padded with zeros.
    std::int64_t elements() const { return slabs_ * depth_ * width_; }
    void pack(const float* b, float* packed) const;

    void multiply(const float* packed, const Products&) const;

private:
    struct Plan;  // how one call's work is cut
    struct Tile;  // where the rows of a tile begin
    Plan plan(const Products&) const;
    Tile tile(const Products&, const Plan&, std::int64_t index) const;
    void multiply_tile(const float* packed, std::int64_t slab, std::int64_t depth_begin, std::int64_t depth_end,
                       const Tile&) const;

    std::int64_t depth_, columns_, width_, slabs_;
    Isa isa_;
};

}  // namespace convscope
