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

CONVSCOPE_TEXTURE(tex1DLod, (float x, float level), (x, level),
                  "tex.level.1d.v4.u32.f32 {%0, %1, %2, %3}, [%4, {%5}], %6;", "f"(x), "f"(level))
CONVSCOPE_TEXTURE(tex2DLod, (float x, float y, float level), (x, y, level),
                  "tex.level.2d.v4.u32.f32 {%0, %1, %2, %3}, [%4, {%5, %6}], %7;", "f"(x), "f"(y), "f"(level))
CONVSCOPE_TEXTURE(tex3DLod, (float x, float y, float z, float level), (x, y, z, level),
                  "tex.level.3d.v4.u32.f32 {%0, %1, %2, %3}, [%4, {%5, %6, %7, %7}], %8;", "f"(x), "f"(y), "f"(z),
                  "f"(level))

// Surfaces: an element by its bytes, in one register or more; x counts bytes.
template <unsigned bytes>
struct convscope_surface;
#define CONVSCOPE_BY_MODE(instruction, operands, ...)             \
    if (mode == cudaBoundaryModeTrap)                             \
        asm volatile(instruction ".trap " operands __VA_ARGS__);  \
    else if (mode == cudaBoundaryModeClamp)                       \
        asm volatile(instruction ".clamp " operands __VA_ARGS__); \
    else                                                          \
        asm volatile(instruction ".zero " operands __VA_ARGS__)
#define CONVSCOPE_SURFACE_AT(dimensions, place, parameters, coordinates, registers, type, values, to, from)        \
    CONVSCOPE_DEVICE_MEMBER static raw read(cudaSurfaceObject_t surface, CONVSCOPE_LIST parameters,                \
                                            cudaSurfaceBoundaryMode mode) {                                        \
        registers e;                                                                                               \
        CONVSCOPE_BY_MODE("suld.b." dimensions "." type, values ", [%[surface], " place "];",                      \
                          : CONVSCOPE_LIST to                                                                      \
                          : [surface] "l"(surface), CONVSCOPE_LIST coordinates                                     \
                          : "memory");                                                                             \
        return static_cast<raw>(e);                                                                                \
    }                                                                                                              \
    CONVSCOPE_DEVICE_MEMBER static void write(registers e, cudaSurfaceObject_t surface, CONVSCOPE_LIST parameters, \
                                              cudaSurfaceBoundaryMode mode) {                                      \
        CONVSCOPE_BY_MODE("sust.b." dimensions "." type, "[%[surface], " place "], " values ";",                   \
                          :                                                                                        \
                          : [surface] "l"(surface), CONVSCOPE_LIST coordinates, CONVSCOPE_LIST from                \
                          : "memory");                                                                             \
    }
#define CONVSCOPE_SURFACE_OF(bytes, raw_type, ...)                                                        \
    template <>                                                                                           \
    struct convscope_surface<bytes> {                                                                     \
        typedef raw_type raw;                                                                             \
        CONVSCOPE_SURFACE_AT("1d", "{%[x]}", (int x), ([x] "r"(x)), __VA_ARGS__)                          \
        CONVSCOPE_SURFACE_AT("2d", "{%[x], %[y]}", (int x, int y), ([x] "r"(x), [y] "r"(y)), __VA_ARGS__) \
        CONVSCOPE_SURFACE_AT("3d", "{%[x], %[y], %[z], %[z]}", (int x, int y, int z),                     \
                             ([x] "r"(x), [y] "r"(y), [z] "r"(z)), __VA_ARGS__)                           \
    };
CONVSCOPE_SURFACE_OF(1, unsigned char, unsigned short, "b8", "{%[a]}", ([a] "=h"(e)), ([a] "h"(e)))
CONVSCOPE_SURFACE_OF(2, unsigned short, unsigned short, "b16", "{%[a]}", ([a] "=h"(e)), ([a] "h"(e)))
CONVSCOPE_SURFACE_OF(4, unsigned, unsigned, "b32", "{%[a]}", ([a] "=r"(e)), ([a] "r"(e)))
CONVSCOPE_SURFACE_OF(8, uint2, uint2, "v2.b32", "{%[a], %[b]}", ([a] "=r"(e.x), [b] "=r"(e.y)),
                     ([a] "r"(e.x), [b] "r"(e.y)))
CONVSCOPE_SURFACE_OF(16, uint4, uint4, "v4.b32", "{%[a], %[b], %[c], %[d]}",
                     ([a] "=r"(e.x), [b] "=r"(e.y), [c] "=r"(e.z), [d] "=r"(e.w)),
                     ([a] "r"(e.x), [b] "r"(e.y), [c] "r"(e.z), [d] "r"(e.w)))

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
