#include "app/program/launch_memory.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "kernels/core/error.h"

namespace convscope::app {

LaunchMemory::LaunchMemory() : descriptor_(memfd_create("launches", MFD_CLOEXEC | MFD_ALLOW_SEALING)) {
    void* memory = MAP_FAILED;
    if (descriptor_ >= 0 && ftruncate(descriptor_, static_cast<off_t>(size)) == 0 &&
        fcntl(descriptor_, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) == 0)
        memory = mmap(nullptr, size, PROT_READ, MAP_SHARED, descriptor_, 0);
    if (memory == MAP_FAILED) {
        const int why = errno;
        if (descriptor_ >= 0) close(descriptor_);
        throw Error(ErrorKind::failed, fmt::format("there is no memory to keep launches in: {}", std::strerror(why)));
    }
    bytes_ = static_cast<const std::byte*>(memory);
}

LaunchMemory::~LaunchMemory() {
    munmap(const_cast<std::byte*>(bytes_), size);
    close(descriptor_);
}

}  // namespace convscope::app
