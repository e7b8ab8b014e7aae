// Textures of one to three dimensions, near and filtered, with every way to read outside, against the host's arithmetic.
// expect: status 0
// expect-output: 0 wrong of 2368
#include <cmath>
#include <cstdio>
#include <vector>

int wrong = 0, read = 0;

void compare(const char* what, float is, float expected) {
    ++read;
    if (std::fabs(is - expected) <= 1e-5f * (1 + std::fabs(expected))) return;
    if (wrong++ < 5) printf("%s: %g, not %g\n", what, is, expected);
}

constexpr int points = 35;

__host__ __device__ float place(int i, float size) { return (i - 10) * 0.0731f * size; }  // -0.7 to 1.8 times the size

__global__ void read_1d(cudaTextureObject_t texture, float* out, float size) {
    const int i = threadIdx.x;
    out[i] = tex1D<float>(texture, place(i, size));
}
__global__ void read_2d(cudaTextureObject_t texture, float* out, float width, float height) {
    const int i = threadIdx.x;
    out[i] = tex2D<float>(texture, place(i, width), place((i * 7) % points, height));
}
__global__ void read_3d(cudaTextureObject_t texture, float* out, float width, float height, float depth) {
    const int i = threadIdx.x;
    out[i] = tex3D<float>(texture, place(i, width), place((i * 7) % points, height), place((i * 11) % points, depth));
}

/// As the CUDA C++ Programming Guide says it.
struct Reference {
    int dimensions, size[3];
    std::vector<float> data;
    cudaTextureDesc texture;

    float texel(const int* at) const {
        int in[3] = {0, 0, 0};
        for (int axis = 0; axis < dimensions; ++axis) {
            const int n = size[axis], i = at[axis];
            int mode = texture.addressMode[axis];
            if (!texture.normalizedCoords && mode != cudaAddressModeBorder) mode = cudaAddressModeClamp;
            if (mode == cudaAddressModeBorder && (i < 0 || i >= n)) return texture.borderColor[0];
            if (mode == cudaAddressModeClamp) in[axis] = i < 0 ? 0 : i >= n ? n - 1 : i;
            if (mode == cudaAddressModeBorder) in[axis] = i;
            if (mode == cudaAddressModeWrap) in[axis] = (i % n + n) % n;
            if (mode == cudaAddressModeMirror) {
                const int j = (i % (2 * n) + 2 * n) % (2 * n);
                in[axis] = j < n ? j : 2 * n - 1 - j;
            }
        }
        return data[(in[2] * size[1] + in[1]) * size[0] + in[0]];
    }
    float at(const float* places) const {
        int low[3] = {0, 0, 0};
        float weight[3] = {0, 0, 0};
        for (int axis = 0; axis < dimensions; ++axis) {
            const float x = places[axis] * (texture.normalizedCoords ? size[axis] : 1);
            if (texture.filterMode == cudaFilterModePoint) {
                low[axis] = static_cast<int>(std::floor(x));
            } else {
                low[axis] = static_cast<int>(std::floor(x - 0.5f));
                weight[axis] = std::floor((x - 0.5f - low[axis]) * 256 + 0.5f) / 256;
            }
        }
        float sum = 0;
        for (int corner = 0; corner < 1 << dimensions; ++corner) {
            float share = 1;
            int from[3];
            for (int axis = 0; axis < dimensions; ++axis) {
                const int second = corner >> axis & 1;
                share *= second ? weight[axis] : 1 - weight[axis];
                from[axis] = low[axis] + second;
            }
            if (share != 0) sum += share * texel(from);
        }
        return sum;
    }
};

void check(int dimensions, cudaTextureFilterMode filter, cudaTextureAddressMode mode, bool unit, bool pitched) {
    Reference reference{dimensions, {9, dimensions > 1 ? 5 : 1, dimensions > 2 ? 4 : 1}, {}, {}};
    const int *size = reference.size, count = size[0] * size[1] * size[2];
    for (int i = 0; i < count; ++i) reference.data.push_back(i * 37 % 101 - 20.5f);
    cudaTextureDesc& texture = reference.texture;
    for (auto& each : texture.addressMode) each = mode;
    texture.filterMode = filter;
    texture.readMode = cudaReadModeElementType;
    texture.normalizedCoords = unit;
    texture.borderColor[0] = 3.5f;
    const cudaChannelFormatDesc channels = cudaCreateChannelDesc<float>();
    cudaArray_t array = nullptr;
    float* rows = nullptr;
    cudaResourceDesc resource = {};
    if (pitched) {
        size_t pitch;
        cudaMallocPitch(reinterpret_cast<void**>(&rows), &pitch, size[0] * sizeof(float), size[1]);
        cudaMemcpy2D(rows, pitch, reference.data.data(), size[0] * sizeof(float), size[0] * sizeof(float), size[1],
                     cudaMemcpyHostToDevice);
        resource.resType = cudaResourceTypePitch2D;
        resource.res.pitch2D.devPtr = rows;
        resource.res.pitch2D.desc = channels;
        resource.res.pitch2D.width = size[0];
        resource.res.pitch2D.height = size[1];
        resource.res.pitch2D.pitchInBytes = pitch;
    } else {
        if (dimensions == 3) {
            const cudaExtent extent = make_cudaExtent(size[0], size[1], size[2]);
            cudaMalloc3DArray(&array, &channels, extent);
            cudaMemcpy3DParms with = {};
            with.srcPtr = make_cudaPitchedPtr(reference.data.data(), size[0] * sizeof(float), size[0], size[1]);
            with.dstArray = array;
            with.extent = extent;
            with.kind = cudaMemcpyHostToDevice;
            cudaMemcpy3D(&with);
        } else {
            cudaMallocArray(&array, &channels, size[0], dimensions == 2 ? size[1] : 0);
            cudaMemcpy2DToArray(array, 0, 0, reference.data.data(), size[0] * sizeof(float), size[0] * sizeof(float),
                                size[1], cudaMemcpyHostToDevice);
        }
        resource.resType = cudaResourceTypeArray;
        resource.res.array.array = array;
    }
    cudaTextureObject_t object;
    cudaCreateTextureObject(&object, &resource, &texture, nullptr);
    float *out, result[points];
    cudaMalloc(&out, sizeof result);
    const float extent[3] = {unit ? 1.f : size[0], unit ? 1.f : size[1], unit ? 1.f : size[2]};
    if (dimensions == 1) read_1d<<<1, points>>>(object, out, extent[0]);
    if (dimensions == 2) read_2d<<<1, points>>>(object, out, extent[0], extent[1]);
    if (dimensions == 3) read_3d<<<1, points>>>(object, out, extent[0], extent[1], extent[2]);
    cudaMemcpy(result, out, sizeof result, cudaMemcpyDeviceToHost);
    for (int i = 0; i < points; ++i) {
        const float places[3] = {place(i, extent[0]), place(i * 7 % points, extent[1]), place(i * 11 % points, extent[2])};
        compare("texture", result[i], reference.at(places));
    }
    cudaDestroyTextureObject(object);
    cudaFree(out);
    cudaFree(rows);
    cudaFreeArray(array);
}

__global__ void read_others(cudaTextureObject_t bytes, cudaTextureObject_t shorts, cudaTextureObject_t whole,
                            cudaTextureObject_t line, float* out) {
    const int i = threadIdx.x;
    const float4 b = tex2D<float4>(bytes, i % 4 + 0.5f, i / 4 + 0.5f);
    const float2 s = tex1D<float2>(shorts, i + 0.5f);
    const uchar4 w = tex2D<uchar4>(whole, i % 4 + 0.5f, i / 4 + 0.5f);
    out[i * 8] = b.x;
    out[i * 8 + 1] = b.w;
    out[i * 8 + 2] = s.x;
    out[i * 8 + 3] = s.y;
    out[i * 8 + 4] = w.y;
    out[i * 8 + 5] = w.z;
    out[i * 8 + 6] = tex1Dfetch<int>(line, i);
    out[i * 8 + 7] = tex1Dfetch<int>(line, i - 8) + tex1Dfetch<int>(line, i + 12);
}

void check_others() {
    unsigned char bytes[16][4];
    short shorts[16][2];
    int line[16];
    for (int i = 0; i < 16; ++i) {
        for (int j = 0; j < 4; ++j) bytes[i][j] = static_cast<unsigned char>(i * 16 + j);
        shorts[i][0] = static_cast<short>(i * 4000 - 32768);
        shorts[i][1] = static_cast<short>(i * 100);
        line[i] = 1000 * i + 1;
    }
    cudaTextureDesc texture = {};
    for (auto& each : texture.addressMode) each = cudaAddressModeClamp;
    cudaResourceDesc resource = {};
    cudaArray_t of_bytes, of_shorts;
    const cudaChannelFormatDesc byte4 = cudaCreateChannelDesc<uchar4>(), short2s = cudaCreateChannelDesc<short2>();
    cudaMallocArray(&of_bytes, &byte4, 4, 4);
    cudaMemcpy2DToArray(of_bytes, 0, 0, bytes, 16, 16, 4, cudaMemcpyHostToDevice);
    cudaMallocArray(&of_shorts, &short2s, 16);
    cudaMemcpy2DToArray(of_shorts, 0, 0, shorts, 64, 64, 1, cudaMemcpyHostToDevice);
    cudaTextureObject_t objects[4];
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = of_bytes;
    cudaCreateTextureObject(&objects[2], &resource, &texture, nullptr);
    texture.readMode = cudaReadModeNormalizedFloat;
    cudaCreateTextureObject(&objects[0], &resource, &texture, nullptr);
    resource.res.array.array = of_shorts;
    cudaCreateTextureObject(&objects[1], &resource, &texture, nullptr);
    int* in_memory;
    cudaMalloc(&in_memory, sizeof line);
    cudaMemcpy(in_memory, line, sizeof line, cudaMemcpyHostToDevice);
    resource = {};
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = in_memory;
    resource.res.linear.desc = cudaCreateChannelDesc<int>();
    resource.res.linear.sizeInBytes = sizeof line;
    texture = {};
    cudaCreateTextureObject(&objects[3], &resource, &texture, nullptr);
    float *out, result[16 * 8];
    cudaMalloc(&out, sizeof result);
    read_others<<<1, 16>>>(objects[0], objects[1], objects[2], objects[3], out);
    cudaMemcpy(result, out, sizeof result, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 16; ++i) {
        const float expected[] = {bytes[i][0] / 255.f,
                                  bytes[i][3] / 255.f,
                                  std::fmax(shorts[i][0] / 32767.f, -1.f),
                                  shorts[i][1] / 32767.f,
                                  float(bytes[i][1]),
                                  float(bytes[i][2]),
                                  float(line[i]),
                                  float((i >= 8 ? line[i - 8] : 0) + (i + 12 < 16 ? line[i + 12] : 0))};
        for (int j = 0; j < 8; ++j) compare("another texture", result[i * 8 + j], expected[j]);
    }
    for (const cudaTextureObject_t object : objects) cudaDestroyTextureObject(object);
    cudaFreeArray(of_bytes);
    cudaFreeArray(of_shorts);
    cudaFree(in_memory);
    cudaFree(out);
}

int main() {
    const cudaTextureAddressMode modes[] = {cudaAddressModeWrap, cudaAddressModeClamp, cudaAddressModeMirror,
                                            cudaAddressModeBorder};
    for (const cudaTextureFilterMode filter : {cudaFilterModePoint, cudaFilterModeLinear})
        for (const cudaTextureAddressMode mode : modes)
            for (const bool unit : {false, true}) {
                for (int dimensions = 1; dimensions <= 3; ++dimensions) check(dimensions, filter, mode, unit, false);
                check(2, filter, mode, unit, true);
            }
    check_others();
    printf("%d wrong of %d\n", wrong, read);
}
