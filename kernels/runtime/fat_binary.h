// What nvcc packs a file's device code into: images for several architectures, PTX among them.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace convscope::runtime {

constexpr std::size_t fat_binary_header = 16;  ///< bytes
/// Of the one that begins here, with its header; 0: none begins here.
std::size_t fat_binary_bytes(const std::byte* begin);

struct PtxImage {
    unsigned architecture = 0;  ///< 80
    std::string text;           ///< empty where it cannot be read
    std::string problem;        ///< then: why, as a sentence
};

/// The PTX among the images of one or several fat binaries that lie one after the other. What is not one, and machine
/// code, is passed over. 'most' is how far it may be read.
std::vector<PtxImage> ptx_images(std::span<const std::byte> most);

}  // namespace convscope::runtime
