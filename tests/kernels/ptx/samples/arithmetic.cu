// Integer and floating-point arithmetic: one result for each operation, compared with the host's.
#include <cuda_fp16.h>

#include <cstdio>

extern "C" __global__ void integers(const int* a, const int* b, int* out) {
    int t = threadIdx.x, x = a[t], y = b[t];
    unsigned u = x, v = y;
    int* o = out + t * 20;
    o[0] = x / y;
    o[1] = x % y;
    o[2] = u / v;
    o[3] = __mulhi(x, y);
    o[4] = __umulhi(u, v);
    o[5] = __popc(u);
    o[6] = __clz(x);
    o[7] = __brev(u);
    o[8] = __byte_perm(u, v, 0x5140);
    o[9] = __funnelshift_l(u, v, 7);
    o[10] = __sad(x, y, 3);
    o[11] = min(x, y);
    o[12] = max(u, v);
    o[13] = (int)((long long)x * y >> 20);
    o[14] = __dp4a(x, y, 5);
    o[15] = x >> (y & 31);
    o[16] = __ffs(x);
    o[17] = (x & y) ^ (x | ~y);
    o[18] = (short)x + (signed char)y;
    o[19] = abs(x);
}

extern "C" __global__ void reals(const float* a, const float* b, float* out) {
    int t = threadIdx.x;
    float x = a[t], y = b[t];
    float* o = out + t * 16;
    o[0] = x / y;
    o[1] = __fmaf_rz(x, y, 1.0f);
    o[2] = __fadd_ru(x, y);
    o[3] = __fmul_rd(x, y);
    o[4] = fminf(x, y);
    o[5] = sqrtf(fabsf(x));
    o[6] = (float)(int)(x * 10);
    o[7] = rintf(x * 10);
    o[8] = (float)((double)x * y);
    o[9] = __half2float(__float2half(x));
    o[10] = __half2float(__hadd(__float2half(x), __float2half(y)));
    o[11] = truncf(x * 3) + ceilf(y) + floorf(x);
    o[12] = x < y ? 1.0f : 2.0f;
    o[13] = expf(x);
    o[14] = sinf(y);
    o[15] = copysignf(x, y);
    if (t == 0) printf("x %.3f, t %d, %s\n", x, t, "done");
}
