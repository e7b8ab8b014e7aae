#include "app/ui/sweep_view/sweep_job.h"

#include <fmt/format.h>

#include <exception>
#include <iterator>
#include <optional>
#include <utility>

#include "app/user_kernel/user_variants.h"
#include "kernels/core/error.h"
#include "kernels/measure/isolated/device_measurer.h"

namespace convscope::app {

SweepJob::~SweepJob() {
    cancel();
}

void SweepJob::start(Request request) {
    if (thread_.joinable()) thread_.join();
    const auto control = std::make_shared<SweepControl>();
    {
        const std::scoped_lock lock(mutex_);
        running_ = true;
        progress_ = {};
        progress_.total = request.plan->points().size();
        rows_.clear();
        found_.clear();
        control_ = control;
    }
    thread_ = std::jthread([this, request = std::move(request), control]() mutable {
        run(std::move(request), *control);
        const std::scoped_lock lock(mutex_);
        running_ = false;
    });
}

void SweepJob::tell(const std::string& sentence) {
    const std::scoped_lock lock(mutex_);
    notices_.push_back(sentence);
}

void SweepJob::run(Request request, SweepControl& control) {
    try {
        std::optional<CsvFile> csv;
        if (!request.csv_path.empty()) {
            csv.emplace(request.csv_path);
            if (csv->repaired_bytes() > 0)
                tell(fmt::format("{} ended in the middle of a row; {} bytes were cut off", request.csv_path,
                                 csv->repaired_bytes()));
            if (request.resume) read_found(request);
        }
        measure(request, csv ? &*csv : nullptr, control);
    } catch (const std::exception& error) {
        tell(error.what());
    }
}

/// Points that the file has rows of are not measured again.
void SweepJob::read_found(Request& request) {
    CsvContent content = read_csv(request.csv_path);
    if (!content.errors.empty())
        tell(content.errors.size() == 1 ? content.errors.front()
                                        : fmt::format("{}, and {} rows more of the file do not read",
                                                      content.errors.front(), content.errors.size() - 1));
    // First, for of two rows of one measurement the last counts: those of this run have samples and counts, a CSV's
    // have neither.
    request.done.insert(request.done.begin(), std::make_move_iterator(content.records.begin()),
                        std::make_move_iterator(content.records.end()));
}

void SweepJob::measure(Request& request, CsvFile* csv, SweepControl& control) {
    SweepSinks sinks;
    sinks.record = [this, csv](std::size_t, const Record& record) {
        if (csv) csv->append(record);
        const std::scoped_lock lock(mutex_);
        rows_.push_back(record);
    };
    sinks.progress = [this](const SweepProgress& progress) {
        const std::scoped_lock lock(mutex_);
        progress_ = progress;
    };
    sinks.warning = [this](const std::string& sentence) { tell(sentence); };
    sinks.before_sample = [this] { gate_.begin_sample(); };
    sinks.after_sample = [this] { gate_.end_sample(); };
    // A registry apart: the measurer adds the user's kernel to it, and the interface reads the other one meanwhile.
    const std::unique_ptr<Registry> apart = request.own.empty() ? nullptr : make_registry();
    Registry& registry = apart ? *apart : registry_;
    DoneRows done(std::move(request.done));
    std::optional<UserVariants> own;
    if (apart) {
        own.emplace(request.own, control.token());
        own->forget_older(done);
        const std::scoped_lock lock(mutex_);
        progress_.phase = "compiling";
    }
    DeviceMeasurer measurer(registry, false);
    SweepRun run(registry, measurer, *request.plan, std::move(done), own ? &*own : nullptr);
    try {
        std::vector<Record> there = run.rows_there();
        const std::scoped_lock lock(mutex_);
        found_ = std::move(there);
    } catch (const Error&) {
        if (!control.cancelled()) throw;  // else a compiler was stopped
    }
    run.run(sinks, control);
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

std::vector<Record> SweepJob::take_found() {
    const std::scoped_lock lock(mutex_);
    return std::exchange(found_, {});
}

std::vector<std::string> SweepJob::take_notices() {
    const std::scoped_lock lock(mutex_);
    return std::exchange(notices_, {});
}

}  // namespace convscope::app
