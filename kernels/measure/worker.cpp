#include "kernels/measure/worker.h"

#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <stop_token>
#include <thread>
#include <utility>

#include "kernels/core/error.h"

namespace convscope {
namespace {

constexpr std::size_t series_length = 4096;
constexpr std::size_t records_kept = 20000;
// Thousands of samples a second would be thousands of snapshots: about two a frame are enough.
constexpr std::chrono::milliseconds publish_interval{8};

LiveSeries& series_of(LiveSnapshot& state, const std::string& method) {
    for (LiveSeries& series : state.series)
        if (series.method == method) return series;
    LiveSeries& fresh = state.series.emplace_back();
    fresh.method = method;
    return fresh;
}

template <class T>
void keep_latest(std::vector<T>& values, std::size_t most) {
    if (values.size() > most) values.erase(values.begin(), values.end() - static_cast<std::ptrdiff_t>(most));
}

void note_sample(LiveSnapshot& state, const Progress& progress) {
    LiveSeries& series = series_of(state, progress.method);
    const bool sampling = progress.phase == "sampling";
    if (sampling && progress.samples > 0) {
        series.samples_us.push_back(progress.last_us);
        keep_latest(series.samples_us, series_length);
    }
    series.progress = progress;
    state.phase = sampling ? progress.phase : progress.phase + " " + progress.method;
}

void note_record(LiveSnapshot& state, const Record& record) {
    std::optional<Record>& latest = series_of(state, record.method).latest;
    // A later round that was cut short says less than the one before it.
    if (record.status == Status::cancelled && latest) return;
    latest = record;
    // The series has the latest samples; a long run must not grow without end.
    Record slim = record;
    slim.samples_us.clear();
    state.records.append(std::move(slim), records_kept);
}

}  // namespace

void SharedRecords::append(Record record, std::size_t most) {
    auto rows = std::make_shared<std::vector<Record>>(*rows_);
    rows->push_back(std::move(record));
    keep_latest(*rows, most);
    rows_ = std::move(rows);
}

struct MeasureWorker::Impl {
    explicit Impl(Registry& registry_) : registry(registry_) {}

    Registry& registry;

    // Guards what follows it, up to the thread. Held for moments, never while measuring. The worker changes 'state'
    // and publishes copies; readers take the published pointer.
    mutable std::mutex mutex;
    std::condition_variable_any wake;
    std::optional<MeasureJob> next;
    bool busy = false;
    std::stop_source current;
    std::function<void()> before, after;
    LiveSnapshot state;
    std::shared_ptr<const LiveSnapshot> published = std::make_shared<LiveSnapshot>();
    std::chrono::steady_clock::time_point last_publish;

    std::jthread thread;

    void publish_locked() {
        ++state.generation;
        published = std::make_shared<LiveSnapshot>(state);
        last_publish = std::chrono::steady_clock::now();
    }

    template <class Change>
    void change(Change&& apply) {
        std::scoped_lock lock(mutex);
        apply(state);
        publish_locked();
    }

    void loop(const std::stop_token& quit);
    std::optional<std::pair<MeasureJob, std::stop_token>> take_job(const std::stop_token& quit);
    void run(const MeasureJob& job, const std::stop_token& stop);
    MeasureSinks make_sinks();
    void progress(const Progress&);
};

void MeasureWorker::Impl::loop(const std::stop_token& quit) {
    while (auto job = take_job(quit)) {
        std::string error;
        try {
            run(job->first, job->second);
        } catch (const std::exception& failure) {
            error = failure.what();
        }
        std::scoped_lock lock(mutex);
        busy = false;
        state.running = next.has_value();
        state.phase.clear();
        state.error = next ? std::string() : error;
        publish_locked();
    }
}

/// Waits for the next job; nothing when the worker is to end.
std::optional<std::pair<MeasureJob, std::stop_token>> MeasureWorker::Impl::take_job(const std::stop_token& quit) {
    std::unique_lock lock(mutex);
    if (!wake.wait(lock, quit, [this] { return next.has_value(); })) return std::nullopt;
    MeasureJob job = *std::exchange(next, std::nullopt);
    busy = true;
    current = std::stop_source();
    state.running = true;
    state.error.clear();
    state.series.clear();
    state.phase = "preparing the data";
    publish_locked();
    return std::pair{std::move(job), current.get_token()};
}

void MeasureWorker::Impl::run(const MeasureJob& job, const std::stop_token& stop) {
    Device& device = registry.device(job.device);
    require_room_to_judge(job.workload.shape);
    const Workload workload = make_workload(job.workload);
    if (stop.stop_requested()) return;
    change([](LiveSnapshot& s) { s.phase = "computing the judge's result"; });
    const Judgement judgement = judge(workload);
    const MeasureSinks sinks = make_sinks();
    Measurement measurement(registry, device, workload, job.candidates, job.options);
    measurement.prepare(judgement, sinks, stop);
    bool timed = true;
    do {
        timed = false;
        for (const Record& record : measurement.sample(sinks, stop)) timed |= record.time_median_us.has_value();
        // With nothing left that can be timed, another round would be the same rows again, as fast as they come.
    } while (job.repeat && timed && !stop.stop_requested());
}

MeasureSinks MeasureWorker::Impl::make_sinks() {
    MeasureSinks sinks;
    sinks.progress = [this](const Progress& report) { progress(report); };
    sinks.record = [this](const Record& record) {
        change([&](LiveSnapshot& s) {
            note_record(s, record);
            if (next) s.series.clear();
        });
    };
    std::scoped_lock lock(mutex);
    sinks.before_sample = before;
    sinks.after_sample = after;
    return sinks;
}

void MeasureWorker::Impl::progress(const Progress& report) {
    std::scoped_lock lock(mutex);
    if (next) return;
    note_sample(state, report);
    const bool due = std::chrono::steady_clock::now() - last_publish >= publish_interval;
    if (due || report.phase != "sampling") publish_locked();
}

MeasureWorker::MeasureWorker(Registry& registry) : impl_(std::make_unique<Impl>(registry)) {
    impl_->thread = std::jthread([impl = impl_.get()](const std::stop_token& quit) { impl->loop(quit); });
}

MeasureWorker::~MeasureWorker() {
    stop();
    impl_->thread.request_stop();
    impl_->thread.join();
}

void MeasureWorker::start(MeasureJob job) {
    std::scoped_lock lock(impl_->mutex);
    impl_->next = std::move(job);
    impl_->current.request_stop();
    impl_->state.running = true;
    // Figures of the job before are not this one's, though its last sample may still have to end.
    impl_->state.series.clear();
    impl_->state.error.clear();
    impl_->state.phase = "ending the job before";
    impl_->publish_locked();
    impl_->wake.notify_one();
}

void MeasureWorker::stop() {
    std::scoped_lock lock(impl_->mutex);
    impl_->next.reset();
    impl_->current.request_stop();
    if (impl_->busy || !impl_->state.running) return;
    impl_->state.running = false;
    impl_->publish_locked();
}

std::shared_ptr<const LiveSnapshot> MeasureWorker::snapshot() const {
    std::scoped_lock lock(impl_->mutex);
    return impl_->published;
}

void MeasureWorker::set_quiet_hooks(std::function<void()> before, std::function<void()> after) {
    std::scoped_lock lock(impl_->mutex);
    impl_->before = std::move(before);
    impl_->after = std::move(after);
}

}  // namespace convscope
