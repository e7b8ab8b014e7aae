#include "tests/kernels/ptx/random/random_kernel.h"

#include <fmt/format.h>

#include <random>
#include <string_view>
#include <vector>

namespace convscope::ptx::testing {
namespace {

/// Types by the first letter of their variables: i0, u2, f1.
constexpr std::string_view types = "iulmfd", integers = "iulm", reals = "fd";
constexpr int variables_of_a_type = 3;

const char* name_of(char type) {
    switch (type) {
        case 'i':
            return "int";
        case 'u':
            return "unsigned";
        case 'l':
            return "long long";
        case 'm':
            return "unsigned long long";
        case 'f':
            return "float";
        default:
            return "double";
    }
}

class Generator {
public:
    explicit Generator(std::uint64_t seed) : random_(seed), seed_(seed) {}

    std::string kernel() {
        std::string text = fmt::format("KERNEL(k{}) {{\n    VARIABLES;\n", seed_);
        const unsigned statements = 4 + below(10);
        for (unsigned i = 0; i < statements; ++i) text += "    " + statement() + "\n";
        return text + "    RESULTS;\n}\n";
    }

private:
    unsigned below(unsigned count) { return static_cast<unsigned>(random_() % count); }
    char one_of(std::string_view letters) { return letters[below(static_cast<unsigned>(letters.size()))]; }
    std::string variable(char type) { return fmt::format("{}{}", type, below(variables_of_a_type)); }
    static bool is_real(char type) { return type == 'f' || type == 'd'; }

    std::string constant(char type) {
        if (type == 'f') return fmt::format("{}.37f", below(50));
        if (type == 'd') return fmt::format("{}.37", below(50));
        static constexpr const char* values[] = {"0", "1", "2", "7", "31", "0x7fffffff", "0x12345678", "-1"};
        return fmt::format("({}){}", name_of(type), values[below(8)]);
    }

    std::string expression(char type, unsigned depth) {
        if (depth == 0 || below(5) == 0) return below(4) == 0 ? constant(type) : variable(type);
        return is_real(type) ? real(type, depth - 1) : whole(type, depth - 1);
    }

    std::string condition(unsigned depth) {
        static constexpr const char* relations[] = {"<", "<=", "==", "!=", ">", ">="};
        const char type = one_of(types);
        return fmt::format("{} {} {}", expression(type, depth), relations[below(6)], expression(type, depth));
    }

    /// Signed arithmetic that wraps is that of unsigned numbers.
    std::string whole(char type, unsigned depth) {
        const auto a = [&] { return expression(type, depth); };
        const char* const name = name_of(type);
        const bool wide = type == 'l' || type == 'm';
        const char* const wraps = wide ? "unsigned long long" : "unsigned";
        const std::string shift = fmt::format("({} & {})", expression('i', depth), wide ? 63 : 31);
        switch (below(14)) {
            case 0:
            case 1:
                return fmt::format("({})(({}){} {} ({}){})", name, wraps, a(), one_of("+-*"), wraps, a());
            case 2:
                return fmt::format("({} {} {})", a(), one_of("&|^"), a());
            case 3:
                return fmt::format("({})(({}){} << {})", name, wraps, a(), shift);
            case 4:
                return fmt::format("({} >> {})", a(), shift);
            case 5:
                return fmt::format("DIVIDE({}, {})", a(), a());
            case 6:
                return fmt::format("REMAINDER({}, {})", a(), a());
            case 7:
                return fmt::format("({} ? {} : {})", condition(depth), a(), a());
            case 8: {
                static constexpr const char* narrow[] = {"signed char", "unsigned char", "short", "unsigned short"};
                return fmt::format("({})({}){}", name, narrow[below(4)], a());
            }
            case 9:
                return fmt::format("({})~{}", name, a());
            case 10:
                if (wide) return fmt::format("({}){}", name, expression(one_of("iu"), depth));
                if (type == 'u') return fmt::format("__brev({})", a());
                return fmt::format("{}({})", std::vector{"__clz", "__ffs", "__popc"}[below(3)], a());
            case 11:
                return fmt::format("({}){}", name, expression(one_of(integers), depth));
            case 12:
                return fmt::format("({})WHOLE({})", name, expression(one_of(reals), depth));
            default:
                return fmt::format("({}){}({}, {})", name, below(2) == 0 ? "min" : "max", expression('i', depth),
                                   expression('i', depth));
        }
    }

    std::string real(char type, unsigned depth) {
        const auto a = [&] { return expression(type, depth); };
        const char* const name = name_of(type);
        switch (below(8)) {
            case 0:
            case 1:
                return fmt::format("({} {} {})", a(), one_of("+-"), a());
            case 2:
                return fmt::format("({} / {})", a(), a());
            case 3:
                return fmt::format("({} ? {} : {})", condition(depth), a(), a());
            case 4:
                return fmt::format("({}){}", name, expression(one_of(integers), depth));
            case 5:
                return fmt::format("({}){}", name, expression(one_of(reals), depth));
            case 6:
                return fmt::format("(-{})", a());
            default:
                if (type == 'd') return a();
                static constexpr const char* functions[] = {"fabsf", "floorf", "ceilf", "truncf"};
                if (below(3) == 0) return fmt::format("sqrtf(fabsf({}))", a());
                if (below(2) == 0) return fmt::format("fmaf({}, {}, {})", a(), a(), a());
                return fmt::format("{}({})", functions[below(4)], a());
        }
    }

    std::string assignment() {
        const char type = one_of(types);
        return fmt::format("{} = {};", variable(type), expression(type, 1 + below(3)));
    }

    std::string assignments() {
        std::string text = assignment();
        for (unsigned i = below(3); i > 0; --i) text += " " + assignment();
        return text;
    }

    std::string statement() {
        const std::string u = variable('u'), i = variable('i'), to = variable('u');
        switch (below(14)) {
            case 0:
                return fmt::format("EACH {{ if ({}) {{ {} }} else {{ {} }} }}", condition(2), assignments(),
                                   assignments());
            case 1:
                return fmt::format("EACH {{ for (int n = 0; n < ({} & 7); ++n) {{ {} if ({}) {}; {} }} }}", i,
                                   assignments(), condition(1), below(2) == 0 ? "break" : "continue", assignment());
            case 2:
                return fmt::format(
                    "EACH {{ switch ({} & 7) {{ case 0: {} break; case 1: {} case 2: {} break; case 5: {} break; "
                    "default: {} }} }}",
                    u, assignments(), assignment(), assignment(), assignments(), assignment());
            case 3:
                return fmt::format("EACH {{ unsigned n = {} & 31; while (n != 0) {{ n >>= 1; {} }} }}", u,
                                   assignments());
            case 4:
                return fmt::format(
                    "EACH {{ const uint4 q = reinterpret_cast<const uint4*>(in)[{} & 63]; {} = q.x ^ q.w; {} = "
                    "q.y + q.z; }}",
                    u, to, variable('u'));
            case 5:
                return fmt::format(
                    "EACH {{ int a[8]; for (int n = 0; n < 8; ++n) a[n] = {0} ^ n; a[{1} & 7] = {2}; {0} = a[{2} & "
                    "7]; }}",
                    i, u, variable('i'));
            case 6:
                return fmt::format("SHUFFLE({}, {}, {}, {})", std::vector{"xor", "up", "down"}[below(3)], to, u,
                                   1 + below(31));
            case 7:
                return fmt::format("SHUFFLE_FROM({}, {}, {} & 31)", to, u, i);
            case 8:
                return fmt::format("BALLOT({}, {})", to, condition(1));
            case 9:
                return fmt::format("SHARED({}, {}, {})", to, u, 1 + below(63));
            case 10: {
                static constexpr const char* operations[] = {"Add", "Min", "Max", "And", "Or", "Xor"};
                const unsigned operation = below(6);
                return fmt::format("EACH {{ if ({}) ATOMIC({}, {}, {}) }}", condition(1), operations[operation],
                                   operation, expression('u', 1));
            }
            default:
                return fmt::format("EACH {{ {} }}", assignments());
        }
    }

    std::mt19937_64 random_;
    const std::uint64_t seed_;
};

}  // namespace

std::string random_kernel(std::uint64_t seed) {
    return Generator(seed).kernel();
}

const char* random_kernel_macros() {
    return R"(#ifdef HOST
#include <cmath>
#define FUNCTION static inline
struct uint4 { unsigned x, y, z, w; };
FUNCTION int min(int a, int b) { return a < b ? a : b; }
FUNCTION int max(int a, int b) { return a < b ? b : a; }
FUNCTION int __popc(unsigned a) { return __builtin_popcount(a); }
FUNCTION int __clz(int a) { return a == 0 ? 32 : __builtin_clz((unsigned)a); }
FUNCTION int __ffs(int a) { return __builtin_ffs(a); }
FUNCTION unsigned __brev(unsigned a) { unsigned b = 0; for (int n = 0; n < 32; ++n) b |= (a >> n & 1) << (31 - n); return b; }
FUNCTION void atomicAdd(unsigned* to, unsigned a) { *to += a; }
FUNCTION void atomicMin(unsigned* to, unsigned a) { *to = a < *to ? a : *to; }
FUNCTION void atomicMax(unsigned* to, unsigned a) { *to = a > *to ? a : *to; }
FUNCTION void atomicAnd(unsigned* to, unsigned a) { *to &= a; }
FUNCTION void atomicOr(unsigned* to, unsigned a) { *to |= a; }
FUNCTION void atomicXor(unsigned* to, unsigned a) { *to ^= a; }
#else
#define FUNCTION static inline __device__
#endif
#define ALL(DO) DO(int, i) DO(unsigned, u) DO(long long, l) DO(unsigned long long, m) DO(float, f) DO(double, d)
template <class T> FUNCTION T divide(T a, T b) { return b == 0 || b == T(-1) ? a : a / b; }
template <class T> FUNCTION T remainder_of(T a, T b) { return b == 0 || b == T(-1) ? T(0) : a % b; }
#define DIVIDE(a, b) divide(a, b)
#define REMAINDER(a, b) remainder_of(a, b)
#define WHOLE(a) whole((double)(a))
FUNCTION int whole(double a) { return a > -1e9 && a < 1e9 ? (int)a : 5; }
FUNCTION unsigned bits(int a) { return (unsigned)a; }
FUNCTION unsigned bits(unsigned a) { return a; }
FUNCTION unsigned bits(long long a) { return (unsigned)a ^ (unsigned)(a >> 32); }
FUNCTION unsigned bits(unsigned long long a) { return bits((long long)a); }
union Float { float value; unsigned bits; };
union Double { double value; long long bits; };
FUNCTION unsigned bits(float a) { Float same; same.value = a; return a == a ? same.bits : 1; }
FUNCTION unsigned bits(double a) { Double same; same.value = a; return a == a ? bits(same.bits) : 1; }
#define BEGIN_OF(T, v) v##0 = (T)in[t]; v##1 = (T)(int)in[t + 64]; v##2 = (T)in[b + t % 3 + 128];
#define RESULT_OF(T, v) *o++ = bits(v##0); *o++ = bits(v##1); *o++ = bits(v##2);
#define RESULTS EACH { unsigned* o = out + (b * 64 + t) * 24; ALL(RESULT_OF) }
#ifdef HOST
#define KERNEL(name) extern "C" void name##_block(const unsigned* in, unsigned* out, unsigned* sums, unsigned b)
#define VARIABLES Thread threads[64]; EACH { ALL(BEGIN_OF) }
#define EACH for (unsigned t = 0; t < 64; ++t)
#define MEMBERS(T, v) T v##_[3];
struct Thread { ALL(MEMBERS) };
#define i0 threads[t].i_[0]
#define i1 threads[t].i_[1]
#define i2 threads[t].i_[2]
#define u0 threads[t].u_[0]
#define u1 threads[t].u_[1]
#define u2 threads[t].u_[2]
#define l0 threads[t].l_[0]
#define l1 threads[t].l_[1]
#define l2 threads[t].l_[2]
#define m0 threads[t].m_[0]
#define m1 threads[t].m_[1]
#define m2 threads[t].m_[2]
#define f0 threads[t].f_[0]
#define f1 threads[t].f_[1]
#define f2 threads[t].f_[2]
#define d0 threads[t].d_[0]
#define d1 threads[t].d_[1]
#define d2 threads[t].d_[2]
#define FROM_xor(n) (t ^ n)
#define FROM_up(n) (t % 32 < n ? t : t - n)
#define FROM_down(n) (t % 32 + n > 31 ? t : t + n)
#define SHUFFLE(kind, to, from, n) { unsigned old[64]; EACH old[t] = from; EACH to = old[FROM_##kind(n)]; }
#define SHUFFLE_FROM(to, from, lane) { unsigned old[64], to_[64]; EACH old[t] = from; EACH to_[t] = old[t / 32 * 32 + (lane)]; EACH to = to_[t]; }
#define BALLOT(to, predicate) { unsigned votes[2] = {}; EACH if (predicate) votes[t / 32] |= 1u << t % 32; EACH to = votes[t / 32]; }
#define SHARED(to, from, n) { unsigned old[64]; EACH old[t] = from; EACH to = old[(t + n) % 64]; }
#define ATOMIC(operation, slot, value) atomic##operation(sums + slot, value);
#else
#define KERNEL(name) __global__ void name(const unsigned* in, unsigned* out, unsigned* sums)
#define LOCALS(T, v) T v##0, v##1, v##2;
#define VARIABLES __shared__ unsigned shared[64]; const unsigned t = threadIdx.x, b = blockIdx.x; ALL(LOCALS) ALL(BEGIN_OF)
#define EACH
#define SHUFFLE(kind, to, from, n) to = __shfl_##kind##_sync(0xffffffffu, from, n);
#define SHUFFLE_FROM(to, from, lane) to = __shfl_sync(0xffffffffu, from, lane);
#define BALLOT(to, predicate) to = __ballot_sync(0xffffffffu, predicate);
#define SHARED(to, from, n) shared[t] = from; __syncthreads(); to = shared[(t + n) % 64]; __syncthreads();
#define ATOMIC(operation, slot, value) atomic##operation(sums + slot, value);
#endif
)";
}

}  // namespace convscope::ptx::testing
