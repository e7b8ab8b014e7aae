// Where the interface's thread and the screen reader's meet: neither waits for the other.
#pragma once

#include <atomic>
#include <functional>
#include <mutex>
#include <optional>
#include <vector>

#include "app/accessibility/reader_scene.h"

namespace convscope::app {

class ReaderLink {
public:
    /// 'wake' asks the interface for a frame; it is called from the reader's thread.
    explicit ReaderLink(std::function<void()> wake) : wake_(std::move(wake)) {}

    // The interface's side.
    bool listens() const { return listens_; }
    void show(ReaderScene);
    std::vector<ReaderRequest> take_requests();
    void stop();

    // The reader's side.
    /// 'notify' is called, from the interface's thread, when there is a scene to take or an end to come.
    void serve(std::function<void()> notify);
    void set_listens(bool);
    std::optional<ReaderScene> take_scene();
    void request(ReaderRequest);
    bool stopped() const { return stopped_; }

private:
    std::function<void()> wake_;
    std::atomic<bool> listens_ = false, stopped_ = false;
    std::mutex mutex_;
    std::function<void()> notify_;
    std::optional<ReaderScene> scene_;  ///< not taken yet
    std::vector<ReaderRequest> requests_;
};

/// The module (convscope_accessibility.so) exports this function: it serves a link until it is stopped.
inline constexpr const char* reader_entry = "convscope_accessibility";
using ServeReader = void (*)(ReaderLink&);

}  // namespace convscope::app
