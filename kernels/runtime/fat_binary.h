// Reads nvcc's fat binaries, which hold a file's device code as images for several architectures, PTX among them.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace convscope::runtime {

constexpr std::size_t fat_binary_header = 16;  ///< bytes
/// Size of the fat binary that begins here, with its header; 0: none begins here.
std::size_t fat_binary_bytes(const std::byte* begin);

struct PtxImage {
    unsigned architecture = 0;  ///< 80
    std::string text;           ///< empty where it cannot be read
    std::string problem;        ///< then: why, as a sentence
};

/// The PTX among the images of one or several consecutive fat binaries. Skips everything else, machine code too. Reads
/// no further than 'most'.
std::vector<PtxImage> ptx_images(std::span<const std::byte> most);

}  // namespace convscope::runtime
