// The ABI of textures, surfaces and the arrays that they lie in, as cuda_abi.h.
#pragma once

#include <cstddef>

extern "C" {

using cudaArray_t = struct cudaArray*;
using cudaTextureObject_t = unsigned long long;
using cudaSurfaceObject_t = unsigned long long;

enum cudaChannelFormatKind : int {
    cudaChannelFormatKindSigned,
    cudaChannelFormatKindUnsigned,
    cudaChannelFormatKindFloat,
    cudaChannelFormatKindNone
};
struct cudaChannelFormatDesc {
    int x, y, z, w;  ///< bits
    cudaChannelFormatKind f;
};
enum : unsigned { cudaArraySurfaceLoadStore = 2, cudaArrayTextureGather = 8 };

enum cudaResourceType : int {
    cudaResourceTypeArray,
    cudaResourceTypeMipmappedArray,
    cudaResourceTypeLinear,
    cudaResourceTypePitch2D
};
struct cudaResourceDesc {
    cudaResourceType resType;
    union {
        struct {
            cudaArray_t array;
        } array;
        struct {
            void* devPtr;
            cudaChannelFormatDesc desc;
            std::size_t sizeInBytes;
        } linear;
        struct {
            void* devPtr;
            cudaChannelFormatDesc desc;
            std::size_t width, height, pitchInBytes;
        } pitch2D;
        int reserved[32];
    } res;
    unsigned flags;
};
struct cudaTextureDesc {
    int addressMode[3];  ///< wrap, clamp, mirror, border
    int filterMode;      ///< point, linear
    int readMode;        ///< as it is, as a number up to 1
    int sRGB;
    float borderColor[4];
    int normalizedCoords;
    unsigned maxAnisotropy;
    int mipmapFilterMode;
    float mipmapLevelBias, minMipmapLevelClamp, maxMipmapLevelClamp;
    int disableTrilinearOptimization, seamlessCubemap;
};

}  // extern "C"
