// expect: status 0
// expect-output: PASS
// A stencil whose weights are in constant memory, with a structure by value.
#include <cstdio>
#include <cstring>

#define R 2
__constant__ float weights[2 * R + 1];
__device__ unsigned int edge_cells;

struct Domain {
    int n;
    float left, right;
};

__global__ void stencil(const float *in, float *out, Domain d) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= d.n) return;
    float sum = 0;
    for (int k = -R; k <= R; ++k) {
        int j = i + k;
        float v = j < 0 ? d.left : j >= d.n ? d.right : in[j];
        sum += weights[k + R] * v;
    }
    if (i < R || i >= d.n - R) atomicAdd(&edge_cells, 1);
    out[i] = sum;
}

int main() {
    const Domain d = {100, -1.f, 1.f};
    float w[2 * R + 1] = {0.5f, 1.f, 2.f, 1.f, 0.5f}, in[100], out[100];
    for (int i = 0; i < d.n; ++i) in[i] = i;
    float *p, *q;
    cudaMalloc(&p, sizeof in);
    cudaMalloc(&q, sizeof out);
    cudaMemcpyToSymbol(weights, w, sizeof w);
    unsigned zero = 0, cells = 7;
    cudaMemcpyToSymbol(edge_cells, &zero, sizeof zero);
    cudaMemcpy(p, in, sizeof in, cudaMemcpyHostToDevice);
    stencil<<<2, 64>>>(p, q, d);
    cudaMemcpy(out, q, sizeof out, cudaMemcpyDeviceToHost);
    cudaMemcpyFromSymbol(&cells, edge_cells, sizeof cells);
    cudaFree(p);
    cudaFree(q);
    std::puts(cells == 4 && out[50] == 250.f ? "PASS" : "FAIL");
    return cells == 4 && out[50] == 250.f ? 0 : 1;
}
