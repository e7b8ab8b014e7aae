// Copies from global to shared memory that go on while the thread works.
#pragma once

#include "warps.h"

/// 'bytes' are 4, 8 or 16; the last 'zero' of them are not read, but zero.
CONVSCOPE_DEVICE void __pipeline_memcpy_async(void* shared, const void* global, size_t bytes, size_t zero = 0) {
    const auto to = static_cast<unsigned>(__cvta_generic_to_shared(shared));
    const auto read = static_cast<unsigned>(bytes - zero);
#define CONVSCOPE_COPY(kind, size)                                                                           \
    asm volatile("{ .reg .u64 g; cvta.to.global.u64 g, %1; cp.async." kind ".shared.global [%0], [g], " size \
                 ", %2; }" ::"r"(to),                                                                        \
                 "l"(global), "r"(read)                                                                      \
                 : "memory")
    if (bytes == 16)
        CONVSCOPE_COPY("cg", "16");
    else if (bytes == 8)
        CONVSCOPE_COPY("ca", "8");
    else
        CONVSCOPE_COPY("ca", "4");
#undef CONVSCOPE_COPY
}
CONVSCOPE_DEVICE void __pipeline_commit() {
    asm volatile("cp.async.commit_group;" ::: "memory");
}
/// Waits for all groups but the last so many, up to 7.
CONVSCOPE_DEVICE void __pipeline_wait_prior(size_t groups) {
#define CONVSCOPE_WAIT(count)                                         \
    case count:                                                       \
        asm volatile("cp.async.wait_group " #count ";" ::: "memory"); \
        break;
    switch (groups) {
        CONVSCOPE_WAIT(1)
        CONVSCOPE_WAIT(2)
        CONVSCOPE_WAIT(3)
        CONVSCOPE_WAIT(4)
        CONVSCOPE_WAIT(5)
        CONVSCOPE_WAIT(6)
        CONVSCOPE_WAIT(7)
        default:
            asm volatile("cp.async.wait_group 0;" ::: "memory");
    }
#undef CONVSCOPE_WAIT
}
