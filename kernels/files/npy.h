// NumPy's .npy files: dense arrays of float read whole, arrays of float and integers written whole or row by row.
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "kernels/files/new_file.h"

namespace convscope {

using NpyShape = std::vector<std::int64_t>;

/// "3x224x224"
std::string to_string(const NpyShape&);

struct NpyArray {
    NpyShape shape;           ///< 2 to 4 sizes, each at least 1
    std::vector<float> data;  ///< row-major (C order), whatever the order in the file
};

/// Reads a float32 or float64 array of 2 to 4 dimensions, either byte order, C or Fortran order, format
/// versions 1.0 to 3.0. float64 is rounded to the nearest float. Throws Error(file) with one sentence that
/// names the file, what was found and what is accepted; OutOfMemory before allocating more than the host has.
NpyArray read_npy(const std::filesystem::path&);

/// The shape alone, after the same checks of the header and the file's size. Reads no data.
NpyShape read_npy_shape(const std::filesystem::path&);

enum class NpyType { f32, i32, i64, u32, u16, u8 };

/// Writes one array row by row, so that it never has to be in memory as a whole. A row is one step of the
/// first dimension; the number of rows need not be known before finish(). The array grows in a NewFile and takes its
/// place in finish(): what was there before stays whole until then, also when it is an input. A device is written
/// to as it is.
class NpyWriter {
public:
    /// 'row_shape' are the sizes after the first; empty for a flat array. Throws Error(file).
    NpyWriter(std::filesystem::path, NpyType, NpyShape row_shape);

    /// Appends whole rows. Throws Error(file) when the disk cannot take, std::logic_error for a part of a row or
    /// another type than the constructor's.
    void append(std::span<const float>);
    void append(std::span<const std::int32_t>);
    void append(std::span<const std::int64_t>);
    void append(std::span<const std::uint32_t>);
    void append(std::span<const std::uint16_t>);
    void append(std::span<const std::uint8_t>);

    /// Writes the final shape into the header and closes the file. Throws Error(file).
    void finish();

private:
    void append_bytes(const void* data, std::size_t elements, NpyType type);
    void write_header();

    std::filesystem::path path_;
    std::optional<NewFile> new_file_;
    NpyType type_;
    NpyShape row_shape_;
    std::int64_t row_elements_ = 1, rows_ = 0;
    std::size_t header_bytes_ = 0;
    std::ofstream file_;
};

/// Writes a whole row-major array of any number of dimensions (at least one).
template <class Element>
void write_npy(const std::filesystem::path&, std::span<const Element>, const NpyShape&);

extern template void write_npy(const std::filesystem::path&, std::span<const float>, const NpyShape&);
extern template void write_npy(const std::filesystem::path&, std::span<const std::int32_t>, const NpyShape&);
extern template void write_npy(const std::filesystem::path&, std::span<const std::int64_t>, const NpyShape&);
extern template void write_npy(const std::filesystem::path&, std::span<const std::uint32_t>, const NpyShape&);
extern template void write_npy(const std::filesystem::path&, std::span<const std::uint16_t>, const NpyShape&);
extern template void write_npy(const std::filesystem::path&, std::span<const std::uint8_t>, const NpyShape&);

}  // namespace convscope
