// Random numbers with the same bits on every machine: integers only, no libm, no standard distributions.
#pragma once

#include <cstdint>

namespace convscope {

/// The purpose of the numbers. Streams of one seed are independent of each other.
enum class Stream : std::uint64_t { x_values = 1, w_values = 2, zeros = 3, field = 4, weight_zeros = 5 };

/// SplitMix64 (Steele, Lea and Flood, 'Fast splittable pseudorandom number generators', 2014) as a counter: number i
/// depends on seed, stream and i alone. So a place keeps its value when the sparsity changes.
class Random {
public:
    Random(std::uint64_t seed, Stream stream) : key_(mix(mix(seed) + static_cast<std::uint64_t>(stream) * step)) {}

    std::uint64_t at(std::uint64_t i) const { return mix(key_ + (i + 1) * step); }
    std::uint64_t next() { return at(counter_++); }

    /// Uniform in 0 .. bound - 1, for a bound of at most 2^31. The bias is below 2^-32 * bound.
    std::int64_t below(std::int64_t bound) {
        return static_cast<std::int64_t>((next() >> 32) * static_cast<std::uint64_t>(bound) >> 32);
    }

    /// Uniform in (-1, 1) and never 0: an odd 25-bit integer over 2^24, which a float holds exactly.
    float nonzero_at(std::uint64_t i) const {
        const auto odd = static_cast<std::int32_t>(2 * (at(i) >> 40) + 1) - (1 << 24);
        return static_cast<float>(odd) * 0x1p-24f;
    }

private:
    static constexpr std::uint64_t step = 0x9e3779b97f4a7c15;  // 2^64 over the golden ratio

    static constexpr std::uint64_t mix(std::uint64_t z) {
        z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
        z = (z ^ z >> 27) * 0x94d049bb133111eb;
        return z ^ z >> 31;
    }

    std::uint64_t key_;
    std::uint64_t counter_ = 0;
};

}  // namespace convscope
