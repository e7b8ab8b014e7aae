#include "app/sweep_view/sweep_job.h"

#include <exception>
#include <utility>

#include "app/sweep/device_measurer.h"

namespace convscope::app {

SweepJob::~SweepJob() {
    cancel();
}

void SweepJob::start(std::shared_ptr<const SweepPlan> plan, std::vector<Record> done) {
    if (thread_.joinable()) thread_.join();
    const auto control = std::make_shared<SweepControl>();
    {
        const std::scoped_lock lock(mutex_);
        running_ = true;
        progress_ = {};
        progress_.total = plan->points().size();
        rows_.clear();
        control_ = control;
    }
    thread_ = std::jthread([this, plan = std::move(plan), done = std::move(done), control]() mutable {
        run(plan, std::move(done), *control);
        const std::scoped_lock lock(mutex_);
        running_ = false;
    });
}

void SweepJob::run(const std::shared_ptr<const SweepPlan>& plan, std::vector<Record> done, SweepControl& control) {
    SweepSinks sinks;
    sinks.record = [this](std::size_t, const Record& record) {
        const std::scoped_lock lock(mutex_);
        rows_.push_back(record);
    };
    sinks.progress = [this](const SweepProgress& progress) {
        const std::scoped_lock lock(mutex_);
        progress_ = progress;
    };
    sinks.warning = [this](const std::string& sentence) {
        const std::scoped_lock lock(mutex_);
        notices_.push_back(sentence);
    };
    sinks.before_sample = [this] { gate_.begin_sample(); };
    sinks.after_sample = [this] { gate_.end_sample(); };
    try {
        DeviceMeasurer measurer(registry_, false);
        SweepRun(registry_, measurer, *plan, DoneRows(std::move(done))).run(sinks, control);
    } catch (const std::exception& error) {
        const std::scoped_lock lock(mutex_);
        notices_.push_back(error.what());
    }
}

void SweepJob::pause() {
    const std::scoped_lock lock(mutex_);
    if (control_) control_->pause();
}

void SweepJob::go_on() {
    const std::scoped_lock lock(mutex_);
    if (control_) control_->resume();
}

void SweepJob::cancel() {
    const std::scoped_lock lock(mutex_);
    if (control_) control_->cancel();
}

bool SweepJob::running() const {
    const std::scoped_lock lock(mutex_);
    return running_;
}

bool SweepJob::paused() const {
    const std::scoped_lock lock(mutex_);
    return running_ && control_ && control_->paused();
}

SweepProgress SweepJob::progress() const {
    const std::scoped_lock lock(mutex_);
    return progress_;
}

std::vector<Record> SweepJob::take_rows() {
    const std::scoped_lock lock(mutex_);
    return std::exchange(rows_, {});
}

std::vector<std::string> SweepJob::take_notices() {
    const std::scoped_lock lock(mutex_);
    return std::exchange(notices_, {});
}

}  // namespace convscope::app
