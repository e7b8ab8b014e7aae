#include "kernels/files/new_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>

#include "kernels/files/text_file.h"

namespace convscope {
namespace {

constexpr int max_names = 10000;

/// Where a chain of links leads, also when nothing is there yet.
std::filesystem::path follow_links(std::filesystem::path path) {
    std::error_code problem;
    constexpr int max_links = 40;  // as the kernel follows
    for (int i = 0; i < max_links && std::filesystem::is_symlink(path, problem); ++i) {
        const std::filesystem::path link = std::filesystem::read_symlink(path, problem);
        if (problem) break;
        path = path.parent_path() / link;
    }
    return path;
}

std::filesystem::path folder_of(const std::filesystem::path& path) {
    return path.has_parent_path() ? path.parent_path() : ".";
}

/// The i-th of the names that a new file may have until it is whole. Made before the file has it: memory may run out.
std::filesystem::path partial_name(const std::filesystem::path& target, int i) {
    return fmt::format("{}.{}-{}.partial", target.string(), getpid(), i);
}

int open_unnamed(const std::filesystem::path& folder) {
    return open(folder.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
}

std::string own_place(int descriptor) {
    return fmt::format("/proc/self/fd/{}", descriptor);
}

/// Whether an unnamed file can get a name later. Without /proc it could not.
bool has_place(int descriptor) {
    return access(own_place(descriptor).c_str(), F_OK) == 0;
}

int open_named(const std::filesystem::path& target, std::filesystem::path& partial) {
    for (int i = 0; i < max_names; ++i) {
        std::filesystem::path name = partial_name(target, i);
        const int descriptor = open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (descriptor >= 0) partial = std::move(name);
        if (descriptor >= 0 || errno != EEXIST) return descriptor;
    }
    return -1;
}

/// Gives an unnamed file a name that no other file has; none when it cannot.
void name_it(int descriptor, const std::filesystem::path& target, std::filesystem::path& partial) {
    const std::string place = own_place(descriptor);
    for (int i = 0; i < max_names; ++i) {
        std::filesystem::path name = partial_name(target, i);
        if (linkat(AT_FDCWD, place.c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) == 0) {
            partial = std::move(name);
            return;
        }
        if (errno != EEXIST) return;
    }
}

}  // namespace

NewFile::NewFile(std::filesystem::path path) : target_(follow_links(path)), path_(std::move(path)) {
    struct stat there {};
    const bool replaces = stat(target_.c_str(), &there) == 0;
    if (replaces && S_ISDIR(there.st_mode)) errno = EISDIR;
    if (replaces && (S_ISDIR(there.st_mode) || access(target_.c_str(), W_OK) != 0)) fail_on_write(path_);
    errno = 0;
    descriptor_ = open_unnamed(folder_of(target_));
    if (descriptor_ >= 0 && !has_place(descriptor_)) {
        close(descriptor_);
        descriptor_ = -1;
    }
    if (descriptor_ < 0) descriptor_ = open_named(target_, partial_);
    if (descriptor_ < 0) fail_on_write(path_);
    // Another user's file stays that user's where this one may give it away.
    const bool given = replaces && fchown(descriptor_, there.st_uid, there.st_gid) == 0;
    if (replaces) fchmod(descriptor_, there.st_mode & (given ? 07777 : 0777));
}

NewFile::~NewFile() {
    if (!partial_.empty()) unlink(partial_.c_str());
    close(descriptor_);
}

std::filesystem::path NewFile::place() const {
    return partial_.empty() ? std::filesystem::path(own_place(descriptor_)) : partial_;
}

void NewFile::put() {
    if (fsync(descriptor_) != 0) fail_on_write(path_);
    if (partial_.empty()) name_it(descriptor_, target_, partial_);
    if (partial_.empty() || std::rename(partial_.c_str(), target_.c_str()) != 0) fail_on_write(path_);
    partial_.clear();
}

}  // namespace convscope
