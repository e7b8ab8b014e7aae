//! title: A sparse product in CSR
//! task: y = A x for a sparse matrix A in CSR. Row r has the entries from row_ptr[r] up to, and without,
//!     row_ptr[r + 1]; entry e is values[e], in column col_idx[e]. Thread r makes y[r].
//! hint: The rows have 0 to 9 entries, so each thread has a loop of its own length.
//! hint: An entry meets x[col_idx[e]].
// convscope: rows = 64, grid = 2, block = 32, row_ptr = ascending(rows + 1), col_idx = random(9 * rows)
// convscope: values = random(9 * rows), x = random(100), y = out(rows)
__global__ void product(const int* row_ptr, const int* col_idx, const float* values, const float* x, float* y,
                        int rows) {
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r >= rows) return;
    float sum = 0;
#ifdef SOLUTION
    for (int e = row_ptr[r]; e < row_ptr[r + 1]; ++e) sum += values[e] * x[col_idx[e]];
#else
    // Your part: this takes the first entry of all alone.
    sum = values[0] * x[col_idx[0]];
#endif
    y[r] = sum;
}
