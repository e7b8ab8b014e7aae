//! title: FP32 from three FP16 products
//! task: Tensor cores take numbers of 16 bits. Each thread has two floats, already as their high parts in FP16, and
//!     multiplies these: up to one part in a thousand is lost. Add the two products with a residual, so that nearly
//!     all of the product comes back. Use FP16 factors alone.
//! hint: A float's residual is what FP16 leaves of it: a - __half2float(a_high). FP16 holds it well.
//! hint: a b is about A B + A b' + a' B. The fourth product, of both residuals, is too small to matter.
//! check: multiplications >= solution_multiplications | three products for each element are needed: A B, A b' and a' B.
// convscope: grid = 4, block = 64, a = random(256), b = random(256), product = out(256)
#include <cuda_fp16.h>

__global__ void multiply(const float* a, const float* b, float* product) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    __half a_high = __float2half(a[i]), b_high = __float2half(b[i]);
    float sum = __half2float(a_high) * __half2float(b_high);
#ifdef SOLUTION
    __half a_residual = __float2half(a[i] - __half2float(a_high));
    __half b_residual = __float2half(b[i] - __half2float(b_high));
    sum += __half2float(a_high) * __half2float(b_residual);
    sum += __half2float(a_residual) * __half2float(b_high);
#else
    // Your part: the residuals of both, and what they add to the product.
#endif
    product[i] = sum;
}
