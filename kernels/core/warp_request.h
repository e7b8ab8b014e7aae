// What one memory request of one warp costs the hardware. Global memory moves sectors of 32 bytes; shared memory has 32
// banks of 4 bytes and serves one word of each per wavefront.
#pragma once

#include <cstdint>

namespace convscope {

/// Of one request to shared memory. Elements of 8 and 16 bytes take several wavefronts by their size alone: a bank
/// conflict is one that would not be there if no bank had to serve two words at once.
struct Wavefronts {
    unsigned count = 0, conflicts = 0;
};

// Of the addresses by lane, those of 'mask', each with 'bytes'.
unsigned sectors_of(const std::uint64_t* addresses, std::uint32_t mask, unsigned bytes, bool atomic);
Wavefronts wavefronts_of(const std::uint64_t* addresses, std::uint32_t mask, unsigned bytes, bool load, bool atomic);
/// How many neighbouring lanes are served by shared memory in one go; what one of them needs of a bank is its
/// wavefronts.
unsigned lanes_at_once(const std::uint64_t* addresses, std::uint32_t mask, unsigned bytes, bool load);

}  // namespace convscope
