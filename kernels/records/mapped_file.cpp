#include "kernels/records/mapped_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "kernels/core/error.h"

namespace convscope {

MappedFile::MappedFile(const std::filesystem::path& path) {
    const auto fail = [&path](const char* reason) {
        throw Error(ErrorKind::file, fmt::format("'{}' cannot be read: {}", path.string(), reason));
    };
    const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (descriptor < 0) fail(std::strerror(errno));
    struct stat status {};
    void* data = nullptr;
    const char* problem = nullptr;
    if (fstat(descriptor, &status) != 0)
        problem = std::strerror(errno);
    else if (!S_ISREG(status.st_mode))
        problem = S_ISDIR(status.st_mode) ? "it is a folder" : "it is not a regular file";
    else if (status.st_size > 0)
        data = mmap(nullptr, static_cast<std::size_t>(status.st_size), PROT_READ, MAP_PRIVATE, descriptor, 0);
    if (data == MAP_FAILED) problem = std::strerror(errno);
    close(descriptor);
    if (problem) fail(problem);
    data_ = static_cast<const char*>(data);
    size_ = static_cast<std::size_t>(status.st_size);
}

MappedFile::~MappedFile() {
    if (data_) munmap(const_cast<char*>(data_), size_);
}

}  // namespace convscope
