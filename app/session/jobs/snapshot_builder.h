// Makes snapshots on a thread of its own. The latest request wins; the last good snapshot stays.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "app/session/jobs/latest_job.h"
#include "app/session/snapshot.h"

namespace convscope::app {

class SnapshotBuilder {
public:
    /// 'wake' is called on the builder's thread when there is news; it must be safe to call from any thread.
    explicit SnapshotBuilder(std::function<void()> wake);

    /// Asks for a snapshot. What is being built for an older request is dropped. Does nothing when the latest
    /// request was the same.
    void request(const WorkloadSpec& spec, const Selection& selection) { job_.request({spec, selection}); }
    /// Gives up the request under way, which take_error then says; the last good snapshot stays.
    void cancel();
    /// Waits up to 'milliseconds' for the request under way: small shapes are drawn in the same frame.
    void settle(int milliseconds) { job_.settle(milliseconds); }

    std::shared_ptr<const Snapshot> latest() const { return job_.latest(); }
    bool busy() const { return job_.busy(); }
    double busy_seconds() const { return job_.busy_seconds(); }
    /// Why the last request could not be built, once; empty otherwise.
    std::string take_error() { return job_.take_error(); }

private:
    struct Request {
        WorkloadSpec spec;
        Selection selection;
        bool operator==(const Request& other) const { return selection == other.selection && spec == other.spec; }
    };
    LatestJob<Request, const Snapshot> job_;
};

}  // namespace convscope::app
