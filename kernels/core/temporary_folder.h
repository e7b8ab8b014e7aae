// A folder of this user alone among the system's temporary files, which goes when it is left. In /tmp where $TMPDIR has
// letters in its name that a shell could take for more than a name.
#pragma once

#include <filesystem>

namespace convscope {

class TemporaryFolder {
public:
    /// The first of a process removes those of processes that were killed. Throws Error(file).
    TemporaryFolder();
    ~TemporaryFolder();
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;

    operator const std::filesystem::path&() const { return path_; }
    std::filesystem::path operator/(const char* name) const { return path_ / name; }

private:
    std::filesystem::path path_;
    int lock_ = -1;  ///< held as long as the process lives, whatever ends it
};

/// Those that no process has locked: folders of this user and of nobody else's access, no links.
void remove_abandoned_folders();

}  // namespace convscope
