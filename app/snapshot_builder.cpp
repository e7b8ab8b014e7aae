#include "app/snapshot_builder.h"

#include <exception>

namespace convscope::app {

SnapshotBuilder::SnapshotBuilder(std::function<void()> wake)
    : wake_(std::move(wake)), thread_([this](const std::stop_token& stop) { work(stop); }) {}

SnapshotBuilder::~SnapshotBuilder() {
    std::lock_guard lock(mutex_);
    waiting_.reset();
    abandon_.request_stop();
}

void SnapshotBuilder::request(const WorkloadSpec& spec, const Selection& selection) {
    std::lock_guard lock(mutex_);
    if (last_ && last_->selection == selection && same_workload(last_->spec, spec)) return;
    last_ = waiting_ = Request{spec, selection};
    ++ticket_;
    if (!working_) since_ = Clock::now();
    abandon_.request_stop();
    changed_.notify_all();
}

void SnapshotBuilder::cancel() {
    std::lock_guard lock(mutex_);
    waiting_.reset();
    last_.reset();
    ++ticket_;
    error_ = "building the layer was cancelled; the picture is of the one before";
    abandon_.request_stop();
    changed_.notify_all();
}

void SnapshotBuilder::settle(int milliseconds) {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, std::chrono::milliseconds(milliseconds), [this] { return !waiting_ && !working_; });
}

std::shared_ptr<const Snapshot> SnapshotBuilder::latest() const {
    std::lock_guard lock(mutex_);
    return latest_;
}

bool SnapshotBuilder::busy() const {
    std::lock_guard lock(mutex_);
    return waiting_ || working_;
}

double SnapshotBuilder::busy_seconds() const {
    std::lock_guard lock(mutex_);
    return waiting_ || working_ ? std::chrono::duration<double>(Clock::now() - since_).count() : 0;
}

std::string SnapshotBuilder::take_error() {
    std::lock_guard lock(mutex_);
    return std::exchange(error_, {});
}

void SnapshotBuilder::work(const std::stop_token& stop) {
    while (true) {
        Request request;
        std::uint64_t ticket = 0;
        std::shared_ptr<const Snapshot> reuse;
        std::stop_token abandon;
        {
            std::unique_lock lock(mutex_);
            if (!changed_.wait(lock, stop, [this] { return waiting_.has_value(); })) return;
            request = std::move(*waiting_);
            waiting_.reset();
            working_ = true;
            since_ = Clock::now();
            ticket = ticket_;
            reuse = latest_;
            abandon_ = {};
            abandon = abandon_.get_token();
        }
        try {
            finish(make_snapshot(request.spec, request.selection, reuse.get(), abandon), {}, ticket);
        } catch (const std::exception& problem) {
            finish(nullptr, problem.what(), ticket);
        }
    }
}

void SnapshotBuilder::finish(std::shared_ptr<const Snapshot> made, std::string error, std::uint64_t ticket) {
    {
        std::lock_guard lock(mutex_);
        working_ = false;
        // A newer request, or a cancel, has made this one stale.
        if (ticket == ticket_) {
            if (made) latest_ = std::move(made);
            if (!error.empty()) last_.reset();  // asked for again, it is tried again
            error_ = std::move(error);
        }
    }
    changed_.notify_all();
    wake_();
}

}  // namespace convscope::app
