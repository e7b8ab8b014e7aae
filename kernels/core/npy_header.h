// The header of a .npy file: the magic string, a version, and a Python dictionary as text.
// Format: https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "kernels/core/npy.h"

namespace convscope {

struct NpyHeader {
    std::string descr;  ///< "<f4": byte order, kind, bytes per element
    bool fortran_order = false;
    NpyShape shape;
};

/// Parses the dictionary. Throws std::runtime_error whose text completes "the header ...".
NpyHeader parse_npy_dictionary(std::string_view text);

/// Magic string, version 1.0, length and dictionary, padded with spaces to a multiple of 64 bytes and to at least
/// 'least_bytes'.
std::string make_npy_header(const NpyHeader&, std::size_t min_bytes = 0);

}  // namespace convscope
