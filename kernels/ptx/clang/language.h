// The words of CUDA's language.
#pragma once

#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __grid_constant__
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __forceinline__ __inline__ __attribute__((always_inline))
// The standard library writes __attribute__((__noinline__)): that becomes an attribute that is not known, with a value.
enum { __noinline__ };
#define __noinline__ __attribute__((__noinline__))
#define __align__(n) __attribute__((aligned(n)))

// Functions of these headers: inlined without lines of their own, so that findings are at the line that calls them.
#define CONVSCOPE_DEVICE static __inline__ __attribute__((device, always_inline, nodebug))
#define CONVSCOPE_HOST static __inline__ __attribute__((always_inline, nodebug))
#define CONVSCOPE_BOTH static __inline__ __attribute__((host, device, always_inline, nodebug))
#define CONVSCOPE_BOTH_MEMBER __attribute__((host, device, always_inline, nodebug))
#define CONVSCOPE_DEVICE_MEMBER __attribute__((device, always_inline, nodebug))

typedef __SIZE_TYPE__ size_t;
typedef signed char int8_t;
typedef unsigned char uint8_t;
typedef short int16_t;
typedef unsigned short uint16_t;
typedef int int32_t;
typedef unsigned uint32_t;
typedef __INT64_TYPE__ int64_t;
typedef __UINT64_TYPE__ uint64_t;
typedef __UINTPTR_TYPE__ uintptr_t;
