#include "app/sweep/shard.h"

#include <fmt/format.h>

#include <cstdint>

#include "app/request/numbers.h"
#include "kernels/core/error.h"
#include "kernels/core/text.h"
#include "kernels/records/merge.h"

namespace convscope {
namespace {

/// Steele, Lea & Flood 2014, 'Fast splittable pseudorandom number generators': the finaliser of SplitMix64.
std::uint64_t mix(std::uint64_t value) {
    value += 0x9e3779b97f4a7c15;
    value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9;
    value = (value ^ (value >> 27)) * 0x94d049bb133111eb;
    return value ^ (value >> 31);
}

}  // namespace

bool Shard::holds(std::size_t point) const {
    const std::size_t turn = mix(point / count) % count;
    return (point + turn) % count == index - 1;
}

std::string Shard::mark() const {
    return whole() ? "" : fmt::format("{}of{}", index, count);
}

Shard parse_shard(const std::string& text) {
    const std::vector<std::string> parts = split(text, '/');
    if (parts.size() != 2)
        throw Error(ErrorKind::usage,
                    fmt::format("--shard: '{}' is not a part of a sweep; give i/n, 1/4 to 4/4 for four parts", text));
    Shard shard;
    shard.count = static_cast<std::size_t>(parse_whole("--shard", parts[1], 1, max_shards));
    shard.index = static_cast<std::size_t>(parse_whole("--shard", parts[0], 1, max_shards));
    if (shard.index > shard.count)
        throw Error(ErrorKind::usage, fmt::format("--shard: '{}' asks for part {} of {}; parts count from 1", text,
                                                  shard.index, shard.count));
    return shard;
}

}  // namespace convscope
