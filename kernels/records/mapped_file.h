// A file's bytes, mapped into memory for reading.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string_view>

namespace convscope {

class MappedFile {
public:
    /// Throws Error(file) naming the file and the system's reason.
    explicit MappedFile(const std::filesystem::path&);
    ~MappedFile();
    MappedFile(const MappedFile&) = delete;
    MappedFile& operator=(const MappedFile&) = delete;

    /// Valid as long as this object. Must not be read after another program has truncated the file.
    std::string_view text() const { return {data_, size_}; }

private:
    const char* data_ = nullptr;
    std::size_t size_ = 0;
};

}  // namespace convscope
