//! title: Convolution, step 4: several outputs for each thread
//! task: A thread that computes 4 outputs below one another reads 6 rows for them, not 12. Keep four sums in
//!     registers, and use each element that is loaded for all sums that need it.
//! hint: For each column b: load the 6 elements below one another into a small array, then do 12 multiply-adds from
//!     it.
//! hint: Output k (0 to 3) needs elements k, k + 1 and k + 2 of these six.
//! check: global_load_requests <= 1.2 * solution_global_load_requests | there are still more loads than six for
//!     each column of the window and the nine of the filter.
// convscope: grid = (2, 16), block = 32, map = random(66, 66), w = random(3, 3), y = out(64, 64)
__global__ void convolve(const float* __restrict__ map, const float* __restrict__ w, float* __restrict__ y) {
    int j = blockIdx.x * 32 + threadIdx.x, top = blockIdx.y * 4;
    float sum[4] = {0, 0, 0, 0};
#ifdef SOLUTION
    for (int b = 0; b < 3; ++b) {
        float column[6];
        for (int e = 0; e < 6; ++e) column[e] = map[(top + e) * 66 + j + b];
        for (int a = 0; a < 3; ++a) {
            float weight = w[a * 3 + b];
            for (int k = 0; k < 4; ++k) sum[k] += column[k + a] * weight;
        }
    }
#else
    // Your part: this loads each element up to three times, for the compiler must not keep volatile loads.
    const volatile float* each = map;
    for (int k = 0; k < 4; ++k)
        for (int a = 0; a < 3; ++a)
            for (int b = 0; b < 3; ++b) sum[k] += each[(top + k + a) * 66 + j + b] * w[a * 3 + b];
#endif
    for (int k = 0; k < 4; ++k) y[(top + k) * 64 + j] = sum[k];
}
