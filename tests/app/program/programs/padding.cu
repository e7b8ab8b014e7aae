// expect: status 0
// expect-output: 3.0
// Nobody writes the padding between the members of a structure, and copying it along is no mistake.
#include <cstdio>

struct Item {
    char name;
    double value;
};

__global__ void fill(Item *items) {
    items[threadIdx.x].name = 'a';
    items[threadIdx.x].value = threadIdx.x;
}
__global__ void copy(const Item *from, Item *to) {
    to[threadIdx.x] = from[threadIdx.x];
}
__global__ void sum(const unsigned char *bytes, double *total) {
    for (unsigned i = 0; i < 8; ++i) *total += bytes[i];
}

int main() {
    Item *made, *shared;
    double *total;
    cudaMalloc(&made, 8 * sizeof(Item));
    cudaMallocManaged(&shared, 8 * sizeof(Item));
    cudaMallocManaged(&total, sizeof(double));
    fill<<<1, 8>>>(made);
    copy<<<1, 8>>>(made, shared);
    cudaDeviceSynchronize();
    // The host writes all of an item.
    auto *bytes = reinterpret_cast<unsigned char *>(shared);
    for (unsigned i = 0; i < sizeof(Item); ++i) bytes[i] = 0;
    bytes[7] = 3;
    *total = 0;
    sum<<<1, 1>>>(bytes, total);
    cudaDeviceSynchronize();
    printf("%.1f\n", *total);
    cudaFree(made);
    cudaFree(shared);
    cudaFree(total);
}
