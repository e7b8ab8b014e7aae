// A texture that is destroyed, memory of one that is freed, an array that nobody wrote; a surface past its end, and of
// an array that is for none; a filter of whole numbers.
// expect: status 4, 8 findings
// expect: out_of_bounds texture_bugs.cu:16 block (0,0,0) thread (0,0,0): reads 0x
// expect: which is no texture object, or no longer
// expect: use_after_free texture_bugs.cu:19 block (0,0,0) thread (0,0,0) memory[0]: reads; memory has been freed
// expect: uninitialised texture_bugs.cu:16
// expect: out_of_bounds texture_bugs.cu:22 block (0,0,0) thread (4,0,0): writes a surface of 4 x 4 x 1 elements of 4 bytes at byte 16 of row 0, plane 0
// expect: error texture_bugs.cu:45 cudaCreateSurfaceObject: makes a surface of an array that cudaMallocArray was not given cudaArraySurfaceLoadStore for
// expect: error texture_bugs.cu:51 cudaCreateTextureObject: asks for a linear filter of whole numbers
// expect: out_of_bounds texture_bugs.cu:54 cudaMemcpy2DToArray: copies 5 rows of 16 bytes from byte 0 of row 0 on, and the array has 4 rows of 16
// expect: leak texture_bugs.cu:29 cudaMallocArray: kept, 64 bytes, is never freed
#include <cstdio>

__global__ void read(cudaTextureObject_t texture, float* out) {
    *out = tex2D<float>(texture, 1.f, 1.f);
}
__global__ void fetch(cudaTextureObject_t texture, float* out) {
    *out = tex1Dfetch<float>(texture, 0);
}
__global__ void write(cudaSurfaceObject_t surface) {
    surf2Dwrite(1.f, surface, static_cast<int>(threadIdx.x) * 4, 0);
}

int main() {
    const cudaChannelFormatDesc floats = cudaCreateChannelDesc<float>(), ints = cudaCreateChannelDesc<int>();
    cudaArray_t plain, kept, whole;
    cudaMallocArray(&plain, &floats, 4, 4);
    cudaMallocArray(&kept, &floats, 4, 4, cudaArraySurfaceLoadStore);
    cudaMallocArray(&whole, &ints, 4, 4);
    float *out, *memory;
    cudaMalloc(&out, sizeof(float));
    cudaMalloc(&memory, 64);
    cudaMemset(memory, 0, 64);
    cudaResourceDesc resource = {};
    cudaTextureDesc texture = {};
    cudaTextureObject_t first, second;
    cudaSurfaceObject_t surface, none;
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = plain;
    cudaCreateTextureObject(&first, &resource, &texture, nullptr);
    read<<<1, 1>>>(first, out);
    cudaDestroyTextureObject(first);
    read<<<1, 1>>>(first, out);
    cudaCreateSurfaceObject(&none, &resource);
    resource.res.array.array = kept;
    cudaCreateSurfaceObject(&surface, &resource);
    write<<<1, 8>>>(surface);
    resource.res.array.array = whole;
    texture.filterMode = cudaFilterModeLinear;
    cudaCreateTextureObject(&first, &resource, &texture, nullptr);
    texture.filterMode = cudaFilterModePoint;
    float host[20] = {};
    cudaMemcpy2DToArray(plain, 0, 0, host, 16, 16, 5, cudaMemcpyHostToDevice);
    resource = {};
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = memory;
    resource.res.linear.desc = floats;
    resource.res.linear.sizeInBytes = 64;
    cudaCreateTextureObject(&second, &resource, &texture, nullptr);
    cudaFree(memory);
    fetch<<<1, 1>>>(second, out);
    cudaDeviceSynchronize();
    cudaFreeArray(plain);
    cudaFreeArray(whole);
    cudaFree(out);
}
