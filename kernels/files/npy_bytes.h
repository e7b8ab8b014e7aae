// .npy files of any element type and any number of dimensions, as bytes.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "kernels/files/npy.h"

namespace convscope {

struct NpyBytes {
    std::string type;  ///< as NumPy has it, without the byte order: "f4", "i8", "u1"
    NpyShape shape;
    std::vector<std::byte> data;  ///< row-major, in this machine's byte order

    std::size_t element_bytes() const { return static_cast<std::size_t>(type[1] - '0'); }
};

/// Floats of 2, 4 and 8 bytes, integers of 1 to 8, booleans; either byte order, C or Fortran order. Throws Error(file)
/// naming the file, what was found and what is accepted; OutOfMemory.
NpyBytes read_npy_bytes(const std::filesystem::path&);
/// The same of what such a file holds; 'name' is for the sentence.
NpyBytes parse_npy_bytes(const std::filesystem::path& name, std::string bytes);
/// The bytes of its .npy file.
std::string npy_file_bytes(const NpyBytes&);
/// Replaces the file when all is written. Throws Error(file).
void write_npy_bytes(const std::filesystem::path&, const NpyBytes&);

}  // namespace convscope
