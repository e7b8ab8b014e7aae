// Real numbers: rounding and conversions, then the functions of double and float from their series, to about one unit
// in the last place (arguments of sine and cosine up to about 1e9), then those of the special function units. NaN and
// infinity go in and come out as in C. 'std' has the same functions.
#pragma once

#include "integers.h"

// One instruction each.
#define CONVSCOPE_REAL_1(name)                \
    CONVSCOPE_DEVICE double name(double a) {  \
        return __builtin_##name(a);           \
    }                                         \
    CONVSCOPE_DEVICE float name##f(float a) { \
        return __builtin_##name##f(a);        \
    }
#define CONVSCOPE_REAL_2(name)                         \
    CONVSCOPE_DEVICE double name(double a, double b) { \
        return __builtin_##name(a, b);                 \
    }                                                  \
    CONVSCOPE_DEVICE float name##f(float a, float b) { \
        return __builtin_##name##f(a, b);              \
    }
CONVSCOPE_REAL_1(fabs)
CONVSCOPE_REAL_1(floor)
CONVSCOPE_REAL_1(ceil)
CONVSCOPE_REAL_1(trunc)
CONVSCOPE_REAL_1(rint)
CONVSCOPE_REAL_1(nearbyint)
CONVSCOPE_REAL_1(sqrt)
CONVSCOPE_REAL_2(fmin)
CONVSCOPE_REAL_2(fmax)
CONVSCOPE_REAL_2(copysign)
CONVSCOPE_DEVICE double fma(double a, double b, double c) {
    return __builtin_fma(a, b, c);
}
CONVSCOPE_DEVICE float fmaf(float a, float b, float c) {
    return __builtin_fmaf(a, b, c);
}
CONVSCOPE_BOTH float min(float a, float b) {
    return __builtin_fminf(a, b);
}
CONVSCOPE_BOTH float max(float a, float b) {
    return __builtin_fmaxf(a, b);
}
CONVSCOPE_BOTH double min(double a, double b) {
    return __builtin_fmin(a, b);
}
CONVSCOPE_BOTH double max(double a, double b) {
    return __builtin_fmax(a, b);
}
CONVSCOPE_BOTH double min(float a, double b) {
    return __builtin_fmin(a, b);
}
CONVSCOPE_BOTH double min(double a, float b) {
    return __builtin_fmin(a, b);
}
CONVSCOPE_BOTH double max(float a, double b) {
    return __builtin_fmax(a, b);
}
CONVSCOPE_BOTH double max(double a, float b) {
    return __builtin_fmax(a, b);
}

// Halves go away from zero.
CONVSCOPE_DEVICE double round(double a) {
    const double whole = trunc(a);
    return fabs(a - whole) >= 0.5 ? whole + copysign(1.0, a) : whole;
}
CONVSCOPE_DEVICE float roundf(float a) {
    const float whole = truncf(a);
    return fabsf(a - whole) >= 0.5f ? whole + copysignf(1.0f, a) : whole;
}
CONVSCOPE_DEVICE long lround(double a) {
    return static_cast<long>(round(a));
}
CONVSCOPE_DEVICE long lroundf(float a) {
    return static_cast<long>(roundf(a));
}
CONVSCOPE_DEVICE long lrint(double a) {
    return static_cast<long>(rint(a));
}
CONVSCOPE_DEVICE long lrintf(float a) {
    return static_cast<long>(rintf(a));
}
CONVSCOPE_DEVICE double fdim(double a, double b) {
    return a > b ? a - b : a <= b ? 0 : a + b;
}
CONVSCOPE_DEVICE float fdimf(float a, float b) {
    return a > b ? a - b : a <= b ? 0 : a + b;
}
CONVSCOPE_DEVICE double rsqrt(double a) {
    return 1 / sqrt(a);
}
CONVSCOPE_DEVICE float rsqrtf(float a) {
    return __nvvm_rsqrt_approx_f(a);
}

/// a times two to the power of n, in two steps: the power itself may be too great.
CONVSCOPE_DEVICE double ldexp(double a, int n) {
    n = min(max(n, -2100), 2100);
    for (int step = 0; step < 2; ++step) {
        const int part = min(max(n, -1022), 1023);
        a *= __longlong_as_double((1023LL + part) << 52);
        n -= part;
    }
    return a;
}
CONVSCOPE_DEVICE float ldexpf(float a, int n) {
    n = min(max(n, -300), 300);
    for (int step = 0; step < 2; ++step) {
        const int part = min(max(n, -126), 127);
        a *= __int_as_float((127 + part) << 23);
        n -= part;
    }
    for (int left = n; left != 0; left += left < 0 ? 1 : -1) a *= left < 0 ? 0.5f : 2.0f;
    return a;
}
/// In [0.5, 1) times a power of two.
CONVSCOPE_DEVICE double frexp(double a, int* power) {
    *power = 0;
    if (a == 0 || a - a != 0) return a;
    if (fabs(a) < 0x1p-1022) {
        a *= 0x1p54;
        *power = -54;
    }
    const long long bits = __double_as_longlong(a);
    *power += static_cast<int>(bits >> 52 & 0x7ff) - 1022;
    return __longlong_as_double((bits & ~(0x7ffLL << 52)) | 1022LL << 52);
}
CONVSCOPE_DEVICE double modf(double a, double* whole) {
    *whole = trunc(a);
    return copysign(a - a == 0 ? a - *whole : a == a ? 0 : a, a);
}
CONVSCOPE_DEVICE float modff(float a, float* whole) {
    *whole = truncf(a);
    return copysignf(a - a == 0 ? a - *whole : a == a ? 0 : a, a);
}
/// Exact: the greatest doubled divisor that fits is taken away, bit by bit.
CONVSCOPE_DEVICE double fmod(double a, double b) {
    double left = fabs(a);
    const double by = fabs(b);
    if (by == 0 || left - left != 0 || b != b) return (a * b) / (a * b);
    while (left >= by) {
        double part = by;
        if (left / by > 2) {
            int of_left, of_by;
            frexp(left, &of_left);
            frexp(by, &of_by);
            part = ldexp(by, of_left - of_by);
            if (part > left) part = ldexp(by, of_left - of_by - 1);
        }
        left -= part;
    }
    return copysign(left, a);
}
CONVSCOPE_DEVICE float fmodf(float a, float b) {
    return static_cast<float>(fmod(static_cast<double>(a), static_cast<double>(b)));
}

// Powers of e.
CONVSCOPE_DEVICE double convscope_exp_near_zero(double r) {
    double sum = 1;
#pragma unroll
    for (int k = 14; k > 0; --k) sum = fma(sum * r, 1.0 / k, 1);
    return sum;
}
CONVSCOPE_DEVICE double exp(double a) {
    if (!(a < 709.79)) return a > 0 ? __builtin_huge_val() : a;
    if (a < -746) return 0;
    const double n = rint(a * 1.4426950408889634);
    const double r = fma(n, -2.3190468138462996e-17, fma(n, -0.6931471805599453, a));
    return ldexp(convscope_exp_near_zero(r), static_cast<int>(n));
}
CONVSCOPE_DEVICE float expf(float a) {
    if (!(a < 88.73f)) return a > 0 ? __builtin_huge_valf() : a;
    if (a < -104) return 0;
    const float n = rintf(a * 1.44269504f);
    const float r = fmaf(n, 1.90465430e-9f, fmaf(n, -0.693147182f, a));
    float sum = 1;
#pragma unroll
    for (int k = 8; k > 0; --k) sum = fmaf(sum * r, 1.0f / k, 1);
    return ldexpf(sum, static_cast<int>(n));
}
CONVSCOPE_DEVICE double expm1(double a) {
    if (fabs(a) > 0.35) return exp(a) - 1;
    double sum = 1;
#pragma unroll
    for (int k = 14; k > 1; --k) sum = fma(sum * a, 1.0 / k, 1);
    return sum * a;
}
CONVSCOPE_DEVICE float expm1f(float a) {
    if (fabsf(a) > 0.35f) return expf(a) - 1;
    float sum = 1;
#pragma unroll
    for (int k = 8; k > 1; --k) sum = fmaf(sum * a, 1.0f / k, 1);
    return sum * a;
}
CONVSCOPE_DEVICE double exp2(double a) {
    if (!(a < 1024)) return a > 0 ? __builtin_huge_val() : a;
    if (a < -1080) return 0;
    const double n = rint(a);
    return ldexp(convscope_exp_near_zero((a - n) * 0.6931471805599453), static_cast<int>(n));
}
CONVSCOPE_DEVICE float exp2f(float a) {
    return __nvvm_ex2_approx_f(a);
}

// Logarithms: of a mantissa near 1, by 2 artanh((m - 1) / (m + 1)).
CONVSCOPE_DEVICE double log(double a) {
    if (!(a > 0) || a - a != 0) return a == 0 ? -__builtin_huge_val() : a > 0 ? a : __builtin_nan("");
    int power;
    double m = frexp(a, &power);
    if (m < 0.7071067811865476) {
        m *= 2;
        --power;
    }
    const double s = (m - 1) / (m + 1), z = s * s;
    double sum = 1.0 / 23;
#pragma unroll
    for (int k = 21; k > 1; k -= 2) sum = fma(sum, z, 1.0 / k);
    return fma(power, 0.6931471805599453, fma(2 * s * z, sum, 2 * s));
}
CONVSCOPE_DEVICE float logf(float a) {
    if (!(a > 0) || a - a != 0) return a == 0 ? -__builtin_huge_valf() : a > 0 ? a : __builtin_nanf("");
    int power = 0;
    if (a < 0x1p-126f) {
        a *= 0x1p24f;
        power = -24;
    }
    int bits = __float_as_int(a);
    const int shift = (bits - __float_as_int(0.707106769f)) >> 23;
    power += shift;
    const float m = __int_as_float(bits - (shift << 23)), s = (m - 1) / (m + 1), z = s * s;
    float sum = 1.0f / 11;
#pragma unroll
    for (int k = 9; k > 1; k -= 2) sum = fmaf(sum, z, 1.0f / k);
    return fmaf(power, 0.693147181f, fmaf(2 * s * z, sum, 2 * s));
}
CONVSCOPE_DEVICE double log2(double a) {
    int power;
    const double m = frexp(a, &power);
    return m == 0.5 ? power - 1 : log(a) * 1.4426950408889634;
}
CONVSCOPE_DEVICE float log2f(float a) {
    return __nvvm_lg2_approx_f(a);
}
CONVSCOPE_DEVICE double log10(double a) {
    return log(a) * 0.4342944819032518;
}
CONVSCOPE_DEVICE float log10f(float a) {
    return static_cast<float>(log10(static_cast<double>(a)));
}
CONVSCOPE_DEVICE double log1p(double a) {
    const double sum = 1 + a;
    return sum == 1 || a - a != 0 ? a : log(sum) * (a / (sum - 1));
}

// Powers. Small whole exponents by products: log and exp together lose a few bits.
CONVSCOPE_DEVICE double pow(double a, double b) {
    if (b == 0 || a == 1) return 1;
    const bool whole = b == trunc(b) && fabs(b) < 0x1p53, odd = whole && (static_cast<long long>(b) & 1);
    if (whole && fabs(b) <= 64) {
        double product = 1, square = a;
        for (int n = static_cast<int>(fabs(b)); n != 0; n >>= 1) {
            if (n & 1) product *= square;
            square *= square;
        }
        return b < 0 ? 1 / product : product;
    }
    if (a < 0 && !whole && b - b == 0) return __builtin_nan("");
    const double size = exp(b * log(fabs(a)));
    return a < 0 && odd ? -size : size;
}
CONVSCOPE_DEVICE float powf(float a, float b) {
    return static_cast<float>(pow(static_cast<double>(a), static_cast<double>(b)));
}
CONVSCOPE_DEVICE double cbrt(double a) {
    if (a == 0 || a - a != 0) return a;
    const double near = exp(log(fabs(a)) / 3);
    return copysign(near - (near * near * near - fabs(a)) / (3 * near * near), a);
}
CONVSCOPE_DEVICE double hypot(double a, double b) {
    const double large = fmax(fabs(a), fabs(b)), small = fmin(fabs(a), fabs(b));
    if (large == 0 || large - large != 0) return large;
    return large * sqrt(1 + small / large * (small / large));
}

// Angles: what is left of a quarter turn, by three parts of pi / 2, then the two series.
CONVSCOPE_DEVICE double convscope_quarter(double a, int* turns) {
    const double n = rint(a * 0.6366197723675814);
    *turns = static_cast<int>(static_cast<long long>(n) & 3);
    return fma(n, 1.4973849048591833e-33, fma(n, -6.123233995736766e-17, fma(n, -1.5707963267948966, a)));
}
CONVSCOPE_DEVICE double convscope_sin_near_zero(double r) {
    const double z = r * r;
    double sum = 1;
#pragma unroll
    for (int k = 18; k > 0; k -= 2) sum = fma(sum * z, -1.0 / (k * (k + 1)), 1);
    return sum * r;
}
CONVSCOPE_DEVICE double convscope_cos_near_zero(double r) {
    const double z = r * r;
    double sum = 1;
#pragma unroll
    for (int k = 17; k > 0; k -= 2) sum = fma(sum * z, -1.0 / (k * (k + 1)), 1);
    return sum;
}
/// The sine of so many quarter turns more.
CONVSCOPE_DEVICE double convscope_sin(double a, int more) {
    if (a - a != 0) return __builtin_nan("");
    int turns;
    const double r = convscope_quarter(a, &turns);
    turns += more;
    const double size = turns & 1 ? convscope_cos_near_zero(r) : convscope_sin_near_zero(r);
    return turns & 2 ? -size : size;
}
CONVSCOPE_DEVICE double sin(double a) {
    return convscope_sin(a, 0);
}
CONVSCOPE_DEVICE double cos(double a) {
    return convscope_sin(a, 1);
}
CONVSCOPE_DEVICE double tan(double a) {
    return sin(a) / cos(a);
}
CONVSCOPE_DEVICE float convscope_sinf(float a, int more) {
    if (!(fabsf(a) < 10000)) return static_cast<float>(convscope_sin(a, more));
    const float n = rintf(a * 0.636619772f);
    const float r = fmaf(n, 1.71512451e-15f, fmaf(n, 4.37113883e-8f, fmaf(n, -1.57079637f, a))), z = r * r;
    const int turns = static_cast<int>(n) + more;
    float sum = 1;
#pragma unroll
    for (int k = 10; k > 0; k -= 2) {
        const int next = turns & 1 ? k - 1 : k;
        sum = fmaf(sum * z, -1.0f / (next * (next + 1)), 1);
    }
    if (!(turns & 1)) sum *= r;
    return turns & 2 ? -sum : sum;
}
CONVSCOPE_DEVICE float sinf(float a) {
    return convscope_sinf(a, 0);
}
CONVSCOPE_DEVICE float cosf(float a) {
    return convscope_sinf(a, 1);
}
CONVSCOPE_DEVICE float tanf(float a) {
    return sinf(a) / cosf(a);
}
CONVSCOPE_DEVICE double atan(double a) {
    const double size = fabs(a);
    double t = size > 1 ? 1 / size : size;
    const bool turned = t > 0.4142135623730950;
    if (turned) t = (t - 1) / (t + 1);
    const double z = -t * t;
    double sum = 1.0 / 43;
#pragma unroll
    for (int k = 41; k > 1; k -= 2) sum = fma(sum, z, 1.0 / k);
    double angle = fma(t * z, sum, t);
    if (turned) angle += 0.7853981633974483;
    if (size > 1) angle = 1.5707963267948966 - angle;
    return copysign(angle, a);
}
CONVSCOPE_DEVICE double atan2(double y, double x) {
    if (x != x || y != y) return x + y;
    const bool endless = fabs(x) == __builtin_huge_val() && fabs(y) == __builtin_huge_val();
    double angle = y == 0 ? 0 : endless ? 0.7853981633974483 : atan(fabs(y) / fabs(x));
    if (copysign(1.0, x) < 0) angle = 3.141592653589793 - angle;
    return copysign(angle, y);
}
CONVSCOPE_DEVICE double asin(double a) {
    return atan2(a, sqrt((1 - a) * (1 + a)));
}
CONVSCOPE_DEVICE double acos(double a) {
    return atan2(sqrt((1 - a) * (1 + a)), a);
}

// Hyperbolic functions.
CONVSCOPE_DEVICE double sinh(double a) {
    if (fabs(a) > 20) return copysign(exp(fabs(a) - 0.6931471805599453), a);
    const double e = expm1(fabs(a));
    return copysign((e + e / (e + 1)) / 2, a);
}
CONVSCOPE_DEVICE double cosh(double a) {
    const double e = exp(fabs(a) - 0.6931471805599453);
    return e + 0.25 / e;
}
CONVSCOPE_DEVICE double tanh(double a) {
    if (fabs(a) > 22) return copysign(1.0, a);
    const double e = expm1(2 * fabs(a));
    return copysign(e / (e + 2), a);
}
CONVSCOPE_DEVICE float tanhf(float a) {
    if (fabsf(a) > 10) return copysignf(1.0f, a);
    const float e = expm1f(2 * fabsf(a));
    return copysignf(e / (e + 2), a);
}
CONVSCOPE_DEVICE double asinh(double a) {
    const double size = fabs(a);
    return copysign(log1p(size + size * size / (1 + sqrt(size * size + 1))), a);
}
CONVSCOPE_DEVICE double acosh(double a) {
    return log(a + sqrt((a - 1) * (a + 1)));
}
CONVSCOPE_DEVICE double atanh(double a) {
    return log1p(2 * a / (1 - a)) / 2;
}

// The error function by its series, all of whose terms are of one sign; what is left to 1, far out, by a continued
// fraction.
CONVSCOPE_DEVICE double convscope_erfc_far(double a) {
    double fraction = 0;
    for (int k = 200; k > 0; --k) fraction = k / 2.0 / (a + fraction);
    return exp(-a * a) / (a + fraction) * 0.5641895835477563;
}
CONVSCOPE_DEVICE double erf(double a) {
    const double size = fabs(a);
    if (size > 6) return copysign(1.0, a);
    double term = a, sum = a;
    for (int k = 1; k < 130; ++k) {
        term *= 2 * a * a / (2 * k + 1);
        sum += term;
    }
    return 1.1283791670955126 * exp(-a * a) * sum;
}
CONVSCOPE_DEVICE double erfc(double a) {
    return a > 1 ? convscope_erfc_far(a) : 1 - erf(a);
}
CONVSCOPE_DEVICE double normcdf(double a) {
    return erfc(a * -0.7071067811865476) / 2;
}

// Rare functions of float go by double.
#define CONVSCOPE_BY_DOUBLE(name)                                \
    CONVSCOPE_DEVICE float name##f(float a) {                    \
        return static_cast<float>(name(static_cast<double>(a))); \
    }
CONVSCOPE_BY_DOUBLE(log1p)
CONVSCOPE_BY_DOUBLE(cbrt)
CONVSCOPE_BY_DOUBLE(atan)
CONVSCOPE_BY_DOUBLE(asin)
CONVSCOPE_BY_DOUBLE(acos)
CONVSCOPE_BY_DOUBLE(sinh)
CONVSCOPE_BY_DOUBLE(cosh)
CONVSCOPE_BY_DOUBLE(asinh)
CONVSCOPE_BY_DOUBLE(acosh)
CONVSCOPE_BY_DOUBLE(atanh)
CONVSCOPE_BY_DOUBLE(erf)
CONVSCOPE_BY_DOUBLE(erfc)
CONVSCOPE_BY_DOUBLE(normcdf)
CONVSCOPE_DEVICE float atan2f(float y, float x) {
    return static_cast<float>(atan2(static_cast<double>(y), static_cast<double>(x)));
}
CONVSCOPE_DEVICE float hypotf(float a, float b) {
    return static_cast<float>(hypot(static_cast<double>(a), static_cast<double>(b)));
}
CONVSCOPE_DEVICE double exp10(double a) {
    return pow(10.0, a);
}
CONVSCOPE_DEVICE float exp10f(float a) {
    return static_cast<float>(exp10(static_cast<double>(a)));
}
CONVSCOPE_DEVICE void sincos(double a, double* sine, double* cosine) {
    *sine = sin(a);
    *cosine = cos(a);
}
CONVSCOPE_DEVICE void sincosf(float a, float* sine, float* cosine) {
    *sine = sinf(a);
    *cosine = cosf(a);
}
CONVSCOPE_DEVICE double sinpi(double a) {
    return sin((a - 2 * rint(a / 2)) * 3.141592653589793);
}
CONVSCOPE_DEVICE double cospi(double a) {
    return cos((a - 2 * rint(a / 2)) * 3.141592653589793);
}

// Results of the special function units.
CONVSCOPE_DEVICE float __sinf(float a) {
    return __nvvm_sin_approx_f(a);
}
CONVSCOPE_DEVICE float __cosf(float a) {
    return __nvvm_cos_approx_f(a);
}
CONVSCOPE_DEVICE float __tanf(float a) {
    return __sinf(a) / __cosf(a);
}
CONVSCOPE_DEVICE void __sincosf(float a, float* sine, float* cosine) {
    *sine = __sinf(a);
    *cosine = __cosf(a);
}
CONVSCOPE_DEVICE float __expf(float a) {
    return __nvvm_ex2_approx_f(a * 1.44269504f);
}
CONVSCOPE_DEVICE float __exp10f(float a) {
    return __nvvm_ex2_approx_f(a * 3.32192809f);
}
CONVSCOPE_DEVICE float __logf(float a) {
    return __nvvm_lg2_approx_f(a) * 0.693147181f;
}
CONVSCOPE_DEVICE float __log2f(float a) {
    return __nvvm_lg2_approx_f(a);
}
CONVSCOPE_DEVICE float __log10f(float a) {
    return __nvvm_lg2_approx_f(a) * 0.301029996f;
}
CONVSCOPE_DEVICE float __powf(float a, float b) {
    return __nvvm_ex2_approx_f(b * __nvvm_lg2_approx_f(a));
}
CONVSCOPE_DEVICE float __fdividef(float a, float b) {
    return a / b;
}
CONVSCOPE_DEVICE float fdividef(float a, float b) {
    return a / b;
}
CONVSCOPE_DEVICE float __saturatef(float a) {
    return fminf(fmaxf(a, 0), 1);
}

// Rounded to nearest, and never made part of a fused multiply-add.
#define CONVSCOPE_ROUNDED(name, builtin, T) \
    CONVSCOPE_DEVICE T name(T a, T b) {     \
        return builtin(a, b);               \
    }
CONVSCOPE_ROUNDED(__fadd_rn, __nvvm_add_rn_f, float)
CONVSCOPE_ROUNDED(__fmul_rn, __nvvm_mul_rn_f, float)
CONVSCOPE_ROUNDED(__fdiv_rn, __nvvm_div_rn_f, float)
CONVSCOPE_ROUNDED(__dadd_rn, __nvvm_add_rn_d, double)
CONVSCOPE_ROUNDED(__dmul_rn, __nvvm_mul_rn_d, double)
CONVSCOPE_ROUNDED(__ddiv_rn, __nvvm_div_rn_d, double)
CONVSCOPE_DEVICE float __fsub_rn(float a, float b) {
    return __fadd_rn(a, -b);
}
CONVSCOPE_DEVICE double __dsub_rn(double a, double b) {
    return __dadd_rn(a, -b);
}
CONVSCOPE_DEVICE float __fmaf_rn(float a, float b, float c) {
    return fmaf(a, b, c);
}
CONVSCOPE_DEVICE double __fma_rn(double a, double b, double c) {
    return fma(a, b, c);
}
CONVSCOPE_DEVICE float __frcp_rn(float a) {
    return 1 / a;
}
CONVSCOPE_DEVICE float __fsqrt_rn(float a) {
    return sqrtf(a);
}
CONVSCOPE_DEVICE double __dsqrt_rn(double a) {
    return sqrt(a);
}
CONVSCOPE_DEVICE float __frsqrt_rn(float a) {
    return rsqrtf(a);
}

// Conversions to whole numbers: to nearest even, towards zero, down, up.
#define CONVSCOPE_CONVERSIONS(from, prefix, suffix)             \
    CONVSCOPE_CONVERSION(prefix##2int, int, from, suffix)       \
    CONVSCOPE_CONVERSION(prefix##2uint, unsigned, from, suffix) \
    CONVSCOPE_CONVERSION(prefix##2ll, long long, from, suffix)  \
    CONVSCOPE_CONVERSION(prefix##2ull, unsigned long long, from, suffix)
#define CONVSCOPE_CONVERSION(name, T, from, suffix) \
    CONVSCOPE_DEVICE T name##_rn(from a) {          \
        return static_cast<T>(rint##suffix(a));     \
    }                                               \
    CONVSCOPE_DEVICE T name##_rz(from a) {          \
        return static_cast<T>(a);                   \
    }                                               \
    CONVSCOPE_DEVICE T name##_rd(from a) {          \
        return static_cast<T>(floor##suffix(a));    \
    }                                               \
    CONVSCOPE_DEVICE T name##_ru(from a) {          \
        return static_cast<T>(ceil##suffix(a));     \
    }
CONVSCOPE_CONVERSIONS(float, __float, f)
CONVSCOPE_CONVERSIONS(double, __double, )
#define CONVSCOPE_TO_REAL(name, T, from) \
    CONVSCOPE_DEVICE T name(from a) {    \
        return static_cast<T>(a);        \
    }
CONVSCOPE_TO_REAL(__int2float_rn, float, int)
CONVSCOPE_TO_REAL(__uint2float_rn, float, unsigned)
CONVSCOPE_TO_REAL(__ll2float_rn, float, long long)
CONVSCOPE_TO_REAL(__ull2float_rn, float, unsigned long long)
CONVSCOPE_TO_REAL(__int2double_rn, double, int)
CONVSCOPE_TO_REAL(__uint2double_rn, double, unsigned)
CONVSCOPE_TO_REAL(__ll2double_rn, double, long long)
CONVSCOPE_TO_REAL(__double2float_rn, float, double)

// The names of double for float, and for whole numbers, which are taken as double.
template <class T, bool whole>
struct convscope_for_whole {};
template <class T>
struct convscope_for_whole<T, true> {
    typedef T type;
};
template <class T>
constexpr bool convscope_is_whole = __is_integral(T);
template <class A, class B>
constexpr bool convscope_is_mixed = !__is_same(A, B) || __is_integral(A);
#define CONVSCOPE_OVERLOADS(name)                                                                  \
    CONVSCOPE_DEVICE float name(float a) {                                                         \
        return name##f(a);                                                                         \
    }                                                                                              \
    template <class T>                                                                             \
    CONVSCOPE_DEVICE typename convscope_for_whole<double, convscope_is_whole<T>>::type name(T a) { \
        return name(static_cast<double>(a));                                                       \
    }                                                                                              \
    CONVSCOPE_IN_STD(name)
#define CONVSCOPE_IN_STD(name) \
    namespace std {            \
    using ::name;              \
    using ::name##f;           \
    }
CONVSCOPE_OVERLOADS(fabs)
CONVSCOPE_OVERLOADS(floor)
CONVSCOPE_OVERLOADS(ceil)
CONVSCOPE_OVERLOADS(trunc)
CONVSCOPE_OVERLOADS(rint)
CONVSCOPE_OVERLOADS(nearbyint)
CONVSCOPE_OVERLOADS(round)
CONVSCOPE_OVERLOADS(sqrt)
CONVSCOPE_OVERLOADS(cbrt)
CONVSCOPE_OVERLOADS(exp)
CONVSCOPE_OVERLOADS(exp2)
CONVSCOPE_OVERLOADS(expm1)
CONVSCOPE_OVERLOADS(log)
CONVSCOPE_OVERLOADS(log2)
CONVSCOPE_OVERLOADS(log10)
CONVSCOPE_OVERLOADS(log1p)
CONVSCOPE_OVERLOADS(sin)
CONVSCOPE_OVERLOADS(cos)
CONVSCOPE_OVERLOADS(tan)
CONVSCOPE_OVERLOADS(asin)
CONVSCOPE_OVERLOADS(acos)
CONVSCOPE_OVERLOADS(atan)
CONVSCOPE_OVERLOADS(sinh)
CONVSCOPE_OVERLOADS(cosh)
CONVSCOPE_OVERLOADS(tanh)
CONVSCOPE_OVERLOADS(asinh)
CONVSCOPE_OVERLOADS(acosh)
CONVSCOPE_OVERLOADS(atanh)
CONVSCOPE_OVERLOADS(erf)
CONVSCOPE_OVERLOADS(erfc)
// Two arguments of different types are taken as double.
#define CONVSCOPE_OVERLOADS_2(name)                                                                        \
    CONVSCOPE_DEVICE float name(float a, float b) {                                                        \
        return name##f(a, b);                                                                              \
    }                                                                                                      \
    template <class A, class B>                                                                            \
    CONVSCOPE_DEVICE typename convscope_for_whole<double, convscope_is_mixed<A, B>>::type name(A a, B b) { \
        return name(static_cast<double>(a), static_cast<double>(b));                                       \
    }                                                                                                      \
    CONVSCOPE_IN_STD(name)
CONVSCOPE_OVERLOADS_2(fmin)
CONVSCOPE_OVERLOADS_2(fmax)
CONVSCOPE_OVERLOADS_2(fmod)
CONVSCOPE_OVERLOADS_2(fdim)
CONVSCOPE_OVERLOADS_2(pow)
CONVSCOPE_OVERLOADS_2(atan2)
CONVSCOPE_OVERLOADS_2(hypot)
CONVSCOPE_OVERLOADS_2(copysign)
CONVSCOPE_DEVICE float fma(float a, float b, float c) {
    return fmaf(a, b, c);
}
CONVSCOPE_DEVICE float abs(float a) {
    return fabsf(a);
}
CONVSCOPE_DEVICE double abs(double a) {
    return fabs(a);
}
CONVSCOPE_DEVICE float rsqrt(float a) {
    return rsqrtf(a);
}
CONVSCOPE_DEVICE float ldexp(float a, int n) {
    return ldexpf(a, n);
}
CONVSCOPE_DEVICE bool isnan(float a) {
    return a != a;
}
CONVSCOPE_DEVICE bool isnan(double a) {
    return a != a;
}
CONVSCOPE_DEVICE bool isinf(float a) {
    return fabsf(a) == __builtin_huge_valf();
}
CONVSCOPE_DEVICE bool isinf(double a) {
    return fabs(a) == __builtin_huge_val();
}
CONVSCOPE_DEVICE bool isfinite(float a) {
    return a - a == 0;
}
CONVSCOPE_DEVICE bool isfinite(double a) {
    return a - a == 0;
}
CONVSCOPE_DEVICE bool signbit(float a) {
    return __float_as_int(a) < 0;
}
CONVSCOPE_DEVICE bool signbit(double a) {
    return __double_as_longlong(a) < 0;
}
namespace std {
using ::abs;
using ::fma;
using ::isfinite;
using ::isinf;
using ::isnan;
using ::ldexp;
using ::signbit;
}  // namespace std
