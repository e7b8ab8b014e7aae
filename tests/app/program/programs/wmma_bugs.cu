// Half a warp at a matrix; a matrix that does not lie at a multiple of 16 bytes; one that ends outside of its array.
// expect: status 4, 6 findings
// expect: divergent_barrier wmma_bugs.cu:13 block (0,0,0) thread (0,0,0): takes part in an operation on a matrix with 16 threads of its warp; all 32 have to
// expect: misaligned wmma_bugs.cu:13 block (0,0,0) thread (0,0,0) a[1]: reads 16 bytes at byte 2, which is not a multiple of 16
// expect: out_of_bounds wmma_bugs.cu:15
#include <cuda_fp16.h>
#include <mma.h>

using namespace nvcuda;

__global__ void load(const half* a, float* d) {
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa;
    wmma::load_matrix_sync(fa, a, 16);
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> fd;
    wmma::load_matrix_sync(fd, d, 16, wmma::mem_row_major);
    for (int i = 0; i < fa.num_elements; ++i) fd.x[i % fd.num_elements] += __half2float(fa.x[i]);
    wmma::store_matrix_sync(d, fd, 16, wmma::mem_row_major);
}

int main() {
    half* a;
    float* d;
    cudaMalloc(&a, 257 * sizeof(half));
    cudaMalloc(&d, 256 * sizeof(float));
    cudaMemset(a, 0, 257 * sizeof(half));
    cudaMemset(d, 0, 256 * sizeof(float));
    load<<<1, 16>>>(a, d);
    load<<<1, 32>>>(a + 1, d);
    load<<<1, 32>>>(a, d + 32);
    cudaFree(a);
    cudaFree(d);
}
