// Compressed windows times many filters: the SpMV of ECR and PECR, vectorised over filters.
#pragma once

#include <cstdint>

#include "kernels/layers/conv_shape.h"

namespace convscope {

/// The weights of a shape as slabs of up to 64 filters: [slab][c r s][slab_width], so that one non-zero element
/// meets its weights of a whole slab in one run of memory, and a slab stays in the cache for all windows.
class SparseFilters {
public:
    explicit SparseFilters(const ConvShape&);

    std::int64_t slab_width() const { return width_; }  ///< 16, 32 or 64; filters past k have weights of zero
    std::int64_t slabs() const { return (k_ + width_ - 1) / width_; }
    std::int64_t slab_filters(std::int64_t slab) const;  ///< how many of the slab's filters exist
    std::int64_t elements() const { return slabs() * reduction_ * width_; }

    /// KCRS to slabs.
    void pack(const float* w, float* packed) const;
    /// sums[f] = the window's values times filter f of the slab, for slab_width() filters.
    void multiply(const float* packed, std::int64_t slab, const float* values, const std::int32_t* positions,
                  std::int64_t count, float* sums) const;

    static constexpr std::int64_t widest = 64;

    /// Results of neighbouring outputs, [output][filter of the slab]. They are stored together: filters are planes
    /// apart in NCHW, and one float a plane would miss the caches in every store.
    struct ResultTile {
        static constexpr std::int64_t outputs = 16;
        float sums[outputs][widest];
    };
    /// Into y, (n, k, plane): outputs [first, first + ResultTile::outputs) of an image, as far as the plane has them.
    void store(const ResultTile&, std::int64_t slab, std::int64_t image, std::int64_t plane, std::int64_t first,
               float* y) const;

private:
    std::int64_t k_, reduction_, width_;
};

}  // namespace convscope
