// Textures and surfaces: the objects, and what kernels read and write by them.
#pragma once

#include "runtime.h"

typedef unsigned long long cudaTextureObject_t;
typedef unsigned long long cudaSurfaceObject_t;

enum cudaChannelFormatKind {
    cudaChannelFormatKindSigned = 0,
    cudaChannelFormatKindUnsigned = 1,
    cudaChannelFormatKindFloat = 2,
    cudaChannelFormatKindNone = 3
};
struct cudaChannelFormatDesc {
    int x, y, z, w;
    cudaChannelFormatKind f;
};
typedef struct cudaArray* cudaArray_t;
typedef const struct cudaArray* cudaArray_const_t;
typedef struct cudaMipmappedArray* cudaMipmappedArray_t;
enum : unsigned { cudaArrayDefault = 0, cudaArrayLayered = 1, cudaArraySurfaceLoadStore = 2, cudaArrayCubemap = 4 };

enum cudaResourceType {
    cudaResourceTypeArray = 0,
    cudaResourceTypeMipmappedArray = 1,
    cudaResourceTypeLinear = 2,
    cudaResourceTypePitch2D = 3
};
struct cudaResourceDesc {
    cudaResourceType resType;
    union {
        struct {
            cudaArray_t array;
        } array;
        struct {
            cudaMipmappedArray_t mipmap;
        } mipmap;
        struct {
            void* devPtr;
            cudaChannelFormatDesc desc;
            size_t sizeInBytes;
        } linear;
        struct {
            void* devPtr;
            cudaChannelFormatDesc desc;
            size_t width, height, pitchInBytes;
        } pitch2D;
        struct {
            int reserved[32];
        } reserved;
    } res;
    unsigned flags;
};
enum cudaTextureAddressMode {
    cudaAddressModeWrap = 0,
    cudaAddressModeClamp = 1,
    cudaAddressModeMirror = 2,
    cudaAddressModeBorder = 3
};
enum cudaTextureFilterMode { cudaFilterModePoint = 0, cudaFilterModeLinear = 1 };
enum cudaTextureReadMode { cudaReadModeElementType = 0, cudaReadModeNormalizedFloat = 1 };
enum cudaSurfaceBoundaryMode { cudaBoundaryModeZero = 0, cudaBoundaryModeClamp = 1, cudaBoundaryModeTrap = 2 };
struct cudaTextureDesc {
    cudaTextureAddressMode addressMode[3];
    cudaTextureFilterMode filterMode;
    cudaTextureReadMode readMode;
    int sRGB;
    float borderColor[4];
    int normalizedCoords;
    unsigned maxAnisotropy;
    cudaTextureFilterMode mipmapFilterMode;
    float mipmapLevelBias, minMipmapLevelClamp, maxMipmapLevelClamp;
    int disableTrilinearOptimization, seamlessCubemap;
};

extern "C" {
cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, cudaChannelFormatKind);
cudaError_t cudaMallocArray(cudaArray_t* result, const cudaChannelFormatDesc*, size_t width, size_t height = 0,
                            unsigned flags = 0);
cudaError_t cudaMalloc3DArray(cudaArray_t* result, const cudaChannelFormatDesc*, cudaExtent, unsigned flags = 0);
cudaError_t cudaFreeArray(cudaArray_t);
cudaError_t cudaArrayGetInfo(cudaChannelFormatDesc*, cudaExtent*, unsigned* flags, cudaArray_t);
cudaError_t cudaGetChannelDesc(cudaChannelFormatDesc*, cudaArray_const_t);
cudaError_t cudaMemcpy2DToArray(cudaArray_t to, size_t x, size_t y, const void* from, size_t pitch, size_t width,
                                size_t height, cudaMemcpyKind);
cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t to, size_t x, size_t y, const void* from, size_t pitch, size_t width,
                                     size_t height, cudaMemcpyKind, cudaStream_t = nullptr);
cudaError_t cudaMemcpy2DFromArray(void* to, size_t pitch, cudaArray_const_t from, size_t x, size_t y, size_t width,
                                  size_t height, cudaMemcpyKind);
cudaError_t cudaMemcpy2DFromArrayAsync(void* to, size_t pitch, cudaArray_const_t from, size_t x, size_t y, size_t width,
                                       size_t height, cudaMemcpyKind, cudaStream_t = nullptr);
cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t to, size_t to_x, size_t to_y, cudaArray_const_t from, size_t from_x,
                                     size_t from_y, size_t width, size_t height,
                                     cudaMemcpyKind = cudaMemcpyDeviceToDevice);
cudaError_t cudaMemcpyToArray(cudaArray_t to, size_t x, size_t y, const void* from, size_t bytes, cudaMemcpyKind);
cudaError_t cudaMemcpyFromArray(void* to, cudaArray_const_t from, size_t x, size_t y, size_t bytes, cudaMemcpyKind);
cudaError_t cudaCreateTextureObject(cudaTextureObject_t* result, const cudaResourceDesc*, const cudaTextureDesc*,
                                    const void* view);
cudaError_t cudaDestroyTextureObject(cudaTextureObject_t);
cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t* result, const cudaResourceDesc*);
cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t);
}

/// How a type is made of the words of an element, and what it describes.
template <class T>
struct convscope_channel;
#define CONVSCOPE_CHANNEL(T, kind, value)                                    \
    template <>                                                              \
    struct convscope_channel<T> {                                            \
        static constexpr cudaChannelFormatKind format = kind;                \
        CONVSCOPE_DEVICE_MEMBER static T of(unsigned word) { return value; } \
    };
CONVSCOPE_CHANNEL(char, cudaChannelFormatKindSigned, static_cast<char>(word))
CONVSCOPE_CHANNEL(signed char, cudaChannelFormatKindSigned, static_cast<signed char>(word))
CONVSCOPE_CHANNEL(unsigned char, cudaChannelFormatKindUnsigned, static_cast<unsigned char>(word))
CONVSCOPE_CHANNEL(short, cudaChannelFormatKindSigned, static_cast<short>(word))
CONVSCOPE_CHANNEL(unsigned short, cudaChannelFormatKindUnsigned, static_cast<unsigned short>(word))
CONVSCOPE_CHANNEL(int, cudaChannelFormatKindSigned, static_cast<int>(word))
CONVSCOPE_CHANNEL(unsigned, cudaChannelFormatKindUnsigned, word)
CONVSCOPE_CHANNEL(float, cudaChannelFormatKindFloat, __builtin_bit_cast(float, word))

struct convscope_words {
    unsigned x, y, z, w;
};
template <class T>
struct convscope_element {
    static constexpr int channels = 1;
    typedef T channel;
    CONVSCOPE_DEVICE_MEMBER static T of(const convscope_words& words) { return convscope_channel<T>::of(words.x); }
};
#define CONVSCOPE_ELEMENT(name, T)                                                         \
    template <>                                                                            \
    struct convscope_element<name##1> {                                                    \
        static constexpr int channels = 1;                                                 \
        typedef T channel;                                                                 \
        CONVSCOPE_DEVICE_MEMBER static name##1 of(const convscope_words& words) {          \
            return {convscope_channel<T>::of(words.x)};                                    \
        }                                                                                  \
    };                                                                                     \
    template <>                                                                            \
    struct convscope_element<name##2> {                                                    \
        static constexpr int channels = 2;                                                 \
        typedef T channel;                                                                 \
        CONVSCOPE_DEVICE_MEMBER static name##2 of(const convscope_words& words) {          \
            return {convscope_channel<T>::of(words.x), convscope_channel<T>::of(words.y)}; \
        }                                                                                  \
    };                                                                                     \
    template <>                                                                            \
    struct convscope_element<name##4> {                                                    \
        static constexpr int channels = 4;                                                 \
        typedef T channel;                                                                 \
        CONVSCOPE_DEVICE_MEMBER static name##4 of(const convscope_words& words) {          \
            return {convscope_channel<T>::of(words.x), convscope_channel<T>::of(words.y),  \
                    convscope_channel<T>::of(words.z), convscope_channel<T>::of(words.w)}; \
        }                                                                                  \
    };
CONVSCOPE_ELEMENT(char, signed char)
CONVSCOPE_ELEMENT(uchar, unsigned char)
CONVSCOPE_ELEMENT(short, short)
CONVSCOPE_ELEMENT(ushort, unsigned short)
CONVSCOPE_ELEMENT(int, int)
CONVSCOPE_ELEMENT(uint, unsigned)
CONVSCOPE_ELEMENT(float, float)

template <class T>
CONVSCOPE_HOST cudaChannelFormatDesc cudaCreateChannelDesc() {
    typedef convscope_element<T> element;
    const int bits = 8 * sizeof(typename element::channel), n = element::channels;
    return {bits, n > 1 ? bits : 0, n > 2 ? bits : 0, n > 3 ? bits : 0,
            convscope_channel<typename element::channel>::format};
}

// Textures. An element has four words, whatever it is.
#define CONVSCOPE_TEXTURE(name, parameters, arguments, instruction, ...)                                        \
    CONVSCOPE_DEVICE convscope_words convscope_##name(cudaTextureObject_t texture, CONVSCOPE_LIST parameters) { \
        convscope_words to;                                                                                     \
        asm volatile(instruction                                                                                \
                     : "=r"(to.x), "=r"(to.y), "=r"(to.z), "=r"(to.w)                                           \
                     : "l"(texture), __VA_ARGS__                                                                \
                     : "memory");                                                                               \
        return to;                                                                                              \
    }                                                                                                           \
    template <class T>                                                                                          \
    CONVSCOPE_DEVICE T name(cudaTextureObject_t texture, CONVSCOPE_LIST parameters) {                           \
        return convscope_element<T>::of(convscope_##name(texture, CONVSCOPE_LIST arguments));                   \
    }                                                                                                           \
    template <class T>                                                                                          \
    CONVSCOPE_DEVICE void name(T* to, cudaTextureObject_t texture, CONVSCOPE_LIST parameters) {                 \
        *to = name<T>(texture, CONVSCOPE_LIST arguments);                                                       \
    }
#define CONVSCOPE_LIST(...) __VA_ARGS__
CONVSCOPE_TEXTURE(tex1Dfetch, (int x), (x), "tex.1d.v4.u32.s32 {%0, %1, %2, %3}, [%4, {%5}];", "r"(x))
CONVSCOPE_TEXTURE(tex1D, (float x), (x), "tex.1d.v4.u32.f32 {%0, %1, %2, %3}, [%4, {%5}];", "f"(x))
CONVSCOPE_TEXTURE(tex2D, (float x, float y), (x, y), "tex.2d.v4.u32.f32 {%0, %1, %2, %3}, [%4, {%5, %6}];", "f"(x),
                  "f"(y))
CONVSCOPE_TEXTURE(tex3D, (float x, float y, float z), (x, y, z),
                  "tex.3d.v4.u32.f32 {%0, %1, %2, %3}, [%4, {%5, %6, %7, %7}];", "f"(x), "f"(y), "f"(z))

// Surfaces: by the bytes of an element, and what happens outside. x counts bytes.
template <unsigned bytes>
struct convscope_surface;
#define CONVSCOPE_BY_MODE(access)           \
    if (mode == cudaBoundaryModeTrap)       \
        access("trap");                     \
    else if (mode == cudaBoundaryModeClamp) \
        access("clamp");                    \
    else                                    \
        access("zero")
template <>
struct convscope_surface<1> {
    typedef unsigned char raw;
#define CONVSCOPE_READ(outside) \
    asm volatile("suld.b.1d.b8." outside " {%0}, [%1, {%2}];" : "=h"(to) : "l"(surface), "r"(x) : "memory")
    CONVSCOPE_DEVICE_MEMBER static raw read(cudaSurfaceObject_t surface, int x, cudaSurfaceBoundaryMode mode) {
        unsigned short to;
        CONVSCOPE_BY_MODE(CONVSCOPE_READ);
        return static_cast<raw>(to);
    }
#undef CONVSCOPE_READ
#define CONVSCOPE_WRITE(outside) \
    asm volatile("sust.b.1d.b8." outside " [%0, {%1}], {%2};" : : "l"(surface), "r"(x), "h"(from) : "memory")
    CONVSCOPE_DEVICE_MEMBER static void write(raw value, cudaSurfaceObject_t surface, int x,
                                              cudaSurfaceBoundaryMode mode) {
        const unsigned short from = value;
        CONVSCOPE_BY_MODE(CONVSCOPE_WRITE);
    }
#undef CONVSCOPE_WRITE
#define CONVSCOPE_READ(outside)                                   \
    asm volatile("suld.b.2d.b8." outside " {%0}, [%1, {%2, %3}];" \
                 : "=h"(to)                                       \
                 : "l"(surface), "r"(x), "r"(y)                   \
                 : "memor"                                        \
                   "y")
    CONVSCOPE_DEVICE_MEMBER static raw read(cudaSurfaceObject_t surface, int x, int y, cudaSurfaceBoundaryMode mode) {
        unsigned short to;
        CONVSCOPE_BY_MODE(CONVSCOPE_READ);
        return static_cast<raw>(to);
    }
#undef CONVSCOPE_READ
#define CONVSCOPE_WRITE(outside)                                  \
    asm volatile("sust.b.2d.b8." outside " [%0, {%1, %2}], {%3};" \
                 :                                                \
                 : "l"(surface), "r"(x), "r"(y), "h"(from)        \
                 : "memory")
    CONVSCOPE_DEVICE_MEMBER static void write(raw value, cudaSurfaceObject_t surface, int x, int y,
                                              cudaSurfaceBoundaryMode mode) {
        const unsigned short from = value;
        CONVSCOPE_BY_MODE(CONVSCOPE_WRITE);
    }
#undef CONVSCOPE_WRITE
#define CONVSCOPE_READ(outside)                                           \
    asm volatile("suld.b.3d.b8." outside " {%0}, [%1, {%2, %3, %4, %4}];" \
                 : "=h"(to)                                               \
                 : "l"(surface), "r"(x), "r"(y), "r"(z)                   \
                 : "memory")
    CONVSCOPE_DEVICE_MEMBER static raw read(cudaSurfaceObject_t surface, int x, int y, int z,
                                            cudaSurfaceBoundaryMode mode) {
        unsigned short to;
        CONVSCOPE_BY_MODE(CONVSCOPE_READ);
        return static_cast<raw>(to);
    }
#undef CONVSCOPE_READ
#define CONVSCOPE_WRITE(outside)                                          \
    asm volatile("sust.b.3d.b8." outside " [%0, {%1, %2, %3, %3}], {%4};" \
                 :                                                        \
                 : "l"(surface), "r"(x), "r"(y), "r"(z), "h"(from)        \
                 : "memory")
    CONVSCOPE_DEVICE_MEMBER static void write(raw value, cudaSurfaceObject_t surface, int x, int y, int z,
                                              cudaSurfaceBoundaryMode mode) {
        const unsigned short from = value;
        CONVSCOPE_BY_MODE(CONVSCOPE_WRITE);
    }
#undef CONVSCOPE_WRITE
};
template <>
struct convscope_surface<2> {
    typedef unsigned short raw;
#define CONVSCOPE_READ(outside) \
    asm volatile("suld.b.1d.b16." outside " {%0}, [%1, {%2}];" : "=h"(to) : "l"(surface), "r"(x) : "memory")
    CONVSCOPE_DEVICE_MEMBER static raw read(cudaSurfaceObject_t surface, int x, cudaSurfaceBoundaryMode mode) {
        unsigned short to;
        CONVSCOPE_BY_MODE(CONVSCOPE_READ);
        return static_cast<raw>(to);
    }
#undef CONVSCOPE_READ
#define CONVSCOPE_WRITE(outside) \
    asm volatile("sust.b.1d.b16." outside " [%0, {%1}], {%2};" : : "l"(surface), "r"(x), "h"(from) : "memory")
    CONVSCOPE_DEVICE_MEMBER static void write(raw value, cudaSurfaceObject_t surface, int x,
                                              cudaSurfaceBoundaryMode mode) {
        const unsigned short from = value;
        CONVSCOPE_BY_MODE(CONVSCOPE_WRITE);
    }
#undef CONVSCOPE_WRITE
#define CONVSCOPE_READ(outside)                                    \
    asm volatile("suld.b.2d.b16." outside " {%0}, [%1, {%2, %3}];" \
                 : "=h"(to)                                        \
                 : "l"(surface), "r"(x), "r"(y)                    \
                 : "memor"                                         \
                   "y")
    CONVSCOPE_DEVICE_MEMBER static raw read(cudaSurfaceObject_t surface, int x, int y, cudaSurfaceBoundaryMode mode) {
        unsigned short to;
        CONVSCOPE_BY_MODE(CONVSCOPE_READ);
        return static_cast<raw>(to);
    }
#undef CONVSCOPE_READ
#define CONVSCOPE_WRITE(outside)                                   \
    asm volatile("sust.b.2d.b16." outside " [%0, {%1, %2}], {%3};" \
                 :                                                 \
                 : "l"(surface), "r"(x), "r"(y), "h"(from)         \
                 : "memory")
    CONVSCOPE_DEVICE_MEMBER static void write(raw value, cudaSurfaceObject_t surface, int x, int y,
                                              cudaSurfaceBoundaryMode mode) {
        const unsigned short from = value;
        CONVSCOPE_BY_MODE(CONVSCOPE_WRITE);
    }
#undef CONVSCOPE_WRITE
#define CONVSCOPE_READ(outside)                                            \
    asm volatile("suld.b.3d.b16." outside " {%0}, [%1, {%2, %3, %4, %4}];" \
                 : "=h"(to)                                                \
                 : "l"(surface), "r"(x), "r"(y), "r"(z)                    \
                 : "memory")
    CONVSCOPE_DEVICE_MEMBER static raw read(cudaSurfaceObject_t surface, int x, int y, int z,
                                            cudaSurfaceBoundaryMode mode) {
        unsigned short to;
        CONVSCOPE_BY_MODE(CONVSCOPE_READ);
        return static_cast<raw>(to);
    }
#undef CONVSCOPE_READ
#define CONVSCOPE_WRITE(outside)                                           \
    asm volatile("sust.b.3d.b16." outside " [%0, {%1, %2, %3, %3}], {%4};" \
                 :                                                         \
                 : "l"(surface), "r"(x), "r"(y), "r"(z), "h"(from)         \
                 : "memory")
    CONVSCOPE_DEVICE_MEMBER static void write(raw value, cudaSurfaceObject_t surface, int x, int y, int z,
                                              cudaSurfaceBoundaryMode mode) {
        const unsigned short from = value;
        CONVSCOPE_BY_MODE(CONVSCOPE_WRITE);
    }
#undef CONVSCOPE_WRITE
};
template <>
struct convscope_surface<4> {
    typedef unsigned raw;
#define CONVSCOPE_READ(outside) \
    asm volatile("suld.b.1d.b32." outside " {%0}, [%1, {%2}];" : "=r"(to) : "l"(surface), "r"(x) : "memory")
    CONVSCOPE_DEVICE_MEMBER static raw read(cudaSurfaceObject_t surface, int x, cudaSurfaceBoundaryMode mode) {
        unsigned to;
        CONVSCOPE_BY_MODE(CONVSCOPE_READ);
        return static_cast<raw>(to);
    }
#undef CONVSCOPE_READ
#define CONVSCOPE_WRITE(outside) \
    asm volatile("sust.b.1d.b32." outside " [%0, {%1}], {%2};" : : "l"(surface), "r"(x), "r"(from) : "memory")
    CONVSCOPE_DEVICE_MEMBER static void write(raw value, cudaSurfaceObject_t surface, int x,
                                              cudaSurfaceBoundaryMode mode) {
        const unsigned from = value;
        CONVSCOPE_BY_MODE(CONVSCOPE_WRITE);
    }
#undef CONVSCOPE_WRITE
#define CONVSCOPE_READ(outside)                                    \
    asm volatile("suld.b.2d.b32." outside " {%0}, [%1, {%2, %3}];" \
                 : "=r"(to)                                        \
                 : "l"(surface), "r"(x), "r"(y)                    \
                 : "memor"                                         \
                   "y")
    CONVSCOPE_DEVICE_MEMBER static raw read(cudaSurfaceObject_t surface, int x, int y, cudaSurfaceBoundaryMode mode) {
        unsigned to;
        CONVSCOPE_BY_MODE(CONVSCOPE_READ);
        return static_cast<raw>(to);
    }
#undef CONVSCOPE_READ
#define CONVSCOPE_WRITE(outside)                                   \
    asm volatile("sust.b.2d.b32." outside " [%0, {%1, %2}], {%3};" \
                 :                                                 \
                 : "l"(surface), "r"(x), "r"(y), "r"(from)         \
                 : "memory")
    CONVSCOPE_DEVICE_MEMBER static void write(raw value, cudaSurfaceObject_t surface, int x, int y,
                                              cudaSurfaceBoundaryMode mode) {
        const unsigned from = value;
        CONVSCOPE_BY_MODE(CONVSCOPE_WRITE);
    }
#undef CONVSCOPE_WRITE
#define CONVSCOPE_READ(outside)                                            \
    asm volatile("suld.b.3d.b32." outside " {%0}, [%1, {%2, %3, %4, %4}];" \
                 : "=r"(to)                                                \
                 : "l"(surface), "r"(x), "r"(y), "r"(z)                    \
                 : "memory")
    CONVSCOPE_DEVICE_MEMBER static raw read(cudaSurfaceObject_t surface, int x, int y, int z,
                                            cudaSurfaceBoundaryMode mode) {
        unsigned to;
        CONVSCOPE_BY_MODE(CONVSCOPE_READ);
        return static_cast<raw>(to);
    }
#undef CONVSCOPE_READ
#define CONVSCOPE_WRITE(outside)                                           \
    asm volatile("sust.b.3d.b32." outside " [%0, {%1, %2, %3, %3}], {%4};" \
                 :                                                         \
                 : "l"(surface), "r"(x), "r"(y), "r"(z), "r"(from)         \
                 : "memory")
    CONVSCOPE_DEVICE_MEMBER static void write(raw value, cudaSurfaceObject_t surface, int x, int y, int z,
                                              cudaSurfaceBoundaryMode mode) {
        const unsigned from = value;
        CONVSCOPE_BY_MODE(CONVSCOPE_WRITE);
    }
#undef CONVSCOPE_WRITE
};
template <>
struct convscope_surface<8> {
    typedef uint2 raw;
#define CONVSCOPE_READ(outside)                                       \
    asm volatile("suld.b.1d.v2.b32." outside " {%0, %1}, [%2, {%3}];" \
                 : "=r"(to.x), "=r"(to.y)                             \
                 : "l"(surface), "r"(x)                               \
                 : "memory")
    CONVSCOPE_DEVICE_MEMBER static raw read(cudaSurfaceObject_t surface, int x, cudaSurfaceBoundaryMode mode) {
        uint2 to;
        CONVSCOPE_BY_MODE(CONVSCOPE_READ);
        return to;
    }
#undef CONVSCOPE_READ
#define CONVSCOPE_WRITE(outside)                                      \
    asm volatile("sust.b.1d.v2.b32." outside " [%0, {%1}], {%2, %3};" \
                 :                                                    \
                 : "l"(surface), "r"(x), "r"(from.x), "r"(from.y)     \
                 : "memory")
    CONVSCOPE_DEVICE_MEMBER static void write(raw value, cudaSurfaceObject_t surface, int x,
                                              cudaSurfaceBoundaryMode mode) {
        const uint2 from = value;
        CONVSCOPE_BY_MODE(CONVSCOPE_WRITE);
    }
#undef CONVSCOPE_WRITE
#define CONVSCOPE_READ(outside)                                           \
    asm volatile("suld.b.2d.v2.b32." outside " {%0, %1}, [%2, {%3, %4}];" \
                 : "=r"(to.x), "=r"(to.y)                                 \
                 : "l"(surface), "r"(x), "r"(y)                           \
                 : "memory")
    CONVSCOPE_DEVICE_MEMBER static raw read(cudaSurfaceObject_t surface, int x, int y, cudaSurfaceBoundaryMode mode) {
        uint2 to;
        CONVSCOPE_BY_MODE(CONVSCOPE_READ);
        return to;
    }
#undef CONVSCOPE_READ
#define CONVSCOPE_WRITE(outside)                                          \
    asm volatile("sust.b.2d.v2.b32." outside " [%0, {%1, %2}], {%3, %4};" \
                 :                                                        \
                 : "l"(surface), "r"(x), "r"(y), "r"(from.x), "r"(from.y) \
                 : "memory")
    CONVSCOPE_DEVICE_MEMBER static void write(raw value, cudaSurfaceObject_t surface, int x, int y,
                                              cudaSurfaceBoundaryMode mode) {
        const uint2 from = value;
        CONVSCOPE_BY_MODE(CONVSCOPE_WRITE);
    }
#undef CONVSCOPE_WRITE
#define CONVSCOPE_READ(outside)                                                   \
    asm volatile("suld.b.3d.v2.b32." outside " {%0, %1}, [%2, {%3, %4, %5, %5}];" \
                 : "=r"(to.x), "=r"(to.y)                                         \
                 : "l"(surface), "r"(x), "r"(y), "r"(z)                           \
                 : "memory")
    CONVSCOPE_DEVICE_MEMBER static raw read(cudaSurfaceObject_t surface, int x, int y, int z,
                                            cudaSurfaceBoundaryMode mode) {
        uint2 to;
        CONVSCOPE_BY_MODE(CONVSCOPE_READ);
        return to;
    }
#undef CONVSCOPE_READ
#define CONVSCOPE_WRITE(outside)                                                  \
    asm volatile("sust.b.3d.v2.b32." outside " [%0, {%1, %2, %3, %3}], {%4, %5};" \
                 :                                                                \
                 : "l"(surface), "r"(x), "r"(y), "r"(z), "r"(from.x), "r"(from.y) \
                 : "memory")
    CONVSCOPE_DEVICE_MEMBER static void write(raw value, cudaSurfaceObject_t surface, int x, int y, int z,
                                              cudaSurfaceBoundaryMode mode) {
        const uint2 from = value;
        CONVSCOPE_BY_MODE(CONVSCOPE_WRITE);
    }
#undef CONVSCOPE_WRITE
};
template <>
struct convscope_surface<16> {
    typedef uint4 raw;
#define CONVSCOPE_READ(outside)                                               \
    asm volatile("suld.b.1d.v4.b32." outside " {%0, %1, %2, %3}, [%4, {%5}];" \
                 : "=r"(to.x), "=r"(to.y), "=r"(to.z), "=r"(to.w)             \
                 : "l"(surface), "r"(x)                                       \
                 : "memory")
    CONVSCOPE_DEVICE_MEMBER static raw read(cudaSurfaceObject_t surface, int x, cudaSurfaceBoundaryMode mode) {
        uint4 to;
        CONVSCOPE_BY_MODE(CONVSCOPE_READ);
        return to;
    }
#undef CONVSCOPE_READ
#define CONVSCOPE_WRITE(outside)                                                            \
    asm volatile("sust.b.1d.v4.b32." outside " [%0, {%1}], {%2, %3, %4, %5};"               \
                 :                                                                          \
                 : "l"(surface), "r"(x), "r"(from.x), "r"(from.y), "r"(from.z), "r"(from.w) \
                 : "memory")
    CONVSCOPE_DEVICE_MEMBER static void write(raw value, cudaSurfaceObject_t surface, int x,
                                              cudaSurfaceBoundaryMode mode) {
        const uint4 from = value;
        CONVSCOPE_BY_MODE(CONVSCOPE_WRITE);
    }
#undef CONVSCOPE_WRITE
#define CONVSCOPE_READ(outside)                                                   \
    asm volatile("suld.b.2d.v4.b32." outside " {%0, %1, %2, %3}, [%4, {%5, %6}];" \
                 : "=r"(to.x), "=r"(to.y), "=r"(to.z), "=r"(to.w)                 \
                 : "l"(surface), "r"(x), "r"(y)                                   \
                 : "memory")
    CONVSCOPE_DEVICE_MEMBER static raw read(cudaSurfaceObject_t surface, int x, int y, cudaSurfaceBoundaryMode mode) {
        uint4 to;
        CONVSCOPE_BY_MODE(CONVSCOPE_READ);
        return to;
    }
#undef CONVSCOPE_READ
#define CONVSCOPE_WRITE(outside)                                                                    \
    asm volatile("sust.b.2d.v4.b32." outside " [%0, {%1, %2}], {%3, %4, %5, %6};"                   \
                 :                                                                                  \
                 : "l"(surface), "r"(x), "r"(y), "r"(from.x), "r"(from.y), "r"(from.z), "r"(from.w) \
                 : "memory")
    CONVSCOPE_DEVICE_MEMBER static void write(raw value, cudaSurfaceObject_t surface, int x, int y,
                                              cudaSurfaceBoundaryMode mode) {
        const uint4 from = value;
        CONVSCOPE_BY_MODE(CONVSCOPE_WRITE);
    }
#undef CONVSCOPE_WRITE
#define CONVSCOPE_READ(outside)                                                           \
    asm volatile("suld.b.3d.v4.b32." outside " {%0, %1, %2, %3}, [%4, {%5, %6, %7, %7}];" \
                 : "=r"(to.x), "=r"(to.y), "=r"(to.z), "=r"(to.w)                         \
                 : "l"(surface), "r"(x), "r"(y), "r"(z)                                   \
                 : "memory")
    CONVSCOPE_DEVICE_MEMBER static raw read(cudaSurfaceObject_t surface, int x, int y, int z,
                                            cudaSurfaceBoundaryMode mode) {
        uint4 to;
        CONVSCOPE_BY_MODE(CONVSCOPE_READ);
        return to;
    }
#undef CONVSCOPE_READ
#define CONVSCOPE_WRITE(outside)                                                                            \
    asm volatile("sust.b.3d.v4.b32." outside " [%0, {%1, %2, %3, %3}], {%4, %5, %6, %7};"                   \
                 :                                                                                          \
                 : "l"(surface), "r"(x), "r"(y), "r"(z), "r"(from.x), "r"(from.y), "r"(from.z), "r"(from.w) \
                 : "memory")
    CONVSCOPE_DEVICE_MEMBER static void write(raw value, cudaSurfaceObject_t surface, int x, int y, int z,
                                              cudaSurfaceBoundaryMode mode) {
        const uint4 from = value;
        CONVSCOPE_BY_MODE(CONVSCOPE_WRITE);
    }
#undef CONVSCOPE_WRITE
};

#define CONVSCOPE_SURFACE(dimensions, parameters, arguments)                                                       \
    template <class T>                                                                                             \
    CONVSCOPE_DEVICE T surf##dimensions##read(cudaSurfaceObject_t surface, CONVSCOPE_LIST parameters,              \
                                              cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {               \
        return __builtin_bit_cast(T, convscope_surface<sizeof(T)>::read(surface, CONVSCOPE_LIST arguments, mode)); \
    }                                                                                                              \
    template <class T>                                                                                             \
    CONVSCOPE_DEVICE void surf##dimensions##read(T* to, cudaSurfaceObject_t surface, CONVSCOPE_LIST parameters,    \
                                                 cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {            \
        *to = surf##dimensions##read<T>(surface, CONVSCOPE_LIST arguments, mode);                                  \
    }                                                                                                              \
    template <class T>                                                                                             \
    CONVSCOPE_DEVICE void surf##dimensions##write(T value, cudaSurfaceObject_t surface, CONVSCOPE_LIST parameters, \
                                                  cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {           \
        typedef convscope_surface<sizeof(T)> as;                                                                   \
        as::write(__builtin_bit_cast(typename as::raw, value), surface, CONVSCOPE_LIST arguments, mode);           \
    }
CONVSCOPE_SURFACE(1D, (int x), (x))
CONVSCOPE_SURFACE(2D, (int x, int y), (x, y))
CONVSCOPE_SURFACE(3D, (int x, int y, int z), (x, y, z))
