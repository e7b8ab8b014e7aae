// expect: status 0
// expect-output: 1 2 3 4
// Pointers to the GPU's memory inside of structures on the GPU, and an array of pointers.
#include <cstdio>

struct Node {
    int value;
    Node *next;
};

__global__ void walk(const Node *head, int *out) {
    int i = 0;
    for (const Node *n = head; n; n = n->next) out[i++] = n->value;
}
__global__ void rows(float **table, int n) {
    table[blockIdx.x][threadIdx.x] += 1;
}

int main() {
    Node host[4], *device;
    cudaMalloc(&device, sizeof host);
    for (int i = 0; i < 4; ++i) host[i] = {i + 1, i < 3 ? device + i + 1 : nullptr};
    cudaMemcpy(device, host, sizeof host, cudaMemcpyHostToDevice);
    int *out, result[4];
    cudaMalloc(&out, sizeof result);
    walk<<<1, 1>>>(device, out);
    cudaMemcpy(result, out, sizeof result, cudaMemcpyDeviceToHost);
    std::printf("%d %d %d %d\n", result[0], result[1], result[2], result[3]);

    float *row[3], **table, last[8];
    for (auto &r : row) {
        cudaMalloc(&r, sizeof last);
        cudaMemset(r, 0, sizeof last);
    }
    cudaMalloc(&table, sizeof row);
    cudaMemcpy(table, row, sizeof row, cudaMemcpyHostToDevice);
    rows<<<3, 8>>>(table, 8);
    cudaMemcpy(last, row[2], sizeof last, cudaMemcpyDeviceToHost);
    for (auto r : row) cudaFree(r);
    cudaFree(table);
    cudaFree(device);
    cudaFree(out);
    return last[7] == 1 ? 0 : 1;
}
