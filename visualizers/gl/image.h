// Pixels in host memory, and PNG files of them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

namespace convscope::gl {

/// RGBA, 8 bits a channel, the top row first.
struct Image {
    int width = 0, height = 0;
    std::vector<std::uint8_t> rgba;

    struct Pixel {
        std::uint8_t r = 0, g = 0, b = 0, a = 0;
        bool operator==(const Pixel&) const = default;
    };
    Pixel at(int x, int y) const {
        const std::uint8_t* p = &rgba[4 * (static_cast<std::size_t>(y) * width + x)];
        return {p[0], p[1], p[2], p[3]};
    }
};

/// Throws Error(file) when the file cannot be written.
void write_png(const std::filesystem::path&, const Image&);

}  // namespace convscope::gl
