#include "app/accessibility/screen_reader.h"

#include <dlfcn.h>

#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <filesystem>
#include <thread>
#include <utility>

#include "kernels/files/module_folders.h"

namespace convscope::app {
namespace {

constexpr const char* module_file = "convscope_accessibility.so";
constexpr std::chrono::milliseconds timeout{500};  ///< at the end, for a bus that does not answer

/// Without one, GLib's libraries would try to start one.
bool has_session_bus() {
    if (const char* address = std::getenv("DBUS_SESSION_BUS_ADDRESS")) return *address != '\0';
    const char* folder = std::getenv("XDG_RUNTIME_DIR");
    std::error_code error;
    return folder && std::filesystem::exists(std::filesystem::path(folder) / "bus", error);
}

ServeReader open_reader_module() {
    for (const auto& folder : module_folders()) {
        const auto file = folder / module_file;
        std::error_code error;
        if (!std::filesystem::exists(file, error)) continue;
        // Never closed: GLib's types cannot be taken back.
        if (void* module = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL))
            return reinterpret_cast<ServeReader>(dlsym(module, reader_entry));
    }
    return nullptr;
}

}  // namespace

struct ScreenReader::Shared {
    explicit Shared(std::function<void()> wake) : link(std::move(wake)) {}
    ReaderLink link;
    std::mutex mutex;
    std::condition_variable ended;
    bool has_ended = false;
};

ScreenReader::ScreenReader(std::function<void()> wake) : shared_(std::make_shared<Shared>(std::move(wake))) {
    if (!has_session_bus()) {
        shared_->has_ended = true;
        return;
    }
    std::thread([shared = shared_] {
        if (const ServeReader serve = open_reader_module(); serve && !shared->link.stopped()) serve(shared->link);
        const std::lock_guard lock(shared->mutex);
        shared->has_ended = true;
        shared->ended.notify_one();
    }).detach();
}

ScreenReader::~ScreenReader() {
    shared_->link.stop();
    std::unique_lock lock(shared_->mutex);
    shared_->ended.wait_for(lock, timeout, [this] { return shared_->has_ended; });
}

ReaderLink& ScreenReader::link() {
    return shared_->link;
}

}  // namespace convscope::app
