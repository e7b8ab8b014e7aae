// A file that gets its name when it is whole.
#pragma once

#include <filesystem>

namespace convscope {

/// Takes what will be 'path' without a name in its folder, so that a run that ends early leaves nothing behind; on file
/// systems without such files, under a name that no other file has ("PATH.PID-0.partial"). A link stays a link, and
/// the file that it leads to is replaced. The new file has the old one's permissions. Errors are errno's, as
/// Error(file).
class NewFile {
public:
    /// 'path' is a regular file or none. Throws when it could not be replaced in the end.
    explicit NewFile(std::filesystem::path path);
    ~NewFile();
    NewFile(const NewFile&) = delete;
    NewFile& operator=(const NewFile&) = delete;

    /// Open for writing, owned by this object.
    int descriptor() const { return descriptor_; }
    /// What leads to the new file as long as this object lives.
    std::filesystem::path place() const;
    /// Waits until all of it is on the disk, then puts it in the place of what was there, in one step.
    void put();

private:
    std::filesystem::path target_;   ///< 'path' with its links followed
    std::filesystem::path path_;     ///< as it was given, for the sentences
    std::filesystem::path partial_;  ///< its name until put(); empty while it has none
    int descriptor_ = -1;
};

}  // namespace convscope
