// Products of matrices by nvcuda::wmma: all sizes, layouts of the factors, and types, held against the host.
// expect: status 0
// expect-output: 24 of 24 products are right
#include <cuda_fp16.h>
#include <mma.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <type_traits>

using namespace nvcuda;

template <class Layout>
constexpr bool is_row = std::is_same<Layout, wmma::row_major>::value;

template <int M, int N, int K, class Factor, class InMemory, class Sum, class LayoutA, class LayoutB>
__global__ void multiply(const InMemory* a, const InMemory* b, const Sum* c, Sum* d, int lda, int ldb, int ldc, bool rows) {
    wmma::fragment<wmma::matrix_a, M, N, K, Factor, LayoutA> fa;
    wmma::fragment<wmma::matrix_b, M, N, K, Factor, LayoutB> fb;
    wmma::fragment<wmma::accumulator, M, N, K, Sum> fc, twice;
    const wmma::layout_t layout = rows ? wmma::mem_row_major : wmma::mem_col_major;
    wmma::load_matrix_sync(fa, a, lda);
    wmma::load_matrix_sync(fb, b, ldb);
    wmma::load_matrix_sync(fc, c, ldc, layout);
    wmma::fill_fragment(twice, static_cast<Sum>(0.f));
    wmma::mma_sync(twice, fa, fb, twice);
    for (int i = 0; i < twice.num_elements; ++i) twice.x[i] = twice.x[i] + twice.x[i];
    wmma::mma_sync(fc, fa, fb, fc);
    for (int i = 0; i < fc.num_elements; ++i) fc.x[i] = fc.x[i] + twice.x[i];
    wmma::store_matrix_sync(d, fc, ldc, layout);
}

int right = 0, checked = 0;

template <class T>
T number(int value) {
    return static_cast<T>(static_cast<float>(value));
}
template <class T>
double real(T value) {
    return static_cast<double>(static_cast<float>(value));
}

/// D = 3 A B + C: small whole numbers, so that every type has them exactly.
template <int M, int N, int K, class Factor, class InMemory, class Sum, class LayoutA, class LayoutB>
void check(bool rows) {
    constexpr int pad = 16 / sizeof(InMemory), pad_c = 16 / sizeof(Sum);
    const int lda = (is_row<LayoutA> ? K : M) + pad, ldb = (is_row<LayoutB> ? N : K) + pad;
    const int ldc = (rows ? N : M) + pad_c;
    InMemory *a, *b;
    Sum *c, *d;
    cudaMallocManaged(&a, sizeof(InMemory) * lda * 32);
    cudaMallocManaged(&b, sizeof(InMemory) * ldb * 32);
    cudaMallocManaged(&c, sizeof(Sum) * ldc * 32);
    cudaMallocManaged(&d, sizeof(Sum) * ldc * 32);
    const auto at = [](bool row_major, int row, int column, int ld) { return row_major ? row * ld + column : column * ld + row; };
    const bool is_signed = !std::is_same<InMemory, unsigned char>::value;
    const auto value = [&](int i) { return i * 7 % 5 - (is_signed ? 2 : 0); };
    for (int i = 0; i < M; ++i)
        for (int j = 0; j < K; ++j) a[at(is_row<LayoutA>, i, j, lda)] = number<InMemory>(value(i * K + j));
    for (int i = 0; i < K; ++i)
        for (int j = 0; j < N; ++j) b[at(is_row<LayoutB>, i, j, ldb)] = number<InMemory>(value(i * 3 + j * 11));
    for (int i = 0; i < M; ++i)
        for (int j = 0; j < N; ++j) c[at(rows, i, j, ldc)] = number<Sum>(i - j);
    multiply<M, N, K, Factor, InMemory, Sum, LayoutA, LayoutB><<<1, 32>>>(a, b, c, d, lda, ldb, ldc, rows);
    cudaDeviceSynchronize();
    bool same = true;
    for (int i = 0; i < M; ++i)
        for (int j = 0; j < N; ++j) {
            double sum = 0;
            for (int l = 0; l < K; ++l) sum += real(a[at(is_row<LayoutA>, i, l, lda)]) * real(b[at(is_row<LayoutB>, l, j, ldb)]);
            same &= real(d[at(rows, i, j, ldc)]) == 3 * sum + i - j;
        }
    ++checked;
    right += same;
    if (!same) printf("%d x %d x %d of %d and %d bytes is wrong\n", M, N, K, int(sizeof(InMemory)), int(sizeof(Sum)));
    cudaFree(a);
    cudaFree(b);
    cudaFree(c);
    cudaFree(d);
}

template <int M, int N, int K>
void check_sizes() {
    using R = wmma::row_major;
    using C = wmma::col_major;
    check<M, N, K, half, half, float, R, C>(true);
    check<M, N, K, half, half, float, C, R>(false);
    check<M, N, K, half, half, half, R, R>(true);
    check<M, N, K, half, half, half, C, C>(false);
    check<M, N, K, signed char, signed char, int, R, C>(true);
    check<M, N, K, signed char, signed char, int, C, R>(false);
    check<M, N, K, unsigned char, unsigned char, int, R, R>(true);
}

int main() {
    check_sizes<16, 16, 16>();
    check_sizes<8, 32, 16>();
    check_sizes<32, 8, 16>();
    check<16, 16, 8, wmma::precision::tf32, float, float, wmma::row_major, wmma::col_major>(true);
    check<16, 16, 8, wmma::precision::tf32, float, float, wmma::col_major, wmma::row_major>(true);
    check<16, 16, 8, wmma::precision::tf32, float, float, wmma::row_major, wmma::row_major>(false);
    printf("%d of %d products are right\n", right, checked);
}
