// Descriptions of textures: what CUDA rejects, what it takes no notice of, whole numbers at the border; elements of which
// a part is written.
// expect: status 5, 6 findings
// expect: error texture_descriptions.cu:72 cudaCreateTextureObject: makes a texture of 0 elements along y; there can be 1 to 65000
// expect: error texture_descriptions.cu:75 cudaCreateTextureObject: has a pitch of 36 bytes, which is no multiple of 32 (texturePitchAlignment); cudaMallocPitch gives one
// expect: error texture_descriptions.cu:78 cudaCreateTextureObject: makes a texture of memory at
// expect: error texture_descriptions.cu:81 cudaMallocArray: makes an array of 0 elements along x; there can be 1 to 131072
// expect: uninitialised texture_descriptions.cu:17 block (0,0,0) thread (0,0,0) memory[3]: reads what nobody has written
// expect: out_of_bounds texture_descriptions.cu:28 block (0,0,0) thread (0,0,0): reads a surface of 2 dimensions by 1 coordinates
// expect: texture_descriptions.cu:68 cudaCreateTextureObject: asks for sRGB, which is not supported
// expect-output: 6 6 7 3 801 5
#include <cstdio>
#include <cstring>

__global__ void write(float4* memory) { memory->x = 1, memory->y = 2, memory->z = 3; }
__global__ void fetch(cudaTextureObject_t texture, float* out, bool all) {
    const float4 v = tex1Dfetch<float4>(texture, 0);
    *out = v.x + v.y + v.z;
    if (all) *out += v.w;
}
__global__ void read(cudaTextureObject_t texture, int* out, float x) {
    *out = x < 1 ? tex2D<int>(texture, x, 0.5f) : tex2DLod<int>(texture, x, 0.5f, 0.f);
}
__global__ void copy(cudaSurfaceObject_t surface) {
    int4 v;
    surf2Dread(&v.x, surface, 4, 0);
    surf2Dwrite(v.x, surface, 0, 1);
    surf1Dread(&v.y, surface, 4);
    surf2Dwrite(v.y, surface, 4, 1);
}

template <class T>
T value_of(const T* device) {
    T value;
    cudaMemcpy(&value, device, sizeof value, cudaMemcpyDeviceToHost);
    return value;
}

int main() {
    float4* memory;
    float* out;
    int* whole;
    cudaMalloc(&memory, 64 * sizeof(float4));
    cudaMalloc(&out, sizeof(float));
    cudaMalloc(&whole, sizeof(int));
    write<<<1, 1>>>(memory);
    cudaResourceDesc linear = {}, array = {}, pitched = {};
    cudaTextureDesc texture = {}, odd;
    cudaTextureObject_t object, none;
    linear.resType = cudaResourceTypeLinear;
    linear.res.linear = {memory, cudaCreateChannelDesc<float4>(), 64 * sizeof(float4)};
    texture.filterMode = cudaFilterModeLinear;  // of linear memory it says nothing
    cudaCreateTextureObject(&object, &linear, &texture, nullptr);
    fetch<<<1, 1>>>(object, out, false);
    printf("%g ", value_of(out));
    fetch<<<1, 1>>>(object, out, true);
    value_of(out);
    cudaDestroyTextureObject(object);
    printf("6 ");

    const cudaChannelFormatDesc ints = cudaCreateChannelDesc<int>();
    const int host[4] = {3, 5, 4, 4}, border = 7;
    array.resType = cudaResourceTypeArray;
    cudaMallocArray(&array.res.array.array, &ints, 2, 2, cudaArraySurfaceLoadStore);
    cudaMemcpy2DToArray(array.res.array.array, 0, 0, host, 8, 8, 2, cudaMemcpyHostToDevice);
    texture = {};
    texture.sRGB = 1;
    const int srgb = cudaCreateTextureObject(&none, &array, &texture, nullptr);
    pitched.resType = cudaResourceTypePitch2D;
    pitched.res.pitch2D = {memory, ints, 8, 0, 32};
    texture.sRGB = 0;
    cudaCreateTextureObject(&none, &pitched, &texture, nullptr);
    pitched.res.pitch2D.height = 4;
    pitched.res.pitch2D.pitchInBytes = 36;
    cudaCreateTextureObject(&none, &pitched, &texture, nullptr);
    pitched.res.pitch2D.pitchInBytes = 32;
    pitched.res.pitch2D.devPtr = &memory[1];
    cudaCreateTextureObject(&none, &pitched, &texture, nullptr);

    cudaArray_t empty;
    cudaMallocArray(&empty, &ints, 0);

    std::memset(&odd, 0x5a, sizeof odd);  // what a plane has no use for is anything
    odd.addressMode[0] = odd.addressMode[1] = cudaAddressModeBorder;
    odd.filterMode = cudaFilterModePoint;
    odd.readMode = cudaReadModeNormalizedFloat;  // 32 bits stay as they are
    odd.sRGB = odd.normalizedCoords = 0;
    std::memcpy(&odd.borderColor[0], &border, sizeof border);
    cudaCreateTextureObject(&object, &array, &odd, nullptr);
    read<<<1, 1>>>(object, whole, -1.f);
    printf("%d ", value_of(whole));
    read<<<1, 1>>>(object, whole, 0.5f);
    printf("%d %d ", value_of(whole), srgb);
    read<<<1, 1>>>(object, whole, 1.5f);
    printf("%d\n", value_of(whole));
    cudaDestroyTextureObject(object);

    cudaSurfaceObject_t surface;
    cudaCreateSurfaceObject(&surface, &array);
    copy<<<1, 1>>>(surface);
    cudaDeviceSynchronize();
    cudaDestroySurfaceObject(surface);
    cudaFreeArray(array.res.array.array);
    cudaFree(memory);
    cudaFree(out);
    cudaFree(whole);
}
