// A texture or a surface of a launch: memory of it that kernels read by coordinates (CUDA C++ Programming Guide,
// 'Texture and Surface Memory' and 'Texture Fetching').
#pragma once

#include <array>
#include <cstdint>

namespace convscope::ptx {

struct Texture {
    enum class Format : std::uint8_t { signed_integer, unsigned_integer, real };
    enum class Address : std::uint8_t { wrap, clamp, mirror, border };

    std::uint64_t address = 0;  ///< of the first element
    unsigned dimensions = 2;
    std::array<std::int64_t, 3> size = {1, 1, 1};  ///< elements along x, y, z; 1 where there is no such dimension
    std::uint64_t row_bytes = 0, plane_bytes = 0;  ///< from one to the next

    // An element: 1, 2 or 4 channels of 1, 2 or 4 bytes.
    Format format = Format::real;
    unsigned channels = 1, channel_bytes = 4;

    bool is_surface = false;  ///< what follows is a texture's alone
    std::array<Address, 3> outside = {Address::clamp, Address::clamp, Address::clamp};
    bool linear = false;      ///< filtered between neighbours; otherwise the nearest
    bool unit_reads = false;  ///< integers read as -1 to 1, or 0 to 1
    bool unit_coordinates = false;
    std::array<float, 4> border = {0, 0, 0, 0};

    unsigned element_bytes() const { return channels * channel_bytes; }
};

}  // namespace convscope::ptx
