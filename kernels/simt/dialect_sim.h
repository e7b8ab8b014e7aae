// The kernels' dialect under the host's compiler: CUDA's names, bound to the executor.
//
// This is where a checking or tracing executor hooks in: memory is reached through Pointer::operator[] (which can
// take an index that converts from an integer and remembers std::source_location, and return a proxy that tells a
// load from a store), arithmetic through fmaf, and synchronisation through the functions below, which already know
// their source line. Kernels need no change for it.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <source_location>
#include <type_traits>

#include "kernels/core/gpu.h"
#include "kernels/core/method.h"
#include "kernels/simt/executor.h"

#define CONVSCOPE_DIALECT on_sim
#define KERNEL inline void
#define DEVICE inline
#define UNROLL
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

using simt::blockDim;
using simt::blockIdx;
using simt::gridDim;
using simt::threadIdx;
using std::fmaf;
using std::max;
using std::min;

enum class Space { global, shared };

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

struct SharedMemory {
    std::byte* next;
    template <class T>
    Shared<T> take(int count) {
        T* first = reinterpret_cast<T*>(next);
        next += sizeof(T) * static_cast<std::size_t>(count);
        return Shared<T>(first);
    }
};

using Location = std::source_location;

inline void __syncthreads(Location at = Location::current()) {
    simt::wait_for_block(at);
}
inline void __syncwarp(unsigned mask = 0xffffffffu, Location at = Location::current()) {
    simt::warp_exchange({simt::WarpOperation::sync, mask, 0, 0, at});
}
inline unsigned __ballot_sync(unsigned mask, bool vote, Location at = Location::current()) {
    return static_cast<unsigned>(simt::warp_exchange({simt::WarpOperation::ballot, mask, vote, 0, at}));
}
inline bool __any_sync(unsigned mask, bool vote, Location at = Location::current()) {
    return __ballot_sync(mask, vote, at) != 0;
}
inline bool __all_sync(unsigned mask, bool vote, Location at = Location::current()) {
    return __ballot_sync(mask, !vote, at) == 0;
}

/// The value of the lane 'source', as every shuffle comes down to. T has 4 or 8 bytes.
template <class T>
T shuffle(unsigned mask, T value, unsigned source, Location at) {
    using Bits = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;
    const std::uint64_t got =
        simt::warp_exchange({simt::WarpOperation::shuffle, mask, std::bit_cast<Bits>(value), source, at});
    return std::bit_cast<T>(static_cast<Bits>(got));
}
/// CUDA's rule for a source outside the lane's own segment of 'width' lanes: the lane keeps its own value.
inline unsigned within_segment(unsigned lane, std::int64_t source, int width) {
    const std::int64_t first = lane / width * width;
    return source < first || source >= first + width ? lane : static_cast<unsigned>(source);
}
template <class T>
T __shfl_sync(unsigned mask, T value, int source, int width = 32, Location at = Location::current()) {
    const unsigned first = simt::lane() / width * width;
    return shuffle(mask, value, first + static_cast<unsigned>(source) % width, at);
}
template <class T>
T __shfl_up_sync(unsigned mask, T value, unsigned by, int width = 32, Location at = Location::current()) {
    const unsigned lane = simt::lane();
    return shuffle(mask, value, within_segment(lane, std::int64_t{lane} - by, width), at);
}
template <class T>
T __shfl_down_sync(unsigned mask, T value, unsigned by, int width = 32, Location at = Location::current()) {
    const unsigned lane = simt::lane();
    return shuffle(mask, value, within_segment(lane, std::int64_t{lane} + by, width), at);
}
template <class T>
T __shfl_xor_sync(unsigned mask, T value, int with, int width = 32, Location at = Location::current()) {
    const unsigned lane = simt::lane();
    return shuffle(mask, value, within_segment(lane, lane ^ static_cast<unsigned>(with), width), at);
}

inline int __popc(unsigned bits) {
    return std::popcount(bits);
}
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

/// Known from the table of compiled kernels only (kernels/simt/kernel_registers.h).
template <class... Parameters>
int registers_of(void (*)(Parameters...)) {
    return 0;
}

}  // namespace convscope::on_sim
