#include "kernels/core/warp_request.h"

#include <algorithm>
#include <array>

namespace convscope {
namespace {

constexpr unsigned sector_bytes = 32, bank_bytes = 4, banks = 32, lanes = 32;

/// Whether every active lane wants the element that the lane 'apart' from it wants, where that one is active.
bool paired(const std::uint64_t* addresses, std::uint32_t mask, unsigned apart) {
    for (unsigned lane = 0; lane < lanes; ++lane)
        if ((mask >> lane & 1) && (mask >> (lane ^ apart) & 1) && addresses[lane] != addresses[lane ^ apart])
            return false;
    return true;
}

/// The most that one bank has to serve: different words, which lanes share, or, of atomics, lanes.
unsigned busiest_bank(const std::uint64_t* addresses, std::uint32_t mask, unsigned bytes, bool atomic) {
    std::array<std::uint64_t, 8 * lanes> words;
    std::size_t count = 0;
    for (unsigned lane = 0; lane < lanes; ++lane)
        if (mask >> lane & 1)
            for (std::uint64_t word = addresses[lane] / bank_bytes; word * bank_bytes < addresses[lane] + bytes; ++word)
                words[count++] = word;
    auto end = words.begin() + static_cast<std::ptrdiff_t>(count);
    if (!atomic) {
        std::sort(words.begin(), end);
        end = std::unique(words.begin(), end);
    }
    std::array<unsigned, banks> of_bank{};
    for (auto word = words.begin(); word != end; ++word) ++of_bank[*word % banks];
    return *std::ranges::max_element(of_bank);
}

}  // namespace

/// Atomics take turns at a word, and move its sector each time.
unsigned sectors_of(const std::uint64_t* addresses, std::uint32_t mask, unsigned bytes, bool atomic) {
    std::array<std::uint64_t, 2 * lanes> sectors;
    std::size_t count = 0;
    for (unsigned lane = 0; lane < lanes; ++lane) {
        if (!(mask >> lane & 1)) continue;
        const std::uint64_t first = addresses[lane] / sector_bytes, last = (addresses[lane] + bytes - 1) / sector_bytes;
        sectors[count++] = first;
        if (last != first) sectors[count++] = last;
    }
    const auto end = sectors.begin() + static_cast<std::ptrdiff_t>(count);
    std::sort(sectors.begin(), end);
    const auto distinct = static_cast<unsigned>(std::unique(sectors.begin(), end) - sectors.begin());
    if (!atomic) return distinct;
    unsigned sum = 0;
    for (unsigned i = 0; i < distinct; ++i) {
        unsigned turns = 0;
        for (unsigned lane = 0; lane < lanes; ++lane) {
            if (!(mask >> lane & 1) || addresses[lane] / sector_bytes != sectors[i]) continue;
            unsigned same = 0;
            for (unsigned other = 0; other < lanes; ++other)
                same += (mask >> other & 1) && addresses[other] == addresses[lane];
            turns = std::max(turns, same);
        }
        sum += turns;
    }
    return sum;
}

unsigned pieces_of(const std::uint64_t* addresses, std::uint32_t mask, unsigned bytes, unsigned piece) {
    constexpr unsigned max_bytes = 32;  // of an element: eight floats
    std::array<std::uint64_t, (max_bytes / bank_bytes + 1) * lanes> touched;
    std::size_t count = 0;
    for (unsigned lane = 0; lane < lanes; ++lane)
        if (mask >> lane & 1)
            for (std::uint64_t at = addresses[lane] / piece; at <= (addresses[lane] + bytes - 1) / piece; ++at)
                touched[count++] = at;
    const auto end = touched.begin() + static_cast<std::ptrdiff_t>(count);
    std::sort(touched.begin(), end);
    return static_cast<unsigned>(std::unique(touched.begin(), end) - touched.begin());
}

/// Elements of 8 and 16 bytes are served to a half and a quarter of the warp at a time; loads to twice as many lanes,
/// where all neighbours, or all second neighbours, share their elements. So an NVIDIA H100 counts
/// (docs/measurements/h100-counters.md).
unsigned lanes_at_once(const std::uint64_t* addresses, std::uint32_t mask, unsigned bytes, bool load) {
    const unsigned at_once = lanes / std::max(1u, bytes / bank_bytes);
    const bool wide_load = load && at_once < lanes;
    return wide_load && (paired(addresses, mask, 1) || paired(addresses, mask, 2)) ? 2 * at_once : at_once;
}

Wavefronts wavefronts_of(const std::uint64_t* addresses, std::uint32_t mask, unsigned bytes, bool load, bool atomic) {
    const unsigned at_once = lanes_at_once(addresses, mask, bytes, load);
    Wavefronts sum;
    for (unsigned first = 0; first < lanes; first += at_once) {
        const std::uint32_t part = (at_once == lanes ? ~0u : (1u << at_once) - 1) << first & mask;
        if (!part) continue;
        const unsigned turns = busiest_bank(addresses, part, bytes, atomic);
        sum.count += turns;
        sum.conflicts += turns - 1;
    }
    return sum;
}

}  // namespace convscope
