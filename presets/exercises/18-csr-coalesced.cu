//! title: A sparse product whose loads coalesce
//! task: With a thread for each row, the 32 lanes of a warp load from 32 rows: from up to 32 sectors of values, and of
//!     col_idx. Give each row a warp: its lanes take entries that lie side by side, and then add up their sums. There
//!     are 32 threads for each row.
//! hint: The row is the thread's number divided by 32. Lane l takes the entries row_ptr[row] + l, + 32, + 64, ...
//! hint: __shfl_down_sync(0xffffffff, sum, 16) brings the sum of the lane 16 further; then 8, 4, 2 and 1.
//! check: global_load_sectors <= 1.1 * solution_global_load_sectors | lanes still load from rows that lie apart.
// convscope: rows = 32, grid = 8, block = 128, row_ptr = ascending(rows + 1), col_idx = random(9 * rows)
// convscope: values = random(9 * rows), x = random(100), y = out(rows)
__global__ void product(const int* row_ptr, const int* col_idx, const float* values, const float* x, float* y,
                        int rows) {
    int thread = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
#ifdef SOLUTION
    int row = thread / 32, lane = thread % 32;
    for (int e = row_ptr[row] + lane; e < row_ptr[row + 1]; e += 32) sum += values[e] * x[col_idx[e]];
    for (int by = 16; by > 0; by /= 2) sum += __shfl_down_sync(0xffffffff, sum, by);
    if (lane == 0) y[row] = sum;
#else
    // Your part: a warp for each row. This works with a thread for each, and most threads have none.
    if (thread >= rows) return;
    for (int e = row_ptr[thread]; e < row_ptr[thread + 1]; ++e) sum += values[e] * x[col_idx[e]];
    y[thread] = sum;
#endif
}
