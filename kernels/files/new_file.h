// A file that gets its name once it is complete.
#pragma once

#include <filesystem>

namespace convscope {

/// Creates the future 'path' without a name in its folder, so that a run that ends early leaves nothing behind; on file
/// systems without such files, under a unique name ("PATH.PID-0.partial"). A link stays a link, and the file that it
/// leads to is replaced. The new file gets the old one's permissions. Throws Error(file) with errno's reason.
class NewFile {
public:
    /// 'path' is a regular file or none. Throws when it could not be replaced in the end.
    explicit NewFile(std::filesystem::path path);
    ~NewFile();
    NewFile(const NewFile&) = delete;
    NewFile& operator=(const NewFile&) = delete;

    /// Open for writing, owned by this object.
    int descriptor() const { return descriptor_; }
    /// A path to the new file, valid as long as this object lives.
    std::filesystem::path place() const;
    /// Waits until all of it is on the disk, then replaces the old file in one step.
    void put();

private:
    std::filesystem::path target_;   ///< 'path' with its links followed
    std::filesystem::path path_;     ///< as it was given, for the sentences
    std::filesystem::path partial_;  ///< its name until put(); empty while it has none
    int descriptor_ = -1;
};

}  // namespace convscope
