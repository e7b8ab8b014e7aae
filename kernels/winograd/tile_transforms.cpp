#include "kernels/winograd/tile_transforms.h"

#include "kernels/winograd/f2x2_3x3.h"

namespace convscope {
namespace {

// Vectors of 4, 8 and 16 floats. (Written out: the attribute is lost on a type that depends on a template argument.)
using Float4 = float __attribute__((vector_size(16), aligned(4), may_alias));
using Float8 = float __attribute__((vector_size(32), aligned(4), may_alias));
using Float16 = float __attribute__((vector_size(64), aligned(4), may_alias));

/// As many channels from 'first' on as T holds.
template <class T>
[[gnu::always_inline]] inline void data_at(const float* const* from, float* v, std::int64_t plane, std::int64_t first) {
    T d[4][4], transformed[4][4];
    for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j) d[i][j] = *reinterpret_cast<const T*>(from[4 * i + j] + first);
    f2x2_3x3::transform_data(d, transformed);
    for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j) *reinterpret_cast<T*>(v + (4 * i + j) * plane + first) = transformed[i][j];
}

template <class T>
[[gnu::always_inline]] inline void inverse_at(const float* from, std::int64_t plane, float* const* y,
                                              std::int64_t first) {
    T m[4][4], output[2][2];
    for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j) m[i][j] = *reinterpret_cast<const T*>(from + (4 * i + j) * plane + first);
    f2x2_3x3::transform_inverse(m, output);
    for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 2; ++j) *reinterpret_cast<T*>(y[2 * i + j] + first) = output[i][j];
}

/// Vectors as long as they fit, then single floats.
template <class Vector>
[[gnu::always_inline]] inline void data(const float* const* d, float* v, std::int64_t plane, std::int64_t channels) {
    constexpr std::int64_t lanes = sizeof(Vector) / sizeof(float);
    std::int64_t at = 0;
    for (; at + lanes <= channels; at += lanes) data_at<Vector>(d, v, plane, at);
    for (; at < channels; ++at) data_at<float>(d, v, plane, at);
}

template <class Vector>
[[gnu::always_inline]] inline void inverse(const float* m, std::int64_t plane, float* const* y, std::int64_t filters) {
    constexpr std::int64_t lanes = sizeof(Vector) / sizeof(float);
    std::int64_t at = 0;
    for (; at + lanes <= filters; at += lanes) inverse_at<Vector>(m, plane, y, at);
    for (; at < filters; ++at) inverse_at<float>(m, plane, y, at);
}

[[gnu::target("avx512f")]] void data_avx512(const float* const* d, float* v, std::int64_t plane, std::int64_t c) {
    data<Float16>(d, v, plane, c);
}
[[gnu::target("avx512f")]] void inverse_avx512(const float* m, std::int64_t plane, float* const* y, std::int64_t k) {
    inverse<Float16>(m, plane, y, k);
}
[[gnu::target("avx2")]] void data_avx2(const float* const* d, float* v, std::int64_t plane, std::int64_t c) {
    data<Float8>(d, v, plane, c);
}
[[gnu::target("avx2")]] void inverse_avx2(const float* m, std::int64_t plane, float* const* y, std::int64_t k) {
    inverse<Float8>(m, plane, y, k);
}

constexpr TileTransforms avx512{data_avx512, inverse_avx512};
constexpr TileTransforms avx2{data_avx2, inverse_avx2};
constexpr TileTransforms baseline{data<Float4>, inverse<Float4>};

}  // namespace

const TileTransforms& tile_transforms(Isa isa) {
    if (isa == Isa::avx512) return avx512;
    return isa == Isa::avx2 ? avx2 : baseline;
}

}  // namespace convscope
