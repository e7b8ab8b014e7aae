// Surfaces of one to three dimensions, read and written; what a kernel writes the next one reads as a texture.
// expect: status 0
// expect-output: 0 wrong
#include <cstdio>

constexpr int width = 8, height = 6, depth = 3;

__global__ void write(cudaSurfaceObject_t line, cudaSurfaceObject_t plane, cudaSurfaceObject_t volume) {
    const int x = threadIdx.x, y = threadIdx.y;
    if (y == 0) surf1Dwrite(make_float2(x, -x), line, x * static_cast<int>(sizeof(float2)));
    surf2Dwrite(10.f * y + x, plane, x * 4, y);
    for (int z = 0; z < depth; ++z)
        surf3Dwrite(static_cast<unsigned char>(x + 10 * y + 60 * z), volume, x, y, z, cudaBoundaryModeTrap);
    surf2Dwrite(1e9f, plane, (x + width) * 4, y, cudaBoundaryModeZero);  // outside: nothing
}

__global__ void read(cudaSurfaceObject_t line, cudaSurfaceObject_t plane, cudaSurfaceObject_t volume,
                     cudaTextureObject_t same, float* out) {
    const int x = threadIdx.x, y = threadIdx.y, i = y * width + x;
    float2 pair;
    surf1Dread(&pair, line, x * static_cast<int>(sizeof(float2)));
    unsigned char byte = surf3Dread<unsigned char>(volume, x, y, 2);
    out[i * 4] = pair.x - pair.y;
    out[i * 4 + 1] = surf2Dread<float>(plane, x * 4, y) + surf2Dread<float>(plane, -4, y, cudaBoundaryModeZero);
    out[i * 4 + 2] = byte;
    out[i * 4 + 3] = tex2D<float>(same, x + 0.5f, y + 0.5f) + surf2Dread<float>(plane, -4, y, cudaBoundaryModeClamp);
}

int main() {
    cudaArray_t arrays[3];
    const cudaChannelFormatDesc pairs = cudaCreateChannelDesc<float2>(), floats = cudaCreateChannelDesc<float>(),
                                bytes = cudaCreateChannelDesc<unsigned char>();
    cudaMallocArray(&arrays[0], &pairs, width, 0, cudaArraySurfaceLoadStore);
    cudaMallocArray(&arrays[1], &floats, width, height, cudaArraySurfaceLoadStore);
    cudaMalloc3DArray(&arrays[2], &bytes, make_cudaExtent(width, height, depth), cudaArraySurfaceLoadStore);
    cudaSurfaceObject_t surfaces[3];
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    for (int i = 0; i < 3; ++i) {
        resource.res.array.array = arrays[i];
        cudaCreateSurfaceObject(&surfaces[i], &resource);
    }
    resource.res.array.array = arrays[1];
    cudaTextureDesc texture = {};
    cudaTextureObject_t same;
    cudaCreateTextureObject(&same, &resource, &texture, nullptr);
    float *out, result[width * height * 4], plane[width * height];
    cudaMalloc(&out, sizeof result);
    write<<<1, dim3(width, height)>>>(surfaces[0], surfaces[1], surfaces[2]);
    read<<<1, dim3(width, height)>>>(surfaces[0], surfaces[1], surfaces[2], same, out);
    cudaMemcpy(result, out, sizeof result, cudaMemcpyDeviceToHost);
    cudaMemcpy2DFromArray(plane, width * 4, arrays[1], 0, 0, width * 4, height, cudaMemcpyDeviceToHost);
    int wrong = 0;
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
            const int i = y * width + x;
            wrong += result[i * 4] != 2.f * x || result[i * 4 + 1] != 10.f * y + x || plane[i] != 10.f * y + x;
            wrong += result[i * 4 + 2] != x + 10 * y + 120 || result[i * 4 + 3] != 20.f * y + x;
        }
    printf("%d wrong\n", wrong);
    cudaDestroyTextureObject(same);
    for (const cudaSurfaceObject_t surface : surfaces) cudaDestroySurfaceObject(surface);
    for (const cudaArray_t array : arrays) cudaFreeArray(array);
    cudaFree(out);
}
