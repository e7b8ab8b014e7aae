// Of a function whose loops are worth wider vectors than every CPU has: compiled for several, the one that suits is
// chosen when the program is loaded, which is before ThreadSanitizer can be called.
#pragma once

#if defined(__SANITIZE_THREAD__)
#define CONVSCOPE_CLONES
#else
#define CONVSCOPE_CLONES __attribute__((target_clones("avx512f", "arch=haswell", "default")))
#endif
