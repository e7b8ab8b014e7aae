// The C library's functions that a kernel may call, and the parts of the standard library that nvcc includes by itself.
#pragma once

// First: what clang knows as a kernel's by then it leaves to kernels, and the library's own of that name to the host.
#include "reals.h"

extern "C" {
__device__ int printf(const char*, ...);
__device__ void* malloc(size_t);
__device__ void free(void*);
__device__ void __assertfail(const char* condition, const char* file, unsigned line, const char* function, size_t);
}
CONVSCOPE_DEVICE void __trap() {
    asm volatile("trap;");
}
CONVSCOPE_DEVICE void* memcpy(void* to, const void* from, size_t bytes) {
    return __builtin_memcpy(to, from, bytes);
}
CONVSCOPE_DEVICE void* memset(void* to, int value, size_t bytes) {
    return __builtin_memset(to, value, bytes);
}

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmath>
#include <cstdlib>
#include <new>

// Called by assert().
CONVSCOPE_DEVICE void __assert_fail(const char* condition, const char* file, unsigned line, const char* function) {
    __assertfail(condition, file, line, function, 1);
}
