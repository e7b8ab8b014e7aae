// Applies one operation to the 32 lanes of its operands. The compiler turns these loops into vector instructions of the
// CPU that runs them: each is compiled for more than one (target_clones; clang 14 has none for templates, and the code
// that chooses among them runs before the sanitizers do).
#pragma once

#include <cstdint>

#include "kernels/ptx/run/warp.h"

#if defined(__x86_64__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) && !defined(__clang__)
#define CONVSCOPE_PTX_CLONES __attribute__((target_clones("arch=haswell", "default")))
#else
#define CONVSCOPE_PTX_CLONES
#endif

namespace convscope::ptx {

/// d[i] = value(i) for the active lanes.
template <class D, class Value>
[[gnu::always_inline]] inline void each_lane(std::uint32_t mask, D* d, const Value& value) {
    if (mask == all_lanes) {
#pragma GCC ivdep
        for (unsigned i = 0; i < lanes; ++i) d[i] = value(i);
    } else {
#pragma GCC ivdep
        for (unsigned i = 0; i < lanes; ++i) d[i] = (mask >> i & 1) ? value(i) : d[i];
    }
}

// F::of() is the operation on single values.
template <class F, class D, class A = D>
CONVSCOPE_PTX_CLONES void unary(Warp& warp, const Op& op) {
    const A* a = warp.values<A>(op.a);
    each_lane(warp.mask, warp.values<D>(op.d), [=](unsigned i) { return F::of(a[i]); });
}
template <class F, class D, class A = D, class B = A>
CONVSCOPE_PTX_CLONES void binary(Warp& warp, const Op& op) {
    const A* a = warp.values<A>(op.a);
    const B* b = warp.values<B>(op.b);
    each_lane(warp.mask, warp.values<D>(op.d), [=](unsigned i) { return F::of(a[i], b[i]); });
}
template <class F, class D, class A = D, class B = A, class C = D>
CONVSCOPE_PTX_CLONES void ternary(Warp& warp, const Op& op) {
    const A* a = warp.values<A>(op.a);
    const B* b = warp.values<B>(op.b);
    const C* c = warp.values<C>(op.c);
    each_lane(warp.mask, warp.values<D>(op.d), [=](unsigned i) { return F::of(a[i], b[i], c[i]); });
}

/// A bit for each active lane for which value(i) holds.
template <class Value>
[[gnu::always_inline]] inline std::uint32_t lanes_where(const Value& value) {
    std::uint32_t result = 0;
#pragma GCC ivdep
    for (unsigned i = 0; i < lanes; ++i) result |= static_cast<std::uint32_t>(value(i)) << i;
    return result;
}

}  // namespace convscope::ptx
