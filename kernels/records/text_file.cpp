#include "kernels/records/text_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>

#include "kernels/core/error.h"
#include "kernels/records/file_lock.h"

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

/// Writes all of it and waits until it is on the disk, so that a name given to it afterwards never shows less.
void write_through(const std::filesystem::path& path, int descriptor, const std::string& text) {
    if (ftruncate(descriptor, 0) != 0) fail(path, "written");
    std::size_t written = 0;
    while (written < text.size()) {
        const ssize_t count = write(descriptor, text.data() + written, text.size() - written);
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) fail(path, "written");
        written += static_cast<std::size_t>(count);
    }
    if (fsync(descriptor) != 0) fail(path, "written");
}

}  // namespace

void fail_on_file(const std::filesystem::path& path, const std::string& what) {
    throw Error(ErrorKind::file, fmt::format("'{}' {}", path.string(), what));
}

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
    const int descriptor = open_locked(partial, O_WRONLY | O_CREAT, path);
    try {
        write_through(path, descriptor, text);
        if (std::rename(partial.c_str(), path.c_str()) != 0) fail(path, "written");
    } catch (...) {
        std::filesystem::remove(partial, none);
        close(descriptor);
        throw;
    }
    close(descriptor);
}

}  // namespace convscope
