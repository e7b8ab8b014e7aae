// One warp multiplies 16 x 16 by 16 x 8 on the tensor cores: f16, sums in f32.
#include <cuda_fp16.h>

extern "C" __global__ void tensor_tile(const half* a, const half* b, float* c) {
    __shared__ __align__(16) half a_tile[16 * 16];
    int lane = threadIdx.x;
    for (int i = lane; i < 16 * 16; i += 32) a_tile[i] = a[i];
    __syncthreads();
    unsigned fragment[4];
    unsigned address = (unsigned)__cvta_generic_to_shared(&a_tile[(lane % 16) * 16 + lane / 16 * 8]);
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(fragment[0]), "=r"(fragment[1]), "=r"(fragment[2]), "=r"(fragment[3])
                 : "r"(address));
    int group = lane / 4, place = lane % 4 * 2;
    half2 low = __halves2half2(b[place * 8 + group], b[(place + 1) * 8 + group]);
    half2 high = __halves2half2(b[(place + 8) * 8 + group], b[(place + 9) * 8 + group]);
    float d[4];
    asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%10, %10, "
        "%10, %10};"
        : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3])
        : "r"(fragment[0]), "r"(fragment[1]), "r"(fragment[2]), "r"(fragment[3]), "r"(*(unsigned*)&low),
          "r"(*(unsigned*)&high), "f"(0.0f));
    c[group * 8 + place] = d[0];
    c[group * 8 + place + 1] = d[1];
    c[(group + 8) * 8 + place] = d[2];
    c[(group + 8) * 8 + place + 1] = d[3];
}
