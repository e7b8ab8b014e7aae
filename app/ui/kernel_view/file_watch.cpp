#include "app/ui/kernel_view/file_watch.h"

#include <chrono>

namespace convscope::app {
namespace {

constexpr std::chrono::milliseconds every{200};

}  // namespace

void FileWatch::follow(const std::filesystem::path& path) {
    if (path == path_) return;
    thread_ = {};  // ended and joined
    path_ = path;
    if (!path_.empty()) thread_ = std::jthread([this](const std::stop_token& stop) { watch(stop); });
}

std::filesystem::file_time_type FileWatch::saved(const std::filesystem::path& path) {
    std::error_code error;
    const auto time = std::filesystem::last_write_time(path, error);
    return error ? std::filesystem::file_time_type::min() : time;
}

void FileWatch::watch(const std::stop_token& stop) {
    auto known = saved(path_);
    std::unique_lock lock(mutex_);
    while (!stop.stop_requested()) {
        ended_.wait_for(lock, stop, every, [] { return false; });
        const auto now = saved(path_);
        if (now == known || stop.stop_requested()) continue;
        known = now;
        wake_();
    }
}

}  // namespace convscope::app
