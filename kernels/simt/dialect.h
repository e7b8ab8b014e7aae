// The dialect in which our kernels are written: CUDA that the host's C++ compiler accepts, too.
//
// nvcc sees plain CUDA (dialect_cuda.h: nothing but aliases). The host's compiler sees the same names bound to the
// executor in this folder, which runs every thread of a grid as a fiber: once as fast as it goes (dialect_sim.h), and
// once with every access to memory watched (dialect_checked.h). What the dialect asks of a kernel, so that one source
// serves all three:
//
//   KERNEL f(...)            a __global__ function, in namespace convscope::CONVSCOPE_DIALECT
//   DEVICE T f(...)          a __device__ function
//   Global<T>, Shared<T>     pointers to global and shared memory; index them, never take an element's address
//   DYNAMIC_SHARED(memory)   the block's dynamic shared memory; memory.take<T>(count) cuts arrays from its start
//   SHARED_ARRAY(T, a, N)    a static shared array
//   UNROLL, NO_UNROLL        before a loop: unrolled by nvcc, or left as it is written. Where the lanes of a warp go
//                            through a loop differently often, nvcc's unrolling would part them
//   LAUNCH_BOUNDS(threads)   before KERNEL: nvcc keeps the registers few enough for blocks of that many threads
//   fmaf(a, b, c)            every multiply-add on data
//   vectors<float4>(a)       the same memory as vectors, which must start at a multiple of their size
//
// An element is read into a variable of its own type (float, int), never 'auto': a watched Global<T> returns
// a proxy. The namespace differs between the compilations, so all can live in one program.
#pragma once

#if defined(__CUDACC__)
#include "kernels/simt/dialect_cuda.h"
#elif defined(CONVSCOPE_CHECKED)
#include "kernels/simt/dialect_checked.h"
#else
#include "kernels/simt/dialect_sim.h"
#endif
