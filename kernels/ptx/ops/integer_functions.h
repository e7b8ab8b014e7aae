// The integer instructions' results, from one lane's operands.
#pragma once

#include <cstdint>
#include <type_traits>

namespace convscope::ptx {

template <class T>
using Unsigned = std::make_unsigned_t<T>;
template <class T>
constexpr int bit_count = 8 * sizeof(T);

__extension__ using Int128 = __int128;
__extension__ using Uint128 = unsigned __int128;
/// The type twice as wide.
template <class T>
using Wide = std::conditional_t<sizeof(T) == 2, std::conditional_t<std::is_signed_v<T>, std::int32_t, std::uint32_t>,
                                std::conditional_t<std::is_signed_v<T>, std::int64_t, std::uint64_t>>;

struct Add {
    template <class T>
    static T of(T a, T b) {
        return static_cast<T>(a + b);
    }
};
struct Sub {
    template <class T>
    static T of(T a, T b) {
        return static_cast<T>(a - b);
    }
};
struct MulLow {
    template <class T>
    static T of(T a, T b) {
        return static_cast<T>(std::uint64_t{a} * b);
    }
};
struct MulHigh {
    template <class T>
    static T of(T a, T b) {
        if constexpr (sizeof(T) == 8)
            return static_cast<T>((static_cast<std::conditional_t<std::is_signed_v<T>, Int128, Uint128>>(a) * b) >> 64);
        else
            return static_cast<T>(static_cast<Wide<T>>(a) * static_cast<Wide<T>>(b) >> bit_count<T>);
    }
};
struct MulWide {
    template <class T>
    static Wide<T> of(T a, T b) {
        return static_cast<Wide<T>>(a) * static_cast<Wide<T>>(b);
    }
};
struct MadLow {
    template <class T>
    static T of(T a, T b, T c) {
        return static_cast<T>(std::uint64_t{a} * b + c);
    }
};
struct MadHigh {
    template <class T>
    static T of(T a, T b, T c) {
        return static_cast<T>(static_cast<Unsigned<T>>(MulHigh::of(a, b)) + static_cast<Unsigned<T>>(c));
    }
};
struct MadWide {
    template <class T>
    static Wide<T> of(T a, T b, Wide<T> c) {
        using U = Unsigned<Wide<T>>;
        return static_cast<Wide<T>>(static_cast<U>(MulWide::of(a, b)) + static_cast<U>(c));
    }
};
/// The low 24 bits, as mul24 uses them.
template <class T>
T low24(T a) {
    return static_cast<T>(static_cast<T>(static_cast<Unsigned<T>>(a) << 8) >> 8);
}
struct Mul24 {
    template <class T>
    static T of(T a, T b) {
        return static_cast<T>(static_cast<Wide<T>>(low24(a)) * low24(b));
    }
};
struct Mad24 {
    template <class T>
    static T of(T a, T b, T c) {
        return static_cast<T>(static_cast<Unsigned<T>>(Mul24::of(a, b)) + static_cast<Unsigned<T>>(c));
    }
};
struct Sad {
    template <class T>
    static T of(T a, T b, T c) {
        const Unsigned<T> x = static_cast<Unsigned<T>>(a), y = static_cast<Unsigned<T>>(b);
        return static_cast<T>(static_cast<Unsigned<T>>(c) + (a < b ? y - x : x - y));
    }
};
/// A division by zero gives all ones, as GPUs do.
struct Div {
    template <class T>
    static T of(T a, T b) {
        if (b == 0) return static_cast<T>(~T{0});
        if (std::is_signed_v<T> && b == static_cast<T>(-1))
            return static_cast<T>(Unsigned<T>{0} - static_cast<Unsigned<T>>(a));
        return static_cast<T>(a / b);
    }
};
struct Rem {
    template <class T>
    static T of(T a, T b) {
        if (b == 0) return a;
        if (std::is_signed_v<T> && b == static_cast<T>(-1)) return 0;
        return static_cast<T>(a % b);
    }
};
struct Min {
    template <class T>
    static T of(T a, T b) {
        return a < b ? a : b;
    }
};
struct Max {
    template <class T>
    static T of(T a, T b) {
        return a > b ? a : b;
    }
};
struct Abs {
    template <class T>
    static T of(T a) {
        return a < 0 ? static_cast<T>(Unsigned<T>{0} - static_cast<Unsigned<T>>(a)) : a;
    }
};
struct Neg {
    template <class T>
    static T of(T a) {
        return static_cast<T>(T{0} - a);
    }
};
struct SaturatedAdd {
    static std::int32_t of(std::int32_t a, std::int32_t b) {
        const std::int64_t sum = std::int64_t{a} + b;
        return static_cast<std::int32_t>(sum > 2147483647 ? 2147483647 : sum < -2147483648LL ? -2147483648LL : sum);
    }
};
struct SaturatedSub {
    static std::int32_t of(std::int32_t a, std::int32_t b) {
        const std::int64_t sum = std::int64_t{a} - b;
        return static_cast<std::int32_t>(sum > 2147483647 ? 2147483647 : sum < -2147483648LL ? -2147483648LL : sum);
    }
};
/// dp2a: halves of a, and the lower or the upper bytes of b; signed or not, for each of the two.
template <class A, class B, bool High>
struct DotProduct2 {
    static std::uint32_t of(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
        for (int i = 0; i < 2; ++i)
            c += static_cast<std::uint32_t>(static_cast<A>(a >> 16 * i) *
                                            static_cast<B>(b >> (8 * i + (High ? 16 : 0))));
        return c;
    }
};
/// dp4a: signed or not, for each of the two.
template <class A, class B>
struct DotProduct4 {
    static std::uint32_t of(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
        for (int i = 0; i < 32; i += 8)
            c += static_cast<std::uint32_t>(static_cast<A>(a >> i) * static_cast<B>(b >> i));
        return c;
    }
};
struct And {
    template <class T>
    static T of(T a, T b) {
        return a & b;
    }
};
struct Or {
    template <class T>
    static T of(T a, T b) {
        return a | b;
    }
};
struct Xor {
    template <class T>
    static T of(T a, T b) {
        return a ^ b;
    }
};

}  // namespace convscope::ptx
