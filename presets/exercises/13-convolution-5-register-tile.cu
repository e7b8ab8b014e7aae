//! title: Convolution, step 5: filters in registers, too
//! task: With 4 filters each element of the map serves 4 outputs. Load it once and multiply it with the weights of
//!     all four filters; four sums stay in registers.
//! hint: The loop over the filters k goes inside the loops over a and b: load the element outside of it.
//! hint: sum[k] += element * w[k * 9 + a * 3 + b], with float sum[4].
//! check: global_load_requests <= 1.2 * solution_global_load_requests | the map's elements are still loaded for
//!     each filter again.
// convscope: grid = (2, 64), block = 32, map = random(66, 66), w = random(4, 3, 3), y = out(4, 64, 64)
__global__ void convolve(const float* map, const float* w, float* y) {
    int j = blockIdx.x * 32 + threadIdx.x, i = blockIdx.y;
#ifdef SOLUTION
    float sum[4] = {0, 0, 0, 0};
    for (int a = 0; a < 3; ++a)
        for (int b = 0; b < 3; ++b) {
            float element = map[(i + a) * 66 + j + b];
            for (int k = 0; k < 4; ++k) sum[k] += element * w[k * 9 + a * 3 + b];
        }
    for (int k = 0; k < 4; ++k) y[(k * 64 + i) * 64 + j] = sum[k];
#else
    // Your part: one pass over the map for all four filters.
    for (int k = 0; k < 4; ++k) {
        float sum = 0;
        for (int a = 0; a < 3; ++a)
            for (int b = 0; b < 3; ++b) sum += map[(i + a) * 66 + j + b] * w[k * 9 + a * 3 + b];
        y[(k * 64 + i) * 64 + j] = sum;
    }
#endif
}
