#include "kernels/core/npy_bytes.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <stdexcept>

#include "kernels/core/error.h"
#include "kernels/core/host_memory.h"
#include "kernels/core/npy_header.h"
#include "kernels/core/text_file.h"

namespace convscope {
namespace {

constexpr std::int64_t max_array_elements = std::int64_t{1} << 40;
constexpr std::size_t max_header_bytes = 65536;

[[noreturn]] void fail_to_read(const std::filesystem::path& path, const std::string& found) {
    throw Error(ErrorKind::file,
                fmt::format("{}: {}; accepted are .npy arrays of numbers in C order", path.string(), found));
}

bool is_number(const std::string& descr) {
    if (descr.size() != 3 || std::strchr("<=|", descr[0]) == nullptr) return false;
    const char* sizes = descr[1] == 'f'                      ? "248"
                        : descr[1] == 'i' || descr[1] == 'u' ? "1248"
                        : descr[1] == 'b'                    ? "1"
                                                             : "";
    return std::strchr(sizes, descr[2]) != nullptr;
}

}  // namespace

NpyBytes read_npy_bytes(const std::filesystem::path& path) {
    std::error_code unknown;
    if (std::filesystem::exists(path, unknown) && !std::filesystem::is_regular_file(path, unknown))
        fail_to_read(path, "it is not a regular file");
    errno = 0;
    std::ifstream file(path, std::ios::binary);
    if (!file) fail_to_read(path, fmt::format("it cannot be opened ({})", std::strerror(errno)));
    char head[8] = {};
    unsigned char length[4] = {};
    file.read(head, sizeof head);
    if (!file || std::memcmp(head, "\x93NUMPY", 6) != 0) fail_to_read(path, "it is not a .npy file");
    file.read(reinterpret_cast<char*>(length), head[6] == 1 ? 2 : 4);
    const std::size_t bytes = length[0] | length[1] << 8 | length[2] << 16;
    if (bytes > max_header_bytes || length[3] != 0)
        fail_to_read(path, fmt::format("its header has more than {} bytes", max_header_bytes));
    std::string text(bytes, ' ');
    if (!file.read(text.data(), static_cast<std::streamsize>(bytes))) fail_to_read(path, "it ends inside its header");
    NpyHeader header;
    try {
        header = parse_npy_dictionary(text);
    } catch (const std::runtime_error& error) {
        fail_to_read(path, std::string("its header ") + error.what());
    }
    if (!is_number(header.descr)) fail_to_read(path, fmt::format("its elements are of type '{}'", header.descr));
    if (header.fortran_order && header.shape.size() > 1) fail_to_read(path, "it is in Fortran order");
    NpyBytes array{header.descr.substr(1), header.shape, {}};
    std::int64_t elements = 1;
    for (const std::int64_t size : header.shape) {
        if (size < 0 || (size > 0 && elements > max_array_elements / size))
            fail_to_read(path, fmt::format("its shape is {}", to_string(header.shape)));
        elements *= size;
    }
    const std::size_t wanted = static_cast<std::size_t>(elements) * array.element_bytes();
    const auto begin = static_cast<std::uintmax_t>(file.tellg());
    const std::uintmax_t there = std::filesystem::file_size(path, unknown);
    if (unknown || there != begin + wanted)
        fail_to_read(path, fmt::format("{} bytes follow its header, where its shape {} takes {}", there - begin,
                                       to_string(header.shape), wanted));
    require_host_memory(static_cast<double>(wanted), path.string());
    array.data.resize(wanted);
    if (!file.read(reinterpret_cast<char*>(array.data.data()), static_cast<std::streamsize>(wanted)) && wanted > 0)
        fail_to_read(path, "it cannot be read to its end");
    return array;
}

void write_npy_bytes(const std::filesystem::path& path, const NpyBytes& array) {
    std::string bytes = make_npy_header({(array.element_bytes() == 1 ? "|" : "<") + array.type, false, array.shape});
    bytes.append(reinterpret_cast<const char*>(array.data.data()), array.data.size());
    write_text_file(path, bytes);
}

}  // namespace convscope
