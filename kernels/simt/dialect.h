// The dialect in which our kernels are written: CUDA that the host's C++ compiler accepts, too.
//
// nvcc sees plain CUDA (dialect_cuda.h: nothing but aliases). The host's compiler sees the same names bound to the
// executor in this folder (dialect_sim.h), which runs every thread of a grid as a fiber. What the dialect asks of a
// kernel, so that one source serves both and a checking executor can watch it:
//
//   KERNEL f(...)            a __global__ function, in namespace convscope::CONVSCOPE_DIALECT
//   DEVICE T f(...)          a __device__ function
//   Global<T>, Shared<T>     pointers to global and shared memory; index them, never take an element's address
//   DYNAMIC_SHARED(memory)   the block's dynamic shared memory; memory.take<T>(count) cuts arrays from its start
//   SHARED_ARRAY(T, a, N)    a static shared array
//   UNROLL                   before a loop: unrolled by nvcc
//   fmaf(a, b, c)            every multiply-add on data
//
// An element is read into a variable of its own type (float, int), never 'auto': an instrumented Global<T> may
// return a proxy. The namespace differs between the two compilations, so both can live in one program.
#pragma once

#if defined(__CUDACC__)
#include "kernels/simt/dialect_cuda.h"
#else
#include "kernels/simt/dialect_sim.h"
#endif
