// Kernels made up at random, for the executor and for the host: one text, whose macros are the kernel's own words for a
// GPU, and loops over its threads for a CPU.
#pragma once

#include <cstdint>
#include <string>

namespace convscope::ptx::testing {

/// All kernels take (const unsigned* in, unsigned* out, unsigned* sums) and run with these sizes. 'out' gets all
/// variables of each thread, 'sums' what atomic updates leave.
constexpr unsigned random_blocks = 2, random_threads = 64, random_inputs = 256, random_sums = 6, random_outputs = 24;

/// The text before the kernels: definitions for a C++ compiler with HOST defined, else for CUDA's.
const char* random_kernel_macros();

/// "KERNEL(k17) { ... }": arithmetic of all widths, conversions, branches, loops, switches, vectors, local arrays,
/// shuffles, votes, shared memory, atomic updates. Always the same for a seed, without undefined behaviour, and without
/// what compilers may round in two ways: products of real numbers stand in fmaf alone.
std::string random_kernel(std::uint64_t seed);

}  // namespace convscope::ptx::testing
