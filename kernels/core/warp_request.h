// The cost of one memory request of one warp. Global memory moves sectors of 32 bytes; shared memory has 32 banks of 4
// bytes and serves one word of each per wavefront.
#pragma once

#include <cstdint>

namespace convscope {

/// The wavefronts of one request to shared memory. Elements of 8 and 16 bytes take several by their size alone: a bank
/// conflict is one that would not exist if no bank had to serve two words at once.
struct Wavefronts {
    unsigned count = 0, conflicts = 0;
};

// The lanes of 'mask' access 'bytes' each at their addresses.
unsigned sectors_of(const std::uint64_t* addresses, std::uint32_t mask, unsigned bytes, bool atomic);
/// The different aligned pieces of 'piece' bytes that they touch.
unsigned pieces_of(const std::uint64_t* addresses, std::uint32_t mask, unsigned bytes, unsigned piece);
Wavefronts wavefronts_of(const std::uint64_t* addresses, std::uint32_t mask, unsigned bytes, bool load, bool atomic);
/// The number of neighbouring lanes that shared memory serves together; their needs of a bank make the wavefronts.
unsigned lanes_at_once(const std::uint64_t* addresses, std::uint32_t mask, unsigned bytes, bool load);

}  // namespace convscope
