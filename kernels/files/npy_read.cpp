#include <fmt/format.h>

#include <cstring>

#include "kernels/core/host_memory.h"
#include "kernels/files/npy.h"
#include "kernels/files/npy_elements.h"
#include "kernels/files/npy_header.h"

namespace convscope {
namespace {

constexpr const char* accepted_floats = "float32 and float64 .npy arrays of 2 to 4 dimensions";

}  // namespace

void require_floats(const NpyFile& npy) {
    const std::string& descr = npy.header.descr;
    if (descr == "|O") throw BadNpy("it holds Python objects");
    const bool is_float = descr.size() == 3 && descr[1] == 'f' && (descr[2] == '4' || descr[2] == '8');
    if (!is_float || std::string_view("<>=").find(descr[0]) == std::string_view::npos)
        throw BadNpy(fmt::format("its elements are of type '{}'", descr));
    require_data(npy, count_elements(npy.header.shape) * (descr[2] - '0'));
}

NpyArray read_floats(NpyFile npy, const std::filesystem::path& name) {
    require_floats(npy);
    const auto elements = static_cast<std::size_t>(count_elements(npy.header.shape));
    require_host_memory(4.0 * static_cast<double>(elements), name.string());
    NpyArray array{npy.header.shape, std::vector<float>(elements)};
    const bool narrow = npy.header.descr[2] == '4';
    read_elements(npy, [&](std::size_t place, const char* bytes) {
        if (narrow) {
            std::memcpy(&array.data[place], bytes, sizeof(float));
            return;
        }
        double value;
        std::memcpy(&value, bytes, sizeof value);
        if (exceeds_float(value)) throw BadNpy(fmt::format("its element {} is beyond the range of float32", value));
        array.data[place] = static_cast<float>(value);
    });
    return array;
}

std::string to_string(const NpyShape& shape) {
    std::string text;
    for (std::int64_t size : shape) text += fmt::format("{}{}", text.empty() ? "" : "x", size);
    return text;
}

NpyShape read_npy_shape(const std::filesystem::path& path) {
    return reading_npy(path, accepted_floats, [&] {
        const NpyFile npy = open_npy(path);
        require_floats(npy);
        return npy.header.shape;
    });
}

NpyArray read_npy(const std::filesystem::path& path) {
    return reading_npy(path, accepted_floats, [&] { return read_floats(open_npy(path), path); });
}

}  // namespace convscope
