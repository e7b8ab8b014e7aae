// Random numbers in kernels: Marsaglia's xorwow (Journal of Statistical Software 8(14), 2003) and Philox4x32-10 (Salmon
// et al., SC 2011), with the distributions. A state is begun by a mixture of our own: numbers are as good as cuRAND's,
// and not the same.
#pragma once

#include "reals.h"

struct curandStateXORWOW {
    unsigned v[5], d;
    float spare;  ///< of a pair of normal numbers
    bool has_spare;
};
typedef curandStateXORWOW curandStateXORWOW_t;
typedef curandStateXORWOW curandState_t;
typedef curandStateXORWOW curandState;

struct curandStatePhilox4_32_10 {
    uint4 counter, output;
    uint2 key;
    unsigned at;  ///< in the output
    float spare;
    bool has_spare;
};
typedef curandStatePhilox4_32_10 curandStatePhilox4_32_10_t;

/// Mixes all bits of a number into all (splitmix64's last step).
CONVSCOPE_DEVICE unsigned long long convscope_mixed(unsigned long long x) {
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
    x = (x ^ x >> 27) * 0x94d049bb133111eb;
    return x ^ x >> 31;
}

CONVSCOPE_DEVICE unsigned curand(curandStateXORWOW* state) {
    unsigned t = state->v[0] ^ state->v[0] >> 2;
    for (int i = 0; i < 4; ++i) state->v[i] = state->v[i + 1];
    state->v[4] = state->v[4] ^ state->v[4] << 4 ^ t ^ t << 1;
    state->d += 362437;
    return state->v[4] + state->d;
}
CONVSCOPE_DEVICE void skipahead(unsigned long long count, curandStateXORWOW* state) {
    for (; count > 0; --count) curand(state);
}
CONVSCOPE_DEVICE void curand_init(unsigned long long seed, unsigned long long sequence, unsigned long long offset,
                                  curandStateXORWOW* state) {
    unsigned long long mixed = convscope_mixed(seed + 0x9e3779b97f4a7c15) ^ convscope_mixed(~sequence);
    for (int i = 0; i < 5; i += 2) {
        mixed = convscope_mixed(mixed + 0x9e3779b97f4a7c15);
        state->v[i] = static_cast<unsigned>(mixed) | (i == 0);
        (i < 4 ? state->v[i + 1] : state->d) = static_cast<unsigned>(mixed >> 32);
    }
    state->has_spare = false;
    skipahead(offset, state);
}

CONVSCOPE_DEVICE uint4 convscope_philox(uint4 c, uint2 key) {
    for (int round = 0; round < 10; ++round) {
        const unsigned long long a = 0xd2511f53ull * c.x, b = 0xcd9e8d57ull * c.z;
        c = make_uint4(static_cast<unsigned>(b >> 32) ^ c.y ^ key.x, static_cast<unsigned>(b),
                       static_cast<unsigned>(a >> 32) ^ c.w ^ key.y, static_cast<unsigned>(a));
        key.x += 0x9e3779b9;
        key.y += 0xbb67ae85;
    }
    return c;
}
/// The place of a number among all of its sequence: the block of four, and which.
CONVSCOPE_DEVICE void skipahead(unsigned long long count, curandStatePhilox4_32_10* state) {
    const unsigned long long to = state->at + count;
    const unsigned long long block =
        (static_cast<unsigned long long>(state->counter.y) << 32 | state->counter.x) + to / 4;
    state->counter.x = static_cast<unsigned>(block);
    state->counter.y = static_cast<unsigned>(block >> 32);
    state->at = to % 4;
    state->output = convscope_philox(state->counter, state->key);
}
CONVSCOPE_DEVICE void curand_init(unsigned long long seed, unsigned long long sequence, unsigned long long offset,
                                  curandStatePhilox4_32_10* state) {
    state->key = make_uint2(static_cast<unsigned>(seed), static_cast<unsigned>(seed >> 32));
    state->counter = make_uint4(0, 0, static_cast<unsigned>(sequence), static_cast<unsigned>(sequence >> 32));
    state->at = 0;
    state->has_spare = false;
    skipahead(offset, state);
}
CONVSCOPE_DEVICE unsigned curand(curandStatePhilox4_32_10* state) {
    const uint4 four = state->output;
    const unsigned result = state->at == 0 ? four.x : state->at == 1 ? four.y : state->at == 2 ? four.z : four.w;
    skipahead(1, state);
    return result;
}
CONVSCOPE_DEVICE uint4 curand4(curandStatePhilox4_32_10* state) {
    const unsigned x = curand(state), y = curand(state), z = curand(state);
    return make_uint4(x, y, z, curand(state));
}

// In (0, 1].
CONVSCOPE_DEVICE float convscope_unit(unsigned bits) {
    return fmaf(static_cast<float>(bits), 0x1p-32f, 0x1p-33f);
}
template <class State>
CONVSCOPE_DEVICE float curand_uniform(State* state) {
    return convscope_unit(curand(state));
}
template <class State>
CONVSCOPE_DEVICE double curand_uniform_double(State* state) {
    const unsigned long long high = curand(state), bits = high << 21 ^ curand(state) >> 11;
    return fma(static_cast<double>(bits), 0x1p-53, 0x1p-54);
}
CONVSCOPE_DEVICE float4 curand_uniform4(curandStatePhilox4_32_10* state) {
    const uint4 bits = curand4(state);
    return make_float4(convscope_unit(bits.x), convscope_unit(bits.y), convscope_unit(bits.z), convscope_unit(bits.w));
}

// Normal, in pairs by Box and Muller.
template <class State>
CONVSCOPE_DEVICE float2 curand_normal2(State* state) {
    const float radius = sqrtf(-2 * logf(curand_uniform(state))), angle = 6.283185307f * curand_uniform(state);
    return make_float2(radius * sinf(angle), radius * cosf(angle));
}
template <class State>
CONVSCOPE_DEVICE float curand_normal(State* state) {
    state->has_spare = !state->has_spare;
    if (!state->has_spare) return state->spare;
    const float2 two = curand_normal2(state);
    state->spare = two.y;
    return two.x;
}
template <class State>
CONVSCOPE_DEVICE double curand_normal_double(State* state) {
    const double radius = sqrt(-2 * log(curand_uniform_double(state)));
    return radius * cos(6.283185307179586 * curand_uniform_double(state));
}
CONVSCOPE_DEVICE float4 curand_normal4(curandStatePhilox4_32_10* state) {
    const float2 a = curand_normal2(state), b = curand_normal2(state);
    return make_float4(a.x, a.y, b.x, b.y);
}
template <class State>
CONVSCOPE_DEVICE float curand_log_normal(State* state, float mean, float deviation) {
    return expf(mean + deviation * curand_normal(state));
}
/// By Knuth's product below 30, else by the nearest normal number.
template <class State>
CONVSCOPE_DEVICE unsigned curand_poisson(State* state, double mean) {
    if (mean > 30) return static_cast<unsigned>(fmax(0.0, rint(mean + sqrt(mean) * curand_normal_double(state))));
    unsigned count = 0;
    for (double left = exp(-mean), product = curand_uniform_double(state); product > left; ++count)
        product *= curand_uniform_double(state);
    return count;
}
