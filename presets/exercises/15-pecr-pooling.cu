//! title: PECR: convolution, ReLU and pooling in one kernel
//! task: Xu 2019 computes a result of max-pooling in one thread: for each of the four windows that are pooled, it
//!     keeps the elements that are not zero with their places in the filter, multiplies only these, and takes the
//!     largest sum, or 0 where all sums are negative. The compression is there; the products, ReLU and the maximum are
//!     yours.
//! hint: The sum of a window has count products: data[e] * w[place[e]].
//! hint: ReLU and max-pooling together: begin with best = 0 and keep the larger of best and the sum.
//! check: multiplications <= 1.1 * solution_multiplications | zeros are multiplied, too: go up to count, not to 9.
// convscope: grid = 1, block = 16, map = sparse(10, 10), w = random(3, 3), y = out(4, 4)
__global__ void pecr(const float* map, const float* w, float* y) {
    int top = threadIdx.x / 4 * 2, left = threadIdx.x % 4 * 2;
    float best = 0;
    for (int window = 0; window < 4; ++window) {
        float data[9];
        int place[9], count = 0;
        for (int e = 0; e < 9; ++e) {
            float element = map[(top + window / 2 + e / 3) * 10 + left + window % 2 + e % 3];
            if (element != 0) {
                data[count] = element;
                place[count++] = e;
            }
        }
        // Your part: this window's sum, and what is left of it after ReLU and the maximum.
#ifdef SOLUTION
        float sum = 0;
        for (int e = 0; e < count; ++e) sum += data[e] * w[place[e]];
        if (sum > best) best = sum;
#endif
    }
    y[threadIdx.x] = best;
}
