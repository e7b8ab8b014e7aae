// SASS, the instructions that a GPU executes, as nvdisasm of a CUDA toolkit prints them with their source lines.
#pragma once

#include <string>
#include <vector>

namespace convscope::ptx {

struct SassLine {
    struct Place {
        std::string file;
        unsigned line = 0;
    };
    std::string text;           ///< "0040  IMAD R0, R0, c[0x0][0x0], R3 ;", or a label: ".L_x_1:"
    std::vector<Place> places;  ///< that it was made of: of inlined code the innermost first, then who called it
};

/// Parses the output of 'nvdisasm -c -gi' and returns the lines of this kernel; none where it lacks this kernel.
std::vector<SassLine> read_sass(const std::string& said, const std::string& symbol);

}  // namespace convscope::ptx
