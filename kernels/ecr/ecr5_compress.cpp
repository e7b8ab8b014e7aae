#include "kernels/ecr/ecr5_compress.h"

#include <algorithm>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace convscope {
namespace {

std::int32_t compress(const Ecr5Place& place, float* values, std::int32_t* offsets) {
    std::int32_t count = 0, weights = place.weights;
    for (std::int64_t step = 0; step < place.steps; ++step)
        for (std::int64_t i = 0; i < ecr5_channels; ++i, weights += place.next_weights) {
            // Always written, kept only when the count moves on: no branch to mispredict.
            const float value = place.channels[step * place.next + i];
            values[count] = value;
            offsets[count] = weights;
            count += value != 0.0f;
        }
    return count;
}

void interleave(const float* from, std::int64_t channels, std::int64_t plane, float* to) {
    for (std::int64_t i = 0; i < ecr5_channels; ++i)
        for (std::int64_t at = 0; at < plane; ++at)
            to[at * ecr5_channels + i] = i < channels ? from[i * plane + at] : 0.0f;
}

#if defined(__x86_64__)
/// Swaps the blocks of 'Distance' elements that lie off the diagonal: element e of row i with i and Distance in common
/// goes to the row and the place with that bit turned over.
template <int Distance>
[[gnu::target("avx512f"), gnu::always_inline]] inline void swap_blocks(__m512 (&rows)[ecr5_channels]) {
    alignas(64) std::int32_t upper[ecr5_channels], lower[ecr5_channels];
    for (int e = 0; e < ecr5_channels; ++e) {
        constexpr int second = 16;  // where the second operand's elements begin
        upper[e] = (e & Distance) == 0 ? e : second + e - Distance;
        lower[e] = (e & Distance) == 0 ? e + Distance : second + e;
    }
    const __m512i to_upper = _mm512_load_si512(upper), to_lower = _mm512_load_si512(lower);
    for (int i = 0; i < ecr5_channels; ++i) {
        if ((i & Distance) != 0) continue;
        const __m512 first = rows[i], second = rows[i + Distance];
        rows[i] = _mm512_permutex2var_ps(first, to_upper, second);
        rows[i + Distance] = _mm512_permutex2var_ps(first, to_lower, second);
    }
}

/// Squares of 16 channels by 16 elements, transposed in registers.
[[gnu::target("avx512f")]] void interleave_avx512(const float* from, std::int64_t channels, std::int64_t plane,
                                                  float* to) {
    for (std::int64_t at = 0; at < plane; at += ecr5_channels) {
        const std::int64_t count = std::min(ecr5_channels, plane - at);
        const auto there = static_cast<__mmask16>((1u << count) - 1);
        __m512 rows[ecr5_channels];
        for (std::int64_t i = 0; i < ecr5_channels; ++i)
            rows[i] = i < channels ? _mm512_maskz_loadu_ps(there, from + i * plane + at) : _mm512_setzero_ps();
        swap_blocks<8>(rows);
        swap_blocks<4>(rows);
        swap_blocks<2>(rows);
        swap_blocks<1>(rows);
        for (std::int64_t i = 0; i < count; ++i) _mm512_storeu_ps(to + (at + i) * ecr5_channels, rows[i]);
    }
}

[[gnu::target("avx512f,popcnt")]] std::int32_t compress_avx512(const Ecr5Place& place, float* values,
                                                               std::int32_t* offsets) {
    const __m512i order = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    __m512i weights = _mm512_add_epi32(_mm512_set1_epi32(place.weights),
                                       _mm512_mullo_epi32(order, _mm512_set1_epi32(place.next_weights)));
    const __m512i next = _mm512_set1_epi32(static_cast<int>(ecr5_channels) * place.next_weights);
    std::int32_t count = 0;
    for (std::int64_t step = 0; step < place.steps; ++step) {
        const __m512 all = _mm512_loadu_ps(place.channels + step * place.next);
        const __mmask16 kept = _mm512_cmp_ps_mask(all, _mm512_setzero_ps(), _CMP_NEQ_UQ);
        // To a register and then whole to memory: compressing into memory is slow on some CPUs.
        _mm512_storeu_ps(values + count, _mm512_maskz_compress_ps(kept, all));
        _mm512_storeu_si512(offsets + count, _mm512_maskz_compress_epi32(kept, weights));
        count += __builtin_popcount(kept);
        weights = _mm512_add_epi32(weights, next);
    }
    return count;
}
#endif

}  // namespace

Ecr5Interleave ecr5_interleave([[maybe_unused]] Isa isa) {
#if defined(__x86_64__)
    if (isa == Isa::avx512) return interleave_avx512;
#endif
    return interleave;
}

Ecr5Compress ecr5_compress([[maybe_unused]] Isa isa) {
#if defined(__x86_64__)
    if (isa == Isa::avx512) return compress_avx512;
#endif
    return compress;
}

}  // namespace convscope
