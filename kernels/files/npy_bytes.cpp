#include "kernels/files/npy_bytes.h"

#include <fmt/format.h>

#include <cstring>
#include <string_view>
#include <utility>

#include "kernels/core/host_memory.h"
#include "kernels/files/npy_elements.h"
#include "kernels/files/text_file.h"

namespace convscope {
namespace {

constexpr std::int64_t max_array_elements = std::int64_t{1} << 40;
constexpr const char* accepted_arrays = ".npy arrays of float16 to float64, int8 to int64, uint8 to uint64 or bool";

bool is_number(const std::string& descr) {
    // A file's text may hold a zero, which strchr would find in each of these.
    if (descr.size() != 3 || std::string_view("<>=|").find(descr[0]) == std::string_view::npos) return false;
    const std::string_view sizes = descr[1] == 'f'                      ? "248"
                                   : descr[1] == 'i' || descr[1] == 'u' ? "1248"
                                   : descr[1] == 'b'                    ? "1"
                                                                        : "";
    return sizes.find(descr[2]) != std::string_view::npos;
}

NpyBytes read_bytes(const std::filesystem::path& path, NpyFile npy) {
    const NpyHeader& header = npy.header;
    if (!is_number(header.descr)) throw BadNpy(fmt::format("its elements are of type '{}'", header.descr));
    NpyBytes array{header.descr.substr(1), header.shape, {}};
    std::int64_t elements = 1;
    for (const std::int64_t size : header.shape) {
        if (size > 0 && elements > max_array_elements / size)
            throw BadNpy(fmt::format("its shape is {}", to_string(header.shape)));
        elements *= size;
    }
    const std::size_t wanted = static_cast<std::size_t>(elements) * array.element_bytes();
    require_data(npy, static_cast<std::int64_t>(wanted));
    require_host_memory(static_cast<double>(wanted), path.string());
    array.data.resize(wanted);
    const std::size_t bytes = array.element_bytes();
    read_elements(npy, [&](std::size_t place, const char* element) {
        std::memcpy(array.data.data() + place * bytes, element, bytes);
    });
    return array;
}

}  // namespace

NpyBytes read_npy_bytes(const std::filesystem::path& path) {
    return reading_npy(path, accepted_arrays, [&] { return read_bytes(path, open_npy(path)); });
}

NpyBytes parse_npy_bytes(const std::filesystem::path& name, std::string bytes) {
    return reading_npy(name, accepted_arrays, [&] { return read_bytes(name, open_npy_bytes(std::move(bytes))); });
}

std::string npy_file_bytes(const NpyBytes& array) {
    std::string bytes = make_npy_header((array.element_bytes() == 1 ? "|" : "<") + array.type, array.shape);
    bytes.append(reinterpret_cast<const char*>(array.data.data()), array.data.size());
    return bytes;
}

void write_npy_bytes(const std::filesystem::path& path, const NpyBytes& array) {
    write_text_file(path, npy_file_bytes(array));
}

}  // namespace convscope
