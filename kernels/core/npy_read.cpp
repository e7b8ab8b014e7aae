#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <limits>

#include "kernels/core/host_memory.h"
#include "kernels/core/npy.h"
#include "kernels/core/npy_header.h"

namespace convscope {
namespace {

constexpr const char* accepted_floats = "float32 and float64 .npy arrays of 2 to 4 dimensions";

struct Floats : NpyFile {
    std::int64_t elements = 1;
    std::size_t element_bytes = 4;
    bool swapped = false;  ///< bytes are in the other order than this machine's
};

void check_type(Floats& npy) {
    const std::string& descr = npy.header.descr;
    if (descr == "|O") throw BadNpy("it holds Python objects");
    const bool is_float = descr.size() == 3 && descr[1] == 'f' && (descr[2] == '4' || descr[2] == '8');
    if (!is_float || std::string_view("<>=").find(descr[0]) == std::string_view::npos)
        throw BadNpy(fmt::format("its elements are of type '{}'", descr));
    npy.element_bytes = descr[2] == '4' ? 4 : 8;
    npy.swapped = descr[0] == (std::endian::native == std::endian::little ? '>' : '<');
}

void check_shape(Floats& npy) {
    const NpyShape& shape = npy.header.shape;
    if (shape.size() < 2 || shape.size() > 4) throw BadNpy(fmt::format("it has {} dimension(s)", shape.size()));
    for (std::int64_t size : shape) {
        if (size == 0) throw BadNpy(fmt::format("its shape {} has no elements", to_string(shape)));
        if (size > std::numeric_limits<std::int32_t>::max() / npy.elements)
            throw BadNpy(fmt::format("its shape {} has more than 2^31 - 1 elements", to_string(shape)));
        npy.elements *= size;
    }
}

Floats open_floats(const std::filesystem::path& path) {
    Floats npy{open_npy(path)};
    check_type(npy);
    check_shape(npy);
    require_data(npy, npy.elements * static_cast<std::int64_t>(npy.element_bytes));
    return npy;
}

/// One element in the file's form, as a float.
float decode(const char* bytes, const Floats& npy) {
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

NpyArray read_floats(const std::filesystem::path& path) {
    Floats npy = open_floats(path);
    require_host_memory(4.0 * static_cast<double>(npy.elements), path.string());
    NpyArray array{npy.header.shape, std::vector<float>(static_cast<std::size_t>(npy.elements))};
    FortranWalk walk(array.shape);
    std::vector<char> chunk(npy.element_bytes << 16);
    for (std::int64_t done = 0; done < npy.elements;) {
        const std::int64_t count = std::min<std::int64_t>(1 << 16, npy.elements - done);
        if (!npy.file.read(chunk.data(), count * static_cast<std::int64_t>(npy.element_bytes)))
            throw BadNpy("it cannot be read to its end");
        for (std::int64_t i = 0; i < count; ++i) {
            const std::int64_t place = npy.header.fortran_order ? walk.next() : done + i;
            array.data[static_cast<std::size_t>(place)] =
                decode(chunk.data() + static_cast<std::size_t>(i) * npy.element_bytes, npy);
        }
        done += count;
    }
    return array;
}

}  // namespace

std::string to_string(const NpyShape& shape) {
    std::string text;
    for (std::int64_t size : shape) text += fmt::format("{}{}", text.empty() ? "" : "x", size);
    return text;
}

NpyShape read_npy_shape(const std::filesystem::path& path) {
    return reading_npy(path, accepted_floats, [&] { return open_floats(path).header.shape; });
}

NpyArray read_npy(const std::filesystem::path& path) {
    return reading_npy(path, accepted_floats, [&] { return read_floats(path); });
}

}  // namespace convscope
