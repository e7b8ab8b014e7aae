// expect: status 4, 3 findings
// expect: race tiled_matmul_no_barrier.cu:

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

constexpr int TILE = 16;

template <int T>
__global__ void matmul(const float *A, const float *B, float *C, int n) {
    __shared__ float As[T][T], Bs[T][T];
    int row = blockIdx.y * T + threadIdx.y, col = blockIdx.x * T + threadIdx.x;
    float sum = 0;
    for (int t = 0; t < (n + T - 1) / T; ++t) {
        int ac = t * T + threadIdx.x, br = t * T + threadIdx.y;
        As[threadIdx.y][threadIdx.x] = row < n && ac < n ? A[row * n + ac] : 0.f;
        Bs[threadIdx.y][threadIdx.x] = br < n && col < n ? B[br * n + col] : 0.f;
        __syncthreads();
        for (int k = 0; k < T; ++k) sum += As[threadIdx.y][k] * Bs[k][threadIdx.x];
    }
    if (row < n && col < n) C[row * n + col] = sum;
}

class Matrix {
public:
    explicit Matrix(int n) : n_(n) { cudaMalloc(&data_, sizeof(float) * n * n); }
    ~Matrix() { cudaFree(data_); }
    Matrix(const Matrix &) = delete;
    void upload(const std::vector<float> &from) {
        cudaMemcpy(data_, from.data(), sizeof(float) * n_ * n_, cudaMemcpyHostToDevice);
    }
    std::vector<float> download() const {
        std::vector<float> to(n_ * n_);
        cudaMemcpy(to.data(), data_, sizeof(float) * n_ * n_, cudaMemcpyDeviceToHost);
        return to;
    }
    float *get() const { return data_; }

private:
    int n_;
    float *data_ = nullptr;
};

int main() {
    const int n = 37;
    std::vector<float> a(n * n), b(n * n);
    for (int i = 0; i < n * n; ++i) {
        a[i] = float(i % 7);
        b[i] = float(i % 5) - 2;
    }
    Matrix A(n), B(n), C(n);
    A.upload(a);
    B.upload(b);
    dim3 block(TILE, TILE), grid((n + TILE - 1) / TILE, (n + TILE - 1) / TILE);
    matmul<TILE><<<grid, block>>>(A.get(), B.get(), C.get(), n);
    const auto c = C.download();
    float worst = 0;
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) {
            float sum = 0;
            for (int k = 0; k < n; ++k) sum += a[i * n + k] * b[k * n + j];
            worst = std::max(worst, std::fabs(sum - c[i * n + j]));
        }
    std::printf("max error %g\n", worst);
}
