// Makes something on a thread of its own, for an interface that keeps changing its mind: the latest request wins, what
// was being made for an older one is dropped, and the last good result stays.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>

namespace convscope::app {

/// LatestJob::settle waits so many times as long as it is told. Tests, which count frames and not time, set more: then
/// a frame shows on a busy machine what it shows on an idle one.
inline int settle_factor = 1;

/// Requests are compared with ==. 'Make' throws what then becomes the error. Stopped, it ends soon, however it likes.
template <class Request, class Result>
class LatestJob {
public:
    using Made = std::shared_ptr<Result>;
    using Make = std::function<Made(const Request&, const Made& latest, const std::stop_token&)>;

    /// 'wake' is called on the job's thread when there is news; it must be safe to call from any thread.
    LatestJob(Make make, std::function<void()> wake)
        : make_(std::move(make)),
          wake_(std::move(wake)),
          thread_([this](const std::stop_token& stop) { work(stop); }) {}
    /// Gives up the request under way.
    ~LatestJob() {
        std::lock_guard lock(mutex_);
        waiting_.reset();
        abandon_.request_stop();
    }

    /// Does nothing when the latest request was the same.
    void request(Request wanted) {
        std::lock_guard lock(mutex_);
        if (last_ && *last_ == wanted) return;
        if (!waiting_ && !working_) since_ = Clock::now();
        last_ = waiting_ = std::move(wanted);
        ++ticket_;
        abandon_.request_stop();
        changed_.notify_all();
    }
    /// The next request is met even where it is the same as the latest: what it was made of has changed.
    void forget() {
        std::lock_guard lock(mutex_);
        last_.reset();
    }
    /// Gives up the request under way, for which take_error then gives 'why'.
    void cancel(std::string why) {
        std::lock_guard lock(mutex_);
        waiting_.reset();
        last_.reset();
        ++ticket_;
        error_ = std::move(why);
        abandon_.request_stop();
        changed_.notify_all();
    }
    /// Waits up to 'milliseconds' for the request under way: what is quickly made is drawn in the same frame.
    void settle(int milliseconds) {
        std::unique_lock lock(mutex_);
        changed_.wait_for(lock, settle_factor * std::chrono::milliseconds(milliseconds),
                          [this] { return !waiting_ && !working_; });
    }

    Made latest() const {
        std::lock_guard lock(mutex_);
        return latest_;
    }
    bool busy() const {
        std::lock_guard lock(mutex_);
        return waiting_ || working_;
    }
    /// How long the latest result has been that of an older request; 0 when it is up to date.
    double busy_seconds() const {
        std::lock_guard lock(mutex_);
        return waiting_ || working_ ? std::chrono::duration<double>(Clock::now() - since_).count() : 0;
    }
    /// Why the last request could not be met, once; empty otherwise.
    std::string take_error() {
        std::lock_guard lock(mutex_);
        return std::exchange(error_, {});
    }

private:
    using Clock = std::chrono::steady_clock;

    void work(const std::stop_token& stop) {
        while (true) {
            std::optional<Request> request;
            std::uint64_t ticket = 0;
            Made reuse;
            std::stop_token abandon;
            {
                std::unique_lock lock(mutex_);
                if (!changed_.wait(lock, stop, [this] { return waiting_.has_value(); })) return;
                request = std::exchange(waiting_, std::nullopt);
                working_ = true;
                ticket = ticket_;
                reuse = latest_;
                abandon_ = {};
                abandon = abandon_.get_token();
            }
            try {
                finish(make_(*request, reuse, abandon), {}, ticket);
            } catch (const std::exception& problem) {
                finish(nullptr, problem.what(), ticket);
            }
        }
    }
    void finish(Made made, std::string error, std::uint64_t ticket) {
        {
            std::lock_guard lock(mutex_);
            working_ = false;
            // A newer request, or a cancel, has made this one stale.
            if (ticket == ticket_) {
                if (made) latest_ = std::move(made);
                if (!error.empty()) last_.reset();  // requested again, it is tried again
                error_ = std::move(error);
            }
        }
        changed_.notify_all();
        wake_();
    }

    Make make_;
    std::function<void()> wake_;
    mutable std::mutex mutex_;
    std::condition_variable_any changed_;
    std::optional<Request> waiting_, last_;
    std::uint64_t ticket_ = 0;  ///< of the latest request
    bool working_ = false;
    Clock::time_point since_;
    std::stop_source abandon_;  ///< stops the request under way
    Made latest_;
    std::string error_;
    std::jthread thread_;  ///< last: it uses all of the above
};

}  // namespace convscope::app
