#include "kernels/files/npy_elements.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <vector>

namespace convscope {
namespace {

/// Walks row-major positions in the order of a Fortran file: the first index runs fastest.
class FortranWalk {
public:
    explicit FortranWalk(const NpyShape& shape) : shape_(shape), strides_(shape.size(), 1), index_(shape.size(), 0) {
        for (std::size_t i = shape.size(); i-- > 1;) strides_[i - 1] = strides_[i] * shape[i];
    }

    std::size_t next() {
        const std::int64_t here = position_;
        for (std::size_t i = 0; i < shape_.size(); ++i) {
            position_ += strides_[i];
            if (++index_[i] < shape_[i]) break;
            position_ -= strides_[i] * shape_[i];
            index_[i] = 0;
        }
        return static_cast<std::size_t>(here);
    }

private:
    const NpyShape& shape_;
    NpyShape strides_, index_;
    std::int64_t position_ = 0;
};

}  // namespace

std::int64_t count_elements(const NpyShape& shape) {
    if (shape.size() < 2 || shape.size() > 4) throw BadNpy(fmt::format("it has {} dimension(s)", shape.size()));
    std::int64_t elements = 1;
    for (const std::int64_t size : shape) {
        if (size == 0) throw BadNpy(fmt::format("its shape {} has no elements", to_string(shape)));
        if (size > std::numeric_limits<std::int32_t>::max() / elements)
            throw BadNpy(fmt::format("its shape {} has more than 2^31 - 1 elements", to_string(shape)));
        elements *= size;
    }
    return elements;
}

void read_elements(NpyFile& npy, const std::function<void(std::size_t, const char*)>& take) {
    constexpr std::size_t elements_at_once = 1 << 16;
    const NpyHeader& header = npy.header;
    const auto bytes = static_cast<std::size_t>(header.descr[2] - '0');
    const bool swapped = header.descr[0] == (std::endian::native == std::endian::little ? '>' : '<');
    const bool walks = header.fortran_order && header.shape.size() > 1;
    std::size_t elements = 1;
    for (const std::int64_t size : header.shape) elements *= static_cast<std::size_t>(size);
    FortranWalk walk(header.shape);
    std::vector<char> chunk(bytes * std::min(elements, elements_at_once));
    for (std::size_t done = 0; done < elements;) {
        const std::size_t count = std::min(elements_at_once, elements - done);
        if (!npy.file->read(chunk.data(), static_cast<std::streamsize>(count * bytes)))
            throw BadNpy("it cannot be read to its end");
        for (std::size_t i = 0; i < count; ++i) {
            char* const element = chunk.data() + i * bytes;
            if (swapped) std::reverse(element, element + bytes);
            take(walks ? walk.next() : done + i, element);
        }
        done += count;
    }
}

}  // namespace convscope
