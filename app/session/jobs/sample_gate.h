// Keeps frames out of timed samples: a frame and a sample take turns.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>

namespace convscope::app {

/// The measuring thread brackets each sample, the interface each frame (its GL work finished). A frame that waits
/// goes before the next sample, and a sample that waits goes before the next frame, so neither starves the other.
/// A sample that outlasts the interface's timeout does not hold it up: the frame is drawn inside it, and counted.
class SampleGate {
public:
    void begin_sample() {
        std::unique_lock lock(mutex_);
        sample_waits_ = true;
        changed_.wait(lock, [this] { return !drawing_ && (!frame_waits_ || samples_turn_); });
        sample_waits_ = samples_turn_ = false;
        sampling_ = true;
    }
    void end_sample() {
        std::lock_guard lock(mutex_);
        sampling_ = false;
        ++samples_;
        changed_.notify_all();
    }
    void begin_frame(std::chrono::milliseconds timeout) {
        std::unique_lock lock(mutex_);
        frame_waits_ = true;
        const auto clear = [this] { return !sampling_ && !(sample_waits_ && samples_turn_); };
        if (!changed_.wait_for(lock, timeout, clear)) ++disturbed_;
        frame_waits_ = false;
        drawing_ = true;
    }
    void end_frame() {
        std::lock_guard lock(mutex_);
        drawing_ = false;
        samples_turn_ = true;
        changed_.notify_all();
    }
    std::uint64_t samples() const {
        std::lock_guard lock(mutex_);
        return samples_;
    }
    /// Frames that were drawn inside a sample.
    std::uint64_t disturbed() const {
        std::lock_guard lock(mutex_);
        return disturbed_;
    }

private:
    mutable std::mutex mutex_;
    std::condition_variable changed_;
    bool sample_waits_ = false, frame_waits_ = false, samples_turn_ = false;
    bool sampling_ = false, drawing_ = false;
    std::uint64_t samples_ = 0, disturbed_ = 0;
};

/// One frame's turn. It ends with the scope, also when drawing throws: the worker must never wait for a frame that
/// will not come.
class QuietFrame {
public:
    QuietFrame(SampleGate& gate, std::chrono::milliseconds timeout) : gate_(gate) { gate_.begin_frame(timeout); }
    ~QuietFrame() { gate_.end_frame(); }
    QuietFrame(const QuietFrame&) = delete;
    QuietFrame& operator=(const QuietFrame&) = delete;

private:
    SampleGate& gate_;
};

}  // namespace convscope::app
