// The types of nvcuda::wmma that clang's front end has no header for: bfloat16 and double.
// needs nvcc: the header for clang has no bfloat16, and no matrices of double
// expect: status 0
// expect-output: both are right
#include <cuda_bf16.h>
#include <mma.h>

#include <cstdio>

using namespace nvcuda;

__global__ void of_bfloat16(const __nv_bfloat16* a, const __nv_bfloat16* b, float* d) {
    wmma::fragment<wmma::matrix_a, 16, 16, 16, __nv_bfloat16, wmma::row_major> fa;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, __nv_bfloat16, wmma::col_major> fb;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> fd;
    wmma::fill_fragment(fd, 1.f);
    wmma::load_matrix_sync(fa, a, 16);
    wmma::load_matrix_sync(fb, b, 16);
    wmma::mma_sync(fd, fa, fb, fd);
    wmma::store_matrix_sync(d, fd, 16, wmma::mem_row_major);
}

__global__ void of_double(const double* a, const double* b, double* d) {
    wmma::fragment<wmma::matrix_a, 8, 8, 4, double, wmma::row_major> fa;
    wmma::fragment<wmma::matrix_b, 8, 8, 4, double, wmma::col_major> fb;
    wmma::fragment<wmma::accumulator, 8, 8, 4, double> fd;
    wmma::fill_fragment(fd, 1.);
    wmma::load_matrix_sync(fa, a, 4);
    wmma::load_matrix_sync(fb, b, 4);
    wmma::mma_sync(fd, fa, fb, fd);
    wmma::store_matrix_sync(d, fd, 8, wmma::mem_row_major);
}

template <class T, class Sum>
bool check(void (*kernel)(const T*, const T*, Sum*), int size, int depth) {
    T *a, *b;
    Sum* d;
    cudaMallocManaged(&a, sizeof(T) * size * depth);
    cudaMallocManaged(&b, sizeof(T) * size * depth);
    cudaMallocManaged(&d, sizeof(Sum) * size * size);
    for (int i = 0; i < size * depth; ++i) {
        a[i] = static_cast<T>(static_cast<float>(i % 7 - 3));
        b[i] = static_cast<T>(static_cast<float>(i % 5 - 2));
    }
    kernel<<<1, 32>>>(a, b, d);
    cudaDeviceSynchronize();
    bool same = true;
    for (int i = 0; i < size; ++i)
        for (int j = 0; j < size; ++j) {
            float sum = 1;
            for (int l = 0; l < depth; ++l) sum += float(a[i * depth + l]) * float(b[j * depth + l]);
            same &= d[i * size + j] == sum;
        }
    cudaFree(a);
    cudaFree(b);
    cudaFree(d);
    return same;
}

int main() {
    const bool small = check(of_bfloat16, 16, 16), large = check(of_double, 8, 4);
    printf(small && large ? "both are right\n" : "wrong: %d %d\n", small, large);
}
