// A private folder among the system's temporary files, removed by the destructor. It is in /tmp where $TMPDIR contains
// characters that a shell would interpret.
#pragma once

#include <filesystem>

namespace convscope {

class TemporaryFolder {
public:
    /// The process's first one removes the folders of processes that were killed. Throws Error(file).
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

/// Removes the folders that no process has locked: only this user's, without access for others, and no links.
void remove_abandoned_folders();

}  // namespace convscope
