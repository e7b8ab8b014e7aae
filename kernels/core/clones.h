// Compiles a function for several vector widths, for loops that gain from wider vectors than every CPU has. The one
// that fits is chosen when the program is loaded, which is before ThreadSanitizer can be called.
#pragma once

#if defined(__SANITIZE_THREAD__)
#define CONVSCOPE_CLONES
#else
#define CONVSCOPE_CLONES __attribute__((target_clones("avx512f", "arch=haswell", "default")))
#endif
