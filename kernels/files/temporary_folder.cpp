#include "kernels/files/temporary_folder.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstring>

#include "kernels/files/file_lock.h"
#include "kernels/files/user_folders.h"

namespace convscope {
namespace {

constexpr const char* prefix = "convscope-run-";

/// The root in plain letters: nvcc puts the folder that it runs in on the command line of a shell.
std::filesystem::path plain_root() {
    std::error_code problem;
    const std::filesystem::path root = std::filesystem::canonical(temporary_root(), problem);
    const auto plain = [](unsigned char c) { return std::isalnum(c) != 0 || std::strchr("/._-+", c) || c >= 0x80; };
    return !problem && std::ranges::all_of(root.native(), plain) ? root : "/tmp";
}

int open_folder(const std::filesystem::path& path) {
    return open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

void remove_if_abandoned(const std::filesystem::path& path) {
    const int folder = open_folder(path);
    struct stat found {};
    std::error_code ignored;
    if (folder >= 0 && fstat(folder, &found) == 0 && found.st_uid == geteuid() && (found.st_mode & 07777) == 0700 &&
        flock(folder, LOCK_EX | LOCK_NB) == 0)
        std::filesystem::remove_all(path, ignored);
    if (folder >= 0) close(folder);
}

}  // namespace

void remove_abandoned_folders() {
    std::error_code problem;
    auto entry = std::filesystem::directory_iterator(plain_root(), problem);
    for (; !problem && entry != std::filesystem::directory_iterator(); entry.increment(problem))
        if (entry->path().filename().string().starts_with(prefix)) remove_if_abandoned(entry->path());
}

TemporaryFolder::TemporaryFolder() {
    [[maybe_unused]] static const bool removed = (remove_abandoned_folders(), true);
    const auto is_there = [this] {
        std::error_code none;
        return lock_ >= 0 ? still_has_its_name(lock_, path_) : std::filesystem::exists(path_, none);
    };
    do {  // once more where another process took it for abandoned before it was locked
        if (lock_ >= 0) close(lock_);
        path_ = make_temporary_folder(prefix, plain_root());
        lock_ = open_folder(path_);
        if (lock_ >= 0) flock(lock_, LOCK_EX);
    } while (!is_there());
}

TemporaryFolder::~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
    if (lock_ >= 0) close(lock_);
}

}  // namespace convscope
