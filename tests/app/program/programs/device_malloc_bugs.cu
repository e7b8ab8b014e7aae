// Mistakes with memory that kernels allocate.
// expect: status 4, 11 findings
// expect: invalid_free device_malloc_bugs.cu:21 block (0,0,0) thread (0,0,0) malloc(device_malloc_bugs.cu:19): frees it again; block (0,0,0) thread (0,0,0) freed it at device_malloc_bugs.cu:20
// expect: use_after_free device_malloc_bugs.cu:28 block (0,0,0) thread (0,0,0) malloc(device_malloc_bugs.cu:25)[1]: reads; malloc(device_malloc_bugs.cu:25) has been freed; block (0,0,0) thread (0,0,0) freed it at device_malloc_bugs.cu:27
// expect: out_of_bounds device_malloc_bugs.cu:33 block (0,0,0) thread (0,0,0) malloc(device_malloc_bugs.cu:32)[4]: writes; malloc(device_malloc_bugs.cu:32) has 4 elements
// expect: uninitialised device_malloc_bugs.cu:39
// expect: invalid_free device_malloc_bugs.cu:44 block (0,0,0) thread (0,0,0): frees p, which malloc() of a kernel has not returned
// expect: invalid_free device_malloc_bugs.cu:46 block (0,0,0) thread (0,0,0) malloc(device_malloc_bugs.cu:45): frees a place 4 bytes behind its begin
// expect: use_after_free device_malloc_bugs.cu:59 block (0,0,0) thread (0,0,0) malloc(device_malloc_bugs.cu:57)[0]: writes; malloc(device_malloc_bugs.cu:57) has been freed; block (0,0,0) thread (32,0,0) freed it at device_malloc_bugs.cu:60
// expect: device_pointer device_malloc_bugs.cu:75 cudaMemcpy: copies from what malloc() of a kernel returned, which kernels alone reach
// expect: invalid_free device_malloc_bugs.cu:76 cudaFree: is given what malloc() of a kernel returned: free() of a kernel frees it
// expect: error device_malloc_bugs.cu:77 cudaDeviceSetLimit: sets the heap of malloc() in kernels after a kernel has used it
// expect: leak device_malloc_bugs.cu:51 malloc: no kernel frees the 96 bytes that it has allocated here (4 times)
#include <cstdlib>

__device__ int* volatile kept;  // by which a compiler may not leave anything out

__global__ void twice() {
    kept = static_cast<int*>(malloc(16));
    free(kept);
    free(kept);
}

__global__ void after(int* out) {
    kept = static_cast<int*>(malloc(16));
    kept[1] = 1;
    free(kept);
    *out = kept[1];
}

__global__ void past() {
    kept = static_cast<int*>(malloc(16));
    kept[4] = 1;
    free(kept);
}

__global__ void unwritten(int* out) {
    kept = static_cast<int*>(malloc(16));
    *out = kept[3] + 1;
    free(kept);
}

__global__ void foreign(int* p) {
    free(p);
    kept = static_cast<int*>(malloc(16));
    free(kept + 1);
    free(kept);
}

__global__ void keep(int** out) {
    int* const p = static_cast<int*>(malloc(24));
    *p = 1;
    out[threadIdx.x] = p;
}

__global__ void still_used() {
    if (threadIdx.x == 0) kept = static_cast<int*>(malloc(16));
    __syncthreads();
    if (threadIdx.x == 0) kept[0] = 1;
    if (threadIdx.x == 32) free(kept);
}

int main() {
    int** d;
    cudaMalloc(&d, 64);
    twice<<<1, 1>>>();
    after<<<1, 1>>>(reinterpret_cast<int*>(d));
    past<<<1, 1>>>();
    unwritten<<<1, 1>>>(reinterpret_cast<int*>(d));
    foreign<<<1, 1>>>(reinterpret_cast<int*>(d));
    keep<<<1, 4>>>(d);
    still_used<<<1, 64>>>();
    int *p, value;
    cudaMemcpy(&p, d, sizeof p, cudaMemcpyDeviceToHost);
    cudaMemcpy(&value, p, sizeof value, cudaMemcpyDeviceToHost);
    cudaFree(p);
    cudaDeviceSetLimit(cudaLimitMallocHeapSize, 1 << 24);
    cudaFree(d);
}
