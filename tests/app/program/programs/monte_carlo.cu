// expect: status 0
// expect-output: pi to 0.05, mean 0, deviation 1
// Random numbers: a state for each thread, kept between launches.
#include <cmath>
#include <cstdio>
#include <curand_kernel.h>
#include <math_constants.h>

__global__ void setup(curandState *states, unsigned long long seed) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    curand_init(seed, i, 0, &states[i]);
}

__global__ void draw(curandState *states, unsigned *hits, float *sums, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    curandState state = states[i];
    unsigned count = 0;
    float sum = 0, squares = 0;
    for (int k = 0; k < n; ++k) {
        float x = curand_uniform(&state), y = curand_uniform(&state), g = curand_normal(&state);
        count += x * x + y * y <= 1.f;
        sum += g;
        squares += g * g;
    }
    states[i] = state;
    atomicAdd(hits, count);
    atomicAdd(&sums[0], sum);
    atomicAdd(&sums[1], squares);
}

__global__ void angles(float *mean) {
    curandStatePhilox4_32_10_t state;
    curand_init(7, threadIdx.x, 0, &state);
    float4 u = curand_uniform4(&state);
    atomicAdd(mean, CUDART_PI_F * (u.x + u.y + u.z + u.w) / (4 * blockDim.x));
}

int main() {
    const int threads = 256, n = 100, all = threads * n;
    curandState *states;
    unsigned *hits, h;
    float *sums, s[3];
    cudaMalloc(&states, threads * sizeof(curandState));
    cudaMalloc(&hits, sizeof h);
    cudaMalloc(&sums, sizeof s);
    cudaMemset(hits, 0, sizeof h);
    cudaMemset(sums, 0, sizeof s);
    setup<<<2, 128>>>(states, 42);
    draw<<<2, 128>>>(states, hits, sums, n);
    angles<<<1, 256>>>(sums + 2);
    cudaMemcpy(&h, hits, sizeof h, cudaMemcpyDeviceToHost);
    cudaMemcpy(s, sums, sizeof s, cudaMemcpyDeviceToHost);
    cudaFree(states);
    cudaFree(hits);
    cudaFree(sums);
    bool pi = std::fabs(4.0 * h / all - CUDART_PI) < 0.05, half = std::fabs(s[2] - CUDART_PIO2) < 0.2;
    bool mean = std::fabs(s[0] / all) < 0.03, deviation = std::fabs(s[1] / all - 1) < 0.05;
    if (pi && half && mean && deviation) std::puts("pi to 0.05, mean 0, deviation 1");
    else std::printf("%g %g %g %g\n", 4.0 * h / all, s[0] / all, s[1] / all, s[2]);
}
