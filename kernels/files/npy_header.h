// The header of a .npy file: the magic string, a version, and a Python dictionary as text.
// Format: https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <istream>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

#include "kernels/core/error.h"
#include "kernels/files/npy.h"

namespace convscope {

struct NpyHeader {
    std::string descr;  ///< "<f4": byte order, kind, bytes per element
    bool fortran_order = false;
    NpyShape shape;
};

/// Parses the dictionary. Throws std::runtime_error whose text completes "the header ...".
NpyHeader parse_npy_dictionary(std::string_view text);

/// A file whose header has been read, positioned at its data.
struct NpyFile {
    std::unique_ptr<std::istream> file;
    NpyHeader header;
    std::int64_t data_bytes = 0;  ///< that follow
};

/// Describes the defect of a file that cannot be read.
struct BadNpy : std::runtime_error {
    using std::runtime_error::runtime_error;
};
/// A regular file and its size; throws BadNpy.
std::unique_ptr<std::istream> open_array_file(const std::filesystem::path&, std::int64_t& bytes);
NpyFile open_npy(const std::filesystem::path&);  ///< of version 1.0, 2.0 or 3.0; throws BadNpy
/// The same of the bytes that such a file begins with; 'size' is the file's where there are more.
NpyFile open_npy_bytes(std::string begin, std::optional<std::int64_t> size = {});
/// No header has more, with all that stands before it.
inline constexpr std::size_t max_npy_header_bytes = 12 + (1 << 16);
void require_data(const NpyFile&, std::int64_t bytes);  ///< throws BadNpy where others follow

/// Returns the result of 'read'; a BadNpy becomes an Error(file) that names the file and what is accepted.
template <class Read>
auto reading_npy(const std::filesystem::path& path, const char* accepted, Read read) {
    try {
        return read();
    } catch (const BadNpy& found) {
        throw Error(ErrorKind::file, path.string() + ": " + found.what() + "; accepted are " + accepted);
    }
}

/// Magic string, version 1.0, length and dictionary of an array in C order, padded with spaces to a multiple of 64
/// bytes and to at least 'min_bytes'.
std::string make_npy_header(const std::string& descr, const NpyShape&, std::size_t min_bytes = 0);

}  // namespace convscope
