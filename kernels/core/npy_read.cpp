#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <cstring>
#include <limits>
#include <stdexcept>

#include "kernels/core/error.h"
#include "kernels/core/host_memory.h"
#include "kernels/core/npy.h"
#include "kernels/core/npy_header.h"

namespace convscope {
namespace {

constexpr const char* accepted = "accepted are float32 and float64 .npy arrays of 2 to 4 dimensions";

[[noreturn]] void reject(const std::filesystem::path& path, const std::string& found) {
    throw Error(ErrorKind::file, fmt::format("{}: {}; {}", path.string(), found, accepted));
}

/// A file whose header has been read and checked, positioned at its data.
struct OpenNpy {
    std::ifstream file;
    NpyHeader header;
    std::int64_t elements = 1;
    std::size_t element_bytes = 4;
    bool swapped = false;  ///< bytes are in the other order than this machine's
};

std::ifstream open_regular_file(const std::filesystem::path& path, std::int64_t& bytes) {
    std::error_code error;
    const auto status = std::filesystem::status(path, error);
    if (!std::filesystem::exists(status)) reject(path, "there is no such file");
    if (!std::filesystem::is_regular_file(status)) reject(path, "it is not a regular file");
    bytes = static_cast<std::int64_t>(std::filesystem::file_size(path, error));
    errno = 0;
    std::ifstream file(path, std::ios::binary);
    if (!file) reject(path, fmt::format("it cannot be opened ({})", std::strerror(errno)));
    return file;
}

/// Reads magic, version and length; returns the dictionary's text and leaves the file at its data.
std::string read_dictionary(std::ifstream& file, std::int64_t file_bytes, const std::filesystem::path& path) {
    std::array<unsigned char, 8> head{};
    file.read(reinterpret_cast<char*>(head.data()), head.size());
    if (std::memcmp(head.data(), "\x93NUMPY", std::min<std::size_t>(6, static_cast<std::size_t>(file.gcount()))) != 0)
        reject(path, "it is no .npy file (its first bytes are not \\x93NUMPY)");
    if (file.gcount() < 8) reject(path, "it ends inside its header");
    const int major = head[6], minor = head[7];
    if (major < 1 || major > 3 || minor != 0)
        reject(path, fmt::format("its format version is {}.{}, not 1.0, 2.0 or 3.0", major, minor));

    std::array<unsigned char, 4> length_bytes{};
    file.read(reinterpret_cast<char*>(length_bytes.data()), major == 1 ? 2 : 4);
    std::int64_t length = 0;
    for (int i = 3; i >= 0; --i) length = length << 8 | length_bytes[static_cast<std::size_t>(i)];
    if (!file || length > file_bytes - file.tellg()) reject(path, "it ends inside its header");
    constexpr std::int64_t max_header = 1 << 16;  // NumPy itself reads 10,000 bytes
    if (length > max_header) reject(path, fmt::format("its header has {} bytes, more than {}", length, max_header));
    std::string text(static_cast<std::size_t>(length), '\0');
    if (!file.read(text.data(), length)) reject(path, "it ends inside its header");
    return text;
}

void check_type(OpenNpy& npy, const std::filesystem::path& path) {
    const std::string& descr = npy.header.descr;
    if (descr == "|O") reject(path, "it holds Python objects");
    const bool is_float = descr.size() == 3 && descr[1] == 'f' && (descr[2] == '4' || descr[2] == '8');
    if (!is_float || std::string_view("<>=").find(descr[0]) == std::string_view::npos)
        reject(path, fmt::format("its elements are of type '{}'", descr));
    npy.element_bytes = descr[2] == '4' ? 4 : 8;
    npy.swapped = descr[0] == (std::endian::native == std::endian::little ? '>' : '<');
}

void check_shape(OpenNpy& npy, const std::filesystem::path& path) {
    const NpyShape& shape = npy.header.shape;
    if (shape.size() < 2 || shape.size() > 4) reject(path, fmt::format("it has {} dimension(s)", shape.size()));
    for (std::int64_t size : shape) {
        if (size == 0) reject(path, fmt::format("its shape {} has no elements", to_string(shape)));
        if (size > std::numeric_limits<std::int32_t>::max() / npy.elements)
            reject(path, fmt::format("its shape {} has more than 2^31 - 1 elements", to_string(shape)));
        npy.elements *= size;
    }
}

OpenNpy open_npy(const std::filesystem::path& path) {
    OpenNpy npy;
    std::int64_t file_bytes = 0;
    npy.file = open_regular_file(path, file_bytes);
    const std::string text = read_dictionary(npy.file, file_bytes, path);
    try {
        npy.header = parse_npy_dictionary(text);
    } catch (const std::runtime_error& error) {
        reject(path, std::string("its header ") + error.what());
    }
    check_type(npy, path);
    check_shape(npy, path);
    const std::int64_t wanted = npy.elements * static_cast<std::int64_t>(npy.element_bytes);
    const std::int64_t there = file_bytes - npy.file.tellg();
    if (there != wanted)
        reject(path, fmt::format("{} bytes of data follow its header, where its shape {} takes {}", there,
                                 to_string(npy.header.shape), wanted));
    return npy;
}

/// One element in the file's form, as a float.
float decode(const char* bytes, const OpenNpy& npy) {
    std::array<char, 8> copy{};
    std::memcpy(copy.data(), bytes, npy.element_bytes);
    if (npy.swapped) std::reverse(copy.begin(), copy.begin() + static_cast<std::ptrdiff_t>(npy.element_bytes));
    if (npy.element_bytes == 4) {
        float value;
        std::memcpy(&value, copy.data(), 4);
        return value;
    }
    double value;
    std::memcpy(&value, copy.data(), 8);
    return static_cast<float>(value);
}

/// Walks row-major positions in the order of a Fortran file: the first index runs fastest.
class FortranWalk {
public:
    explicit FortranWalk(const NpyShape& shape) : shape_(shape), strides_(shape.size(), 1), index_(shape.size(), 0) {
        for (std::size_t i = shape.size() - 1; i-- > 0;) strides_[i] = strides_[i + 1] * shape[i + 1];
    }

    std::int64_t next() {
        const std::int64_t here = position_;
        for (std::size_t i = 0; i < shape_.size(); ++i) {
            position_ += strides_[i];
            if (++index_[i] < shape_[i]) break;
            position_ -= strides_[i] * shape_[i];
            index_[i] = 0;
        }
        return here;
    }

private:
    const NpyShape& shape_;
    NpyShape strides_, index_;
    std::int64_t position_ = 0;
};

}  // namespace

std::string to_string(const NpyShape& shape) {
    std::string text;
    for (std::int64_t size : shape) text += fmt::format("{}{}", text.empty() ? "" : "x", size);
    return text;
}

NpyShape read_npy_shape(const std::filesystem::path& path) {
    return open_npy(path).header.shape;
}

NpyArray read_npy(const std::filesystem::path& path) {
    OpenNpy npy = open_npy(path);
    require_host_memory(4.0 * static_cast<double>(npy.elements), path.string());
    NpyArray array{npy.header.shape, std::vector<float>(static_cast<std::size_t>(npy.elements))};
    FortranWalk walk(array.shape);
    std::vector<char> chunk(npy.element_bytes << 16);
    for (std::int64_t done = 0; done < npy.elements;) {
        const std::int64_t count = std::min<std::int64_t>(1 << 16, npy.elements - done);
        if (!npy.file.read(chunk.data(), count * static_cast<std::int64_t>(npy.element_bytes)))
            reject(path, "it could not be read to its end");
        for (std::int64_t i = 0; i < count; ++i) {
            const std::int64_t place = npy.header.fortran_order ? walk.next() : done + i;
            array.data[static_cast<std::size_t>(place)] =
                decode(chunk.data() + static_cast<std::size_t>(i) * npy.element_bytes, npy);
        }
        done += count;
    }
    return array;
}

}  // namespace convscope
