#include "kernels/files/text_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "kernels/core/error.h"
#include "kernels/files/new_file.h"

namespace convscope {
namespace {

[[noreturn]] void fail(const std::filesystem::path& path, const char* what) {
    const int error = errno;
    fail_on_file(path, fmt::format("cannot be {}: {}", what, error != 0 ? std::strerror(error) : "unknown reason"));
}

class Descriptor {
public:
    explicit Descriptor(int number) : number_(number) {}
    ~Descriptor() {
        if (number_ >= 0) close(number_);
    }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    int number() const { return number_; }

private:
    int number_;
};

/// Opening a pipe waits for its other end, unless it is told not to; reading and writing then wait as for any file.
int open_at_once(const std::filesystem::path& path, int flags) {
    const int descriptor = open(path.c_str(), flags | O_NONBLOCK | O_CLOEXEC);
    if (descriptor >= 0) fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) & ~O_NONBLOCK);
    return descriptor;
}

void write_special(const std::filesystem::path& path, const std::string& text) {
    const Descriptor file(open_at_once(path, O_WRONLY));
    if (file.number() < 0 && errno == ENXIO) fail_on_file(path, "is a pipe that nobody reads");
    if (file.number() < 0) fail(path, "written");
    write_all(path, file.number(), text);
}

std::string mebibytes(std::size_t bytes) {
    return fmt::format("{} MiB", bytes >> 20);
}

}  // namespace

void fail_on_file(const std::filesystem::path& path, const std::string& what) {
    throw Error(ErrorKind::file, fmt::format("'{}' {}", path.string(), what));
}

void write_all(const std::filesystem::path& path, int descriptor, const std::string& text) {
    std::size_t written = 0;
    while (written < text.size()) {
        const ssize_t count = write(descriptor, text.data() + written, text.size() - written);
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) fail(path, "written");
        written += static_cast<std::size_t>(count);
    }
}

void fail_on_write(const std::filesystem::path& path) {
    fail(path, "written");
}

bool is_special_file(const std::filesystem::path& path) {
    std::error_code none;
    const auto status = std::filesystem::status(path, none);
    return std::filesystem::exists(status) && !std::filesystem::is_regular_file(status) &&
           !std::filesystem::is_directory(status);
}

std::string read_text_file(const std::filesystem::path& path, std::size_t max_bytes) {
    constexpr std::size_t max_stream_bytes = std::size_t{64} << 20, chunk = std::size_t{1} << 16;
    errno = 0;
    const Descriptor file(open_at_once(path, O_RDONLY));
    struct stat status {};
    if (file.number() < 0 || fstat(file.number(), &status) != 0) fail(path, "read");
    if (S_ISDIR(status.st_mode)) errno = EISDIR;
    if (S_ISDIR(status.st_mode)) fail(path, "read");
    const bool regular = S_ISREG(status.st_mode);
    const std::size_t most = regular ? max_bytes : std::min(max_bytes, max_stream_bytes);
    const auto too_large = [&] {
        fail_on_file(path, fmt::format("is larger than the {} that are read", mebibytes(most)));
    };
    if (regular && static_cast<std::size_t>(status.st_size) > most) too_large();
    std::string text;
    if (regular) text.reserve(static_cast<std::size_t>(status.st_size));
    while (true) {
        const std::size_t before = text.size();
        text.resize(before + chunk);
        const ssize_t count = read(file.number(), text.data() + before, chunk);
        text.resize(before + static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) fail(path, "read");
        if (count == 0) break;
        if (text.size() > most) too_large();
    }
    if (text.empty() && S_ISFIFO(status.st_mode)) fail_on_file(path, "is a pipe that nobody writes to");
    return text;
}

void require_writable(const std::filesystem::path& path) {
    // A pipe that is opened and closed again is at its end for whoever reads it.
    if (!is_special_file(path))
        NewFile unused(path);
    else if (access(path.c_str(), W_OK) != 0)
        fail(path, "written");
}

void write_text_file(const std::filesystem::path& path, const std::string& text) {
    if (is_special_file(path)) return write_special(path, text);
    NewFile file(path);
    write_all(path, file.descriptor(), text);
    file.put();
}

}  // namespace convscope
