// Pauses and ends a sweep from another thread than its own.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <stop_token>

namespace convscope {

class SweepControl {
public:
    /// Takes effect after the sample under way; the sweep waits there.
    void pause();
    void resume();
    bool paused() const;
    /// Ends the sweep after the sample under way; it cannot be taken back.
    void cancel();
    bool cancelled() const { return source_.stop_requested(); }
    std::stop_token token() const { return source_.get_token(); }

    /// Returns at once unless paused. Called on the sweep's thread.
    void wait_while_paused();
    /// How long the sweep has waited in all.
    std::chrono::duration<double> waited() const;

private:
    mutable std::mutex mutex_;  // guards what follows
    std::condition_variable_any wake_;
    bool paused_ = false;
    std::chrono::duration<double> waited_{0};
    std::stop_source source_;
};

}  // namespace convscope
