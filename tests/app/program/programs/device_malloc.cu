// malloc, free, new and delete in kernels; a list that one kernel builds, the next one sums and a third one frees.
// expect: status 0
// expect-output: 64 lists hold what the host computes
// expect-output: a full heap gives null
#include <cstdio>

struct Node {
    int value;
    Node* next;
    __device__ Node(int v, Node* n) : value(v), next(n) {}
};

__global__ void build(Node** heads, int nodes) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    Node* head = nullptr;
    for (int n = 0; n < nodes + i % 3; ++n) head = new Node(i * n, head);
    heads[i] = head;
}

__global__ void sum(Node* const* heads, int* sums) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    int* values = static_cast<int*>(malloc(100 * sizeof(int)));
    if (!values) return;
    int count = 0;
    for (const Node* at = heads[i]; at; at = at->next) values[count++] = at->value;
    int all = 0;
    for (int n = 0; n < count; ++n) all += values[n];
    free(values);
    sums[i] = all;
}

__global__ void destroy(Node** heads) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (Node* at = heads[i]; at;) {
        Node* const next = at->next;
        delete at;
        at = next;
    }
}

__device__ void* volatile kept;  // by which a compiler may not leave an allocation out

__global__ void fill_heap(int* got) {
    kept = malloc(1 << 20);
    *got = kept != nullptr;
    free(kept);
    kept = malloc(1 << 19);
    *got += 2 * (kept != nullptr);
    free(kept);
}

int main() {
    constexpr int threads = 64;
    size_t bytes = 0;
    cudaDeviceSetLimit(cudaLimitMallocHeapSize, 1 << 20);
    cudaDeviceGetLimit(&bytes, cudaLimitMallocHeapSize);
    Node** heads;
    int *sums, *got, result[threads], flags = 0;
    cudaMalloc(&heads, threads * sizeof(Node*));
    cudaMalloc(&sums, sizeof result);
    cudaMalloc(&got, sizeof flags);
    build<<<2, threads / 2>>>(heads, 10);
    sum<<<2, threads / 2>>>(heads, sums);
    destroy<<<2, threads / 2>>>(heads);
    cudaMemcpy(result, sums, sizeof result, cudaMemcpyDeviceToHost);
    int right = 0;
    for (int i = 0; i < threads; ++i) {
        int expected = 0;
        for (int n = 0; n < 10 + i % 3; ++n) expected += i * n;
        right += result[i] == expected;
    }
    if (bytes == 1 << 20) printf("%d lists hold what the host computes\n", right);
    fill_heap<<<1, 1>>>(got);
    cudaMemcpy(&flags, got, sizeof flags, cudaMemcpyDeviceToHost);
    if (flags == 2) printf("a full heap gives null\n");
    cudaFree(heads);
    cudaFree(sums);
    cudaFree(got);
}
