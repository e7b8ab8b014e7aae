#include "kernels/files/file_lock.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "kernels/core/error.h"

namespace convscope {
namespace {

bool is_pipe(const std::filesystem::path& path) {
    std::error_code none;
    return std::filesystem::is_fifo(path, none);
}

}  // namespace

bool still_has_its_name(int descriptor, const std::filesystem::path& path) {
    struct stat opened {
    }, named{};
    return fstat(descriptor, &opened) == 0 && stat(path.c_str(), &named) == 0 && opened.st_dev == named.st_dev &&
           opened.st_ino == named.st_ino;
}

int open_locked(const std::filesystem::path& path, int flags, const std::filesystem::path& shown) {
    const auto fail = [&](const std::string& what) {
        throw Error(ErrorKind::file, fmt::format("'{}' {}", shown.string(), what));
    };
    for (;;) {
        // Opening a pipe for writing waits until somebody reads it, unless it is told not to.
        const bool pipe = is_pipe(path);
        const int descriptor =
            open(path.c_str(), (pipe ? (flags & ~O_ACCMODE) | O_WRONLY | O_NONBLOCK : flags) | O_CLOEXEC, 0666);
        if (descriptor < 0 && pipe && errno == ENXIO) fail("is a pipe that nobody reads");
        if (descriptor >= 0 && pipe) fcntl(descriptor, F_SETFL, flags & ~O_ACCMODE);
        if (descriptor < 0) fail(fmt::format("cannot be written: {}", std::strerror(errno)));
        // Where a file system knows no locks, a file is better written without than not at all.
        const bool taken = flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
        if (!taken && still_has_its_name(descriptor, path)) return descriptor;
        close(descriptor);
        if (taken) fail("is being written by another run of convscope");
    }
}

}  // namespace convscope
