// Notices that a file was saved, whatever an editor does to save it.
#pragma once

#include <condition_variable>
#include <filesystem>
#include <functional>
#include <mutex>
#include <thread>

namespace convscope::app {

class FileWatch {
public:
    /// 'wake' is called on a thread of its own when the file's time has changed.
    explicit FileWatch(std::function<void()> wake) : wake_(std::move(wake)) {}

    /// An empty path: none. The thread is there only while a file is watched.
    void follow(const std::filesystem::path&);
    /// When it was saved last; the smallest time there is where there is no such file.
    static std::filesystem::file_time_type saved(const std::filesystem::path&);

private:
    void watch(const std::stop_token&);

    std::function<void()> wake_;
    std::mutex mutex_;
    std::condition_variable_any ended_;
    std::filesystem::path path_;
    std::jthread thread_;
};

}  // namespace convscope::app
