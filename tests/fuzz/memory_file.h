// A file in memory for a reader under test, which must read it or throw Error.
#pragma once

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <filesystem>
#include <stdexcept>
#include <string_view>

#include "kernels/core/error.h"

namespace convscope::testing {

/// A file in memory that has these bytes.
class MemoryFile {
public:
    explicit MemoryFile(std::string_view bytes) : descriptor_(memfd_create("fuzz", MFD_CLOEXEC)) {
        if (write(descriptor_, bytes.data(), bytes.size()) != static_cast<ssize_t>(bytes.size()))
            throw std::logic_error("no file in memory");
    }
    ~MemoryFile() { close(descriptor_); }
    MemoryFile(const MemoryFile&) = delete;
    MemoryFile& operator=(const MemoryFile&) = delete;
    std::filesystem::path path() const { return fmt::format("/proc/self/fd/{}", descriptor_); }

private:
    int descriptor_;
};

inline void require(bool holds, const char* what) {
    if (!holds) throw std::logic_error(what);
}

/// Errors are what a reader owes to bytes that it does not take.
template <class Read>
bool accepted(Read read) {
    try {
        read();
        return true;
    } catch (const Error&) {
        return false;
    }
}

}  // namespace convscope::testing
