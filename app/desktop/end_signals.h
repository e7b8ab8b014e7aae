// Ctrl-C, kill and a hang-up end the app as its window's close button does: settings and session are kept. A second one
// ends it at once.
#pragma once

#include <atomic>
#include <functional>
#include <thread>

namespace convscope::app {

/// One at a time in a process.
class EndSignals {
public:
    /// 'wake' is called, from another thread, when the first signal has come.
    explicit EndSignals(std::function<void()> wake);
    ~EndSignals();
    EndSignals(const EndSignals&) = delete;

    bool came() const { return came_; }

private:
    int pipe_[2] = {-1, -1};
    std::atomic<bool> came_{false};
    std::thread waiter_;
};

}  // namespace convscope::app
