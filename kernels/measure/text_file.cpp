#include "kernels/measure/text_file.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>

#include "kernels/core/error.h"

namespace convscope {
namespace {

[[noreturn]] void fail(const std::filesystem::path& path, const char* what) {
    const int error = errno;
    throw Error(ErrorKind::file, fmt::format("'{}' cannot be {}: {}", path.string(), what,
                                             error != 0 ? std::strerror(error) : "unknown reason"));
}

void write_plain(const std::filesystem::path& path, const std::string& text) {
    std::ofstream file(path, std::ios::binary | std::ios::trunc);
    file << text;
    file.close();
    if (!file) fail(path, "written");
}

}  // namespace

std::string read_text_file(const std::filesystem::path& path) {
    errno = 0;
    if (std::error_code none; std::filesystem::is_directory(path, none)) {
        errno = EISDIR;
        fail(path, "read");
    }
    std::ifstream file(path, std::ios::binary);
    if (!file) fail(path, "read");
    std::string text{std::istreambuf_iterator<char>(file), {}};
    if (file.bad()) fail(path, "read");
    return text;
}

void require_writable(const std::filesystem::path& path) {
    errno = 0;
    const std::ofstream file(path, std::ios::binary | std::ios::app);
    if (!file) fail(path, "written");
}

void write_text_file(const std::filesystem::path& path, const std::string& text) {
    errno = 0;
    // A device or a pipe (/dev/stdout) has no neighbour to be renamed from.
    std::error_code none;
    if (std::filesystem::exists(path, none) && !std::filesystem::is_regular_file(path, none)) {
        write_plain(path, text);
        return;
    }
    std::filesystem::path partial = path;
    partial += ".partial";
    write_plain(partial, text);
    std::error_code error;
    std::filesystem::rename(partial, path, error);
    if (error) {
        errno = error.value();
        std::filesystem::remove(partial, none);
        fail(path, "written");
    }
}

}  // namespace convscope
