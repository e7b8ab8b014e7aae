// The random workloads that every method, on every device, is held against the reference with: a fixed seed, so that a
// failure on one machine can be repeated on another.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "kernels/layers/workload.h"

namespace convscope::testing {

/// Deterministic and the same on every platform (SplitMix64; std::uniform_int_distribution is not).
class Random {
public:
    explicit Random(std::uint64_t seed) : state_(seed) {}
    std::uint64_t next();
    std::int64_t between(std::int64_t least, std::int64_t most);  ///< both included
    float value();                                                ///< -1 .. 1, never 0

private:
    std::uint64_t state_;
};

/// How many of a method's shapes are tried: a quarter under the sanitizers, which look for what a kind of shape does to
/// memory, and not at its numbers.
constexpr std::size_t tried(std::size_t count) {
#ifdef __SANITIZE_ADDRESS__
    count /= 4;
#endif
    return count;
}

/// 'count' valid shapes with stride, padding, batch, channels and pooling of any size, most of them not square.
/// Some are what single methods take no other of: every third one is a single map with a single filter, every sixth has
/// one channel and any number of filters, and about half of each kind have stride 1 and a square filter of 1, 3 or 5,
/// as most layers. Small: at most some hundred thousand multiply-adds each.
std::vector<ConvShape> random_shapes(std::size_t count, std::uint64_t seed = 2022);

/// 'count' fully connected layers of one to four images, up to some hundred thousand multiply-adds each.
std::vector<ConvShape> fully_connected_shapes(std::size_t count, std::uint64_t seed = 2022);

/// random_shapes() of every kind that some method takes no other of: 'count' of them, followed by a quarter as many
/// fully connected layers.
std::vector<ConvShape> shapes_of_all_kinds(std::size_t count, std::uint64_t seed = 2022);

/// As random_shapes(), each dilated, grouped or both.
std::vector<ConvShape> dilated_and_grouped_shapes(std::size_t count, std::uint64_t seed = 2022);

/// As random_shapes(), with padding that differs by side; every third has that of 'same' for an even filter.
std::vector<ConvShape> shapes_padded_by_side(std::size_t count, std::uint64_t seed = 2022);

/// A workload of random values with round(sparsity * size) zeros in x at random places.
Workload random_workload(const ConvShape&, double sparsity, std::uint64_t seed);

/// The sparsity that belongs to the i-th random shape: 0, 1 and values in between take turns.
double sparsity_of(std::size_t i);

}  // namespace convscope::testing
