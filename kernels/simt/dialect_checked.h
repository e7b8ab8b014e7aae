// The kernels' dialect under the host's compiler, every access watched: an index remembers its source line, and an
// element is a proxy that tells a load from a store. Both go to the Checker of the launch.
#pragma once

#include <cmath>
#include <concepts>
#include <cstddef>
#include <tuple>
#include <type_traits>
#include <vector>

#include "kernels/method/gpu.h"
#include "kernels/method/method.h"
#include "kernels/simt/checked_gpu.h"
#include "kernels/simt/checker.h"
#include "kernels/simt/kernel_argument.h"
#include "kernels/simt/sim_builtins.h"

#define CONVSCOPE_DIALECT on_checked
/// Operations are inlined into the kernel's code, where their place tells how far in the kernel they are.
#define CONVSCOPE_INLINE [[gnu::always_inline]] inline
#define KERNEL inline void
#define DEVICE CONVSCOPE_INLINE
#define UNROLL
#define NO_UNROLL
#define LAUNCH_BOUNDS(threads)
#define DYNAMIC_SHARED(name)                     \
    ::convscope::on_checked::SharedMemory name { \
        ::convscope::simt::dynamic_shared()      \
    }
#define SHARED_ARRAY(type, name, count)       \
    static const char name##_declaration = 0; \
    const Shared<type> name = ::convscope::on_checked::shared_array<type>(&name##_declaration, count, #name)

namespace convscope::on_checked {

constexpr DeviceKind device_kind = DeviceKind::sim;

using namespace simt::builtins;
using simt::Space;
using simt::WatchedMemory;

/// A number; or a vector, which has its numbers x, y, ... one behind the other as CUDA's do.
template <class T>
constexpr simt::ElementType element_type() {
    if constexpr (std::is_arithmetic_v<T>) {
        return {sizeof(T), std::is_floating_point_v<T>, 1};
    } else {
        using Number = decltype(T::x);
        return {sizeof(T), std::is_floating_point_v<Number>, sizeof(T) / sizeof(Number)};
    }
}

/// One element of an array, at one place in the source.
template <class T, Space space>
class Element {
public:
    using Value = std::remove_const_t<T>;
    static_assert(sizeof(T) == 4 || sizeof(T) == 8 || sizeof(T) == 16, "elements have 4, 8 or 16 bytes");

    static constexpr simt::ElementType type = element_type<Value>();

    CONVSCOPE_INLINE Element(T* place, WatchedMemory* memory, const Location& at)
        : place_(place), memory_(memory), at_(at) {}
    Element(const Element&) = default;

    CONVSCOPE_INLINE operator Value() const {
        simt::checker->load(memory_, place_, type, at_);
        return *place_;
    }
    CONVSCOPE_INLINE const Element& operator=(Value value) const {
        simt::checker->store(memory_, place_, type, &value, at_);
        *place_ = value;
        return *this;
    }
    CONVSCOPE_INLINE const Element& operator=(const Element& other) const { return *this = Value(other); }
    CONVSCOPE_INLINE const Element& operator+=(Value value) const { return *this = Value(*this) + value; }
    CONVSCOPE_INLINE const Element& operator-=(Value value) const { return *this = Value(*this) - value; }
    CONVSCOPE_INLINE const Element& operator*=(Value value) const { return *this = Value(*this) * value; }
    CONVSCOPE_INLINE const Element& operator|=(Value value) const { return *this = Value(*this) | value; }

    /// Reads, and writes what 'change' makes of it, as one operation. Returns the old value.
    template <class Change>
    CONVSCOPE_INLINE Value update(Change change) const {
        simt::checker->atomic(memory_, place_, type, at_);
        const Value old = *place_;
        *place_ = change(old);
        simt::checker->updated(type, place_);
        return old;
    }

private:
    T* place_;
    WatchedMemory* memory_;
    Location at_;
};

/// An index and the line that it stands in.
struct Place {
    std::ptrdiff_t index;
    Location at;
    template <std::integral I>
    CONVSCOPE_INLINE Place(I i, Location here = Location::current())
        : index(static_cast<std::ptrdiff_t>(i)), at(here) {}
    template <class T, Space space>
    CONVSCOPE_INLINE Place(const Element<T, space>& i, Location here = Location::current()) : index(i), at(here) {}
};

/// A pointer that knows which memory it points into, also after arithmetic. Cheap to copy, no ownership.
template <class T, Space space>
class Pointer {
public:
    Pointer(std::nullptr_t = nullptr) {}
    /// The memory is looked for when a launch makes its arguments, or else at each access.
    Pointer(T* first) : Pointer(first, simt::checker ? simt::checker->find(first) : nullptr) {}
    Pointer(T* first, WatchedMemory* memory) : first_(first), memory_(memory) {}
    template <class U>
    requires std::is_same_v<T, const U> Pointer(Pointer<U, space> other) : Pointer(other.get(), other.memory()) {}

    CONVSCOPE_INLINE Element<T, space> operator[](Place place) const {
        return {first_ + place.index, memory_, place.at};
    }
    CONVSCOPE_INLINE Pointer operator+(std::ptrdiff_t elements) const { return Pointer(first_ + elements, memory_); }
    T* get() const { return first_; }
    WatchedMemory* memory() const { return memory_; }

private:
    T* first_ = nullptr;
    WatchedMemory* memory_ = nullptr;
};
template <class T>
using Global = Pointer<T, Space::global>;
template <class T>
using Shared = Pointer<T, Space::shared>;

template <class Vector, class T, Space space>
Pointer<Vector, space> vectors(Pointer<T, space> elements) {
    return {reinterpret_cast<Vector*>(elements.get()), elements.memory()};
}

struct SharedMemory {
    std::byte* next;
    template <class T>
    Shared<T> take(int count, Location at = Location::current()) {
        const std::size_t bytes = sizeof(T) * static_cast<std::size_t>(count);
        WatchedMemory* memory = simt::checker->shared_array(next, bytes, at, true);
        T* first = reinterpret_cast<T*>(next);
        next += bytes;
        return {first, memory};
    }
};

template <class T>
Shared<T> shared_array(const void* declaration, int count, const char* name, Location at = Location::current()) {
    const std::size_t bytes = sizeof(T) * static_cast<std::size_t>(count);
    auto* first = static_cast<std::byte*>(simt::static_shared(declaration, bytes));
    return {reinterpret_cast<T*>(first), simt::checker->shared_array(first, bytes, at, false, name)};
}

CONVSCOPE_INLINE float fmaf(float a, float b, float c, Location at = Location::current()) {
    const float result = std::fmaf(a, b, c);
    simt::checker->multiply_add(result, at);
    return result;
}

template <class T, Space space>
T __ldg(Pointer<const T, space> pointer, Location at = Location::current()) {
    return pointer[{0, at}];
}
template <class T, Space space>
T atomicAdd(Pointer<T, space> pointer, T value, Location at = Location::current()) {
    return pointer[{0, at}].update([&](T old) { return old + value; });
}
template <class T, Space space>
T atomicMax(Pointer<T, space> pointer, T value, Location at = Location::current()) {
    return pointer[{0, at}].update([&](T old) { return std::max(old, value); });
}

template <class T>
simt::KernelArgument argument_of(const T& value) {
    return {nullptr, simt::numbers_of(value)};
}
template <class T, Space space>
simt::KernelArgument argument_of(const Pointer<T, space>& pointer) {
    return {pointer.get(), {}};
}

/// Runs a kernel over its grid, watched by the GPU's checker; done on return. Throws simt::Finding.
template <class... Parameters, class... Arguments>
void launch(Gpu& gpu, void (*kernel)(Parameters...), const KernelLaunch& at, const Arguments&... arguments) {
    const simt::CheckedLaunch scope(simt::checker_of(gpu), at);
    const std::tuple<Parameters...> parameters{Parameters(arguments)...};
    const auto given = std::apply([](const auto&... each) { return std::vector{argument_of(each)...}; }, parameters);
    scope.run(given, [&] { std::apply(kernel, parameters); });
}

}  // namespace convscope::on_checked
