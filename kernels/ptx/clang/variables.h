// The built-in variables: which thread, of which block.
#pragma once

#include "vectors.h"

#define CONVSCOPE_MEMBER(name, builtin)                   \
    __declspec(property(get = get_##name)) unsigned name; \
    CONVSCOPE_DEVICE unsigned get_##name() {              \
        return builtin();                                 \
    }
#define CONVSCOPE_VARIABLE(type, sreg, whole)                                                  \
    struct type {                                                                              \
        CONVSCOPE_MEMBER(x, __nvvm_read_ptx_sreg_##sreg##_x)                                   \
        CONVSCOPE_MEMBER(y, __nvvm_read_ptx_sreg_##sreg##_y)                                   \
        CONVSCOPE_MEMBER(z, __nvvm_read_ptx_sreg_##sreg##_z)                                   \
        CONVSCOPE_DEVICE_MEMBER operator whole() const { return {get_x(), get_y(), get_z()}; } \
    };
CONVSCOPE_VARIABLE(convscope_thread, tid, uint3)
CONVSCOPE_VARIABLE(convscope_block, ctaid, uint3)
CONVSCOPE_VARIABLE(convscope_threads, ntid, dim3)
CONVSCOPE_VARIABLE(convscope_blocks, nctaid, dim3)
extern const __device__ convscope_thread threadIdx;
extern const __device__ convscope_block blockIdx;
extern const __device__ convscope_threads blockDim;
extern const __device__ convscope_blocks gridDim;
constexpr int warpSize = 32;
