#include "kernels/ecr/ecr5_compress.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace convscope {
namespace {

std::int32_t compress(const float* channels, std::int32_t first, std::int32_t step, float* values,
                      std::int32_t* offsets) {
    std::int32_t count = 0;
    for (std::int32_t i = 0; i < ecr5_channels; ++i) {
        // Always written, kept only when the count moves on: no branch to mispredict.
        values[count] = channels[i];
        offsets[count] = first + i * step;
        count += channels[i] != 0.0f;
    }
    return count;
}

#if defined(__x86_64__)
[[gnu::target("avx512f")]] std::int32_t compress_avx512(const float* channels, std::int32_t first, std::int32_t step,
                                                        float* values, std::int32_t* offsets) {
    const __m512i order = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    const __m512 all = _mm512_loadu_ps(channels);
    const __mmask16 kept = _mm512_cmp_ps_mask(all, _mm512_setzero_ps(), _CMP_NEQ_UQ);
    const __m512i places =
        _mm512_add_epi32(_mm512_set1_epi32(first), _mm512_mullo_epi32(order, _mm512_set1_epi32(step)));
    // To a register and then whole to memory: compressing into memory is slow on some CPUs.
    _mm512_storeu_ps(values, _mm512_maskz_compress_ps(kept, all));
    _mm512_storeu_si512(offsets, _mm512_maskz_compress_epi32(kept, places));
    return __builtin_popcount(kept);
}
#endif

}  // namespace

Ecr5Compress ecr5_compress([[maybe_unused]] Isa isa) {
#if defined(__x86_64__)
    if (isa == Isa::avx512) return compress_avx512;
#endif
    return compress;
}

}  // namespace convscope
