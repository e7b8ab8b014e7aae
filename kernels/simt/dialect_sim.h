// The kernels' dialect under the host's compiler, made for speed: CUDA's names, bound to the executor. Memory is
// plain memory; dialect_checked.h has the one that watches every access.
#pragma once

#include <atomic>
#include <cmath>
#include <cstddef>
#include <type_traits>

#include "kernels/method/gpu.h"
#include "kernels/method/method.h"
#include "kernels/simt/executor.h"
#include "kernels/simt/sim_builtins.h"

#define CONVSCOPE_DIALECT on_sim
#define KERNEL inline void
#define DEVICE inline
#define UNROLL
#define NO_UNROLL
#define LAUNCH_BOUNDS(threads)
#define DYNAMIC_SHARED(name)                 \
    ::convscope::on_sim::SharedMemory name { \
        ::convscope::simt::dynamic_shared()  \
    }
#define SHARED_ARRAY(type, name, count)       \
    static const char name##_declaration = 0; \
    const Shared<type> name(                  \
        static_cast<type*>(::convscope::simt::static_shared(&name##_declaration, sizeof(type) * (count))))

namespace convscope::on_sim {

constexpr DeviceKind device_kind = DeviceKind::sim;

using namespace simt::builtins;
using simt::Space;
using std::fmaf;

/// A pointer that knows which memory it points into. Cheap to copy, no ownership.
template <class T, Space space>
class Pointer {
public:
    Pointer(T* first = nullptr) : first_(first) {}
    template <class U>
    requires std::is_same_v<T, const U> Pointer(Pointer<U, space> other) : first_(other.get()) {}

    T& operator[](std::ptrdiff_t index) const { return first_[index]; }
    Pointer operator+(std::ptrdiff_t elements) const { return Pointer(first_ + elements); }
    T* get() const { return first_; }

private:
    T* first_;
};
template <class T>
using Global = Pointer<T, Space::global>;
template <class T>
using Shared = Pointer<T, Space::shared>;

template <class Vector, class T, Space space>
Pointer<Vector, space> vectors(Pointer<T, space> elements) {
    return reinterpret_cast<Vector*>(elements.get());
}

struct SharedMemory {
    std::byte* next;
    template <class T>
    Shared<T> take(int count) {
        T* first = reinterpret_cast<T*>(next);
        next += sizeof(T) * static_cast<std::size_t>(count);
        return Shared<T>(first);
    }
};

template <class T, Space space>
T __ldg(Pointer<const T, space> at) {
    return at[0];
}

// Blocks run on several CPU threads, so the atomics are real ones.
template <class T, Space space>
T atomicAdd(Pointer<T, space> at, T value) {
    return std::atomic_ref<T>(at[0]).fetch_add(value);
}
template <class T, Space space>
T atomicMax(Pointer<T, space> at, T value) {
    std::atomic_ref<T> place(at[0]);
    T old = place.load();
    while (old < value && !place.compare_exchange_weak(old, value)) {
    }
    return old;
}

/// Runs a kernel over its grid; done on return. Throws Error(failed) when the threads' barriers do not match.
template <class... Parameters, class... Arguments>
void launch(Gpu&, void (*kernel)(Parameters...), const KernelLaunch& at, const Arguments&... arguments) {
    simt::run_grid(at, [&] { kernel(Parameters(arguments)...); });
}

}  // namespace convscope::on_sim
