#include "kernels/cpu/sparse_filters.h"

#include <algorithm>

#include "kernels/core/clones.h"
#include "kernels/core/parallel.h"

namespace convscope {
namespace {

constexpr std::int64_t vector_lanes = 16;  // floats of one vector (AVX-512; the compiler splits it for narrower ones)
using Vector = float __attribute__((vector_size(vector_lanes * sizeof(float)), aligned(4), may_alias));

// 'Vectors' sums side by side, and two elements at a time, so that the additions do not wait for each other.
template <int Vectors>
[[gnu::always_inline]] inline void accumulate(const float* weights, const float* values, const std::int32_t* positions,
                                              std::int64_t count, float* sums) {
    constexpr std::int64_t width = Vectors * vector_lanes;
    Vector even[Vectors] = {}, odd[Vectors] = {};
    std::int64_t i = 0;
    for (; i + 1 < count; i += 2) {
        const auto* first = reinterpret_cast<const Vector*>(weights + positions[i] * width);
        const auto* second = reinterpret_cast<const Vector*>(weights + positions[i + 1] * width);
        for (int v = 0; v < Vectors; ++v) {
            even[v] += first[v] * values[i];
            odd[v] += second[v] * values[i + 1];
        }
    }
    if (i < count) {
        const auto* last = reinterpret_cast<const Vector*>(weights + positions[i] * width);
        for (int v = 0; v < Vectors; ++v) even[v] += last[v] * values[i];
    }
    for (int v = 0; v < Vectors; ++v) reinterpret_cast<Vector*>(sums)[v] = even[v] + odd[v];
}

CONVSCOPE_CLONES void multiply_16(const float* weights, const float* values, const std::int32_t* positions,
                                  std::int64_t count, float* sums) {
    accumulate<1>(weights, values, positions, count, sums);
}

CONVSCOPE_CLONES void multiply_32(const float* weights, const float* values, const std::int32_t* positions,
                                  std::int64_t count, float* sums) {
    accumulate<2>(weights, values, positions, count, sums);
}

CONVSCOPE_CLONES void multiply_64(const float* weights, const float* values, const std::int32_t* positions,
                                  std::int64_t count, float* sums) {
    accumulate<4>(weights, values, positions, count, sums);
}

}  // namespace

SparseFilters::SparseFilters(const ConvShape& shape)
    : k_(shape.k),
      reduction_(shape.reduction()),
      width_(shape.k <= 16   ? 16
             : shape.k <= 32 ? 32
                             : widest) {}

std::int64_t SparseFilters::slab_filters(std::int64_t slab) const {
    return std::min(width_, k_ - slab * width_);
}

void SparseFilters::pack(const float* w, float* packed) const {
#pragma omp parallel for if (worth_threads(elements()))
    for (std::int64_t slab = 0; slab < slabs(); ++slab)
        for (std::int64_t t = 0; t < reduction_; ++t)
            for (std::int64_t f = 0; f < width_; ++f) {
                const std::int64_t filter = slab * width_ + f;
                packed[(slab * reduction_ + t) * width_ + f] = filter < k_ ? w[filter * reduction_ + t] : 0.0f;
            }
}

void SparseFilters::multiply(const float* packed, std::int64_t slab, const float* values, const std::int32_t* positions,
                             std::int64_t count, float* sums) const {
    const float* weights = packed + slab * reduction_ * width_;
    const auto multiply_slab = width_ == 16 ? multiply_16 : width_ == 32 ? multiply_32 : multiply_64;
    multiply_slab(weights, values, positions, count, sums);
}

void SparseFilters::store(const ResultTile& tile, std::int64_t slab, std::int64_t image, std::int64_t plane,
                          std::int64_t first, float* y) const {
    const std::int64_t count = std::min(ResultTile::outputs, plane - first);
    float* to = y + (image * k_ + slab * width_) * plane + first;
    for (std::int64_t f = 0; f < slab_filters(slab); ++f, to += plane)
        for (std::int64_t i = 0; i < count; ++i) to[i] = tile.sums[i][f];
}

}  // namespace convscope
