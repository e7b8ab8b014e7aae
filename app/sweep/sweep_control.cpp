#include "app/sweep/sweep_control.h"

namespace convscope {

void SweepControl::pause() {
    const std::scoped_lock lock(mutex_);
    paused_ = true;
}

void SweepControl::resume() {
    const std::scoped_lock lock(mutex_);
    paused_ = false;
    wake_.notify_all();
}

bool SweepControl::paused() const {
    const std::scoped_lock lock(mutex_);
    return paused_;
}

void SweepControl::cancel() {
    source_.request_stop();
}

void SweepControl::wait_while_paused() {
    std::unique_lock lock(mutex_);
    if (!paused_) return;
    const auto begin = std::chrono::steady_clock::now();
    wake_.wait(lock, source_.get_token(), [this] { return !paused_; });
    waited_ += std::chrono::steady_clock::now() - begin;
}

std::chrono::duration<double> SweepControl::waited() const {
    const std::scoped_lock lock(mutex_);
    return waited_;
}

}  // namespace convscope
