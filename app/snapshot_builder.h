// Makes snapshots on a thread of its own. The latest request wins; the last good snapshot stays.
#pragma once

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "app/snapshot.h"

namespace convscope::app {

class SnapshotBuilder {
public:
    /// 'wake' is called on the builder's thread when there is news; it must be safe to call from any thread.
    explicit SnapshotBuilder(std::function<void()> wake);
    ~SnapshotBuilder();  ///< gives up the request under way

    /// Asks for a snapshot. What is being built for an older request is dropped. Does nothing when the latest
    /// request was the same.
    void request(const WorkloadSpec&, const Selection&);
    /// Gives up the request under way, which take_error then says; the last good snapshot stays.
    void cancel();
    /// Waits up to 'milliseconds' for the request under way: small shapes are drawn in the same frame.
    void settle(int milliseconds);

    std::shared_ptr<const Snapshot> latest() const;
    bool busy() const;
    double busy_seconds() const;  ///< how long the present request has been under way; 0 when none is
    /// Why the last request could not be built, once; empty otherwise.
    std::string take_error();

private:
    struct Request {
        WorkloadSpec spec;
        Selection selection;
    };
    using Clock = std::chrono::steady_clock;

    void work(const std::stop_token&);
    void finish(std::shared_ptr<const Snapshot>, std::string error, std::uint64_t ticket);

    std::function<void()> wake_;
    mutable std::mutex mutex_;
    std::condition_variable_any changed_;
    std::optional<Request> waiting_, last_;
    std::uint64_t ticket_ = 0;  ///< of the latest request
    bool working_ = false;
    Clock::time_point since_;
    std::stop_source abandon_;  ///< stops the request under way
    std::shared_ptr<const Snapshot> latest_;
    std::string error_;
    std::jthread thread_;  ///< last: it uses all of the above
};

}  // namespace convscope::app
