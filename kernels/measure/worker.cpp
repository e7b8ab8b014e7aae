#include "kernels/measure/worker.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <stop_token>
#include <thread>
#include <utility>
#include <variant>

#include "kernels/core/error.h"
#include "kernels/measure/workload_cache.h"

namespace convscope {
namespace {

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

/// A series for each candidate from the start: they keep their order, whichever is measured first.
void begin_series(LiveSnapshot& state, const std::vector<Candidate>& candidates) {
    for (const Candidate& candidate : candidates) series_of(state, candidate.method);
}

std::vector<Record> latest_rows(const std::vector<LiveSeries>& all) {
    std::vector<Record> rows;
    for (const LiveSeries& series : all)
        if (series.latest) rows.push_back(*series.latest);
    return rows;
}

bool is_cancelled(const Record& record) {
    return record.status == Status::cancelled;
}

using Job = std::variant<MeasureJob, NetworkJob>;

}  // namespace

void SharedRecords::replace_after(std::size_t keep, const std::vector<Record>& more) {
    auto rows =
        std::make_shared<std::vector<Record>>(rows_->begin(), rows_->begin() + static_cast<std::ptrdiff_t>(keep));
    rows->insert(rows->end(), more.begin(), more.end());
    rows_ = std::move(rows);
}

void SharedRecords::keep_latest(std::size_t most) {
    if (size() > most)
        rows_ = std::make_shared<std::vector<Record>>(rows_->end() - static_cast<std::ptrdiff_t>(most), rows_->end());
}

struct MeasureWorker::Impl {
    explicit Impl(Registry& registry_) : registry(registry_) {}

    Registry& registry;

    // Guards what follows it, up to the thread. Held for moments, never while measuring. The worker changes 'state'
    // and publishes copies; readers take the published pointer.
    mutable std::mutex mutex;
    std::condition_variable_any wake;
    std::optional<Job> next;
    bool busy = false;
    std::stop_source current;
    std::function<void()> before, after;
    LiveSnapshot state;
    std::size_t rows_before = 0;  ///< rows of the jobs before the one that runs
    std::optional<std::chrono::steady_clock::time_point> sampling_since;
    std::shared_ptr<const LiveSnapshot> published = std::make_shared<LiveSnapshot>();
    std::chrono::steady_clock::time_point last_publish;

    WorkloadCache data;  // of the worker's thread alone
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
    std::optional<std::pair<Job, std::stop_token>> take_job(const std::stop_token& quit);
    void start(Job);
    void run(const MeasureJob& job, const std::stop_token& stop);
    void run_first(const MeasureJob&, Device&, const Workload&, const ReferenceResult&, const std::stop_token&);
    void run(const NetworkJob& job, const std::stop_token& stop);
    /// The rows of one round of these candidates, whose samples the series take in.
    std::vector<Record> round(Measurement&, const std::stop_token&);
    MeasureSinks quiet_sinks();
    MeasureSinks reporting_sinks();
    void progress(const Progress&);
    void network_progress(const Progress&, std::size_t layer, std::size_t layers);
    void publish_when_due(bool now);
};

void MeasureWorker::Impl::loop(const std::stop_token& quit) {
    while (auto job = take_job(quit)) {
        std::string error;
        try {
            std::visit([&](const auto& chosen) { run(chosen, job->second); }, job->first);
        } catch (const std::exception& failure) {
            if (!job->second.stop_requested()) error = failure.what();
        }
        std::scoped_lock lock(mutex);
        busy = false;
        state.running = next.has_value();
        state.phase.clear();
        if (state.network) state.network->running = false;
        state.error = next ? std::string() : error;
        publish_locked();
    }
}

/// Waits for the next job; nothing when the worker is to end.
std::optional<std::pair<Job, std::stop_token>> MeasureWorker::Impl::take_job(const std::stop_token& quit) {
    std::unique_lock lock(mutex);
    if (!wake.wait(lock, quit, [this] { return next.has_value(); })) return std::nullopt;
    Job job = *std::exchange(next, std::nullopt);
    busy = true;
    current = std::stop_source();
    state.running = true;
    state.error.clear();
    if (const auto* measured = std::get_if<MeasureJob>(&job)) {
        state.series.clear();
        begin_series(state, measured->candidates);
        state.requested_noise_pct = measured->requested_noise_pct;
        state.sampling_s = 0;
        sampling_since.reset();
    }
    state.records.keep_latest(records_kept);
    rows_before = state.records.size();
    state.phase = "preparing the data";
    publish_locked();
    return std::pair{std::move(job), current.get_token()};
}

void MeasureWorker::Impl::run(const MeasureJob& job, const std::stop_token& stop) {
    Device& device = registry.device(job.device);
    const Workload& workload = data.workload(job.workload, {}, stop);
    if (stop.stop_requested()) return;
    const ReferenceResult& reference =
        data.reference([this] { change([](LiveSnapshot& s) { s.phase = "computing the reference"; }); }, stop);
    run_first(job, device, workload, reference, stop);
    if (stop.stop_requested()) return;
    Measurement measurement(registry, device, workload, job.candidates, job.options);
    measurement.prepare(reference, reporting_sinks(), stop);
    bool timed = true;
    do {
        timed = false;
        for (const Record& record : round(measurement, stop))
            timed |= record.time_median_us.has_value() || is_too_busy(record);
        // With nothing left that can be timed, another round would be the same rows again, as fast as they come.
    } while (job.repeat && timed && !stop.stop_requested());
}

/// A user who turns a knob waits for this one figure; the ratio to the baselines follows when all take turns.
void MeasureWorker::Impl::run_first(const MeasureJob& job, Device& device, const Workload& workload,
                                    const ReferenceResult& reference, const std::stop_token& stop) {
    const auto first = std::find_if(job.candidates.begin(), job.candidates.end(),
                                    [&](const Candidate& candidate) { return candidate.method == job.first; });
    if (first == job.candidates.end() || job.candidates.size() < 2) return;
    MeasureOptions brief = job.options;
    brief.stages = false;
    brief.min_samples = std::min(brief.min_samples, 10);
    brief.max_noise_pct = std::max(brief.max_noise_pct, 1.0);
    brief.timeout_s = std::min(brief.timeout_s, 0.15);
    Measurement measurement(registry, device, workload, {*first}, brief);
    measurement.prepare(reference, reporting_sinks(), stop);
    round(measurement, stop);
}

std::vector<Record> MeasureWorker::Impl::round(Measurement& measurement, const std::stop_token& stop) {
    {
        std::scoped_lock lock(mutex);
        for (LiveSeries& series : state.series) series.history.begin_round();
    }
    std::vector<Record> records = measurement.sample(reporting_sinks(), stop);
    change([&](LiveSnapshot& s) {
        if (next) return;  // these series are another job's by now
        for (const Record& record : records) note_record(series_of(s, record.method), record, s.requested_noise_pct);
        set_ratios(s.series);
        s.records.replace_after(rows_before, latest_rows(s.series));
    });
    return records;
}

void MeasureWorker::Impl::run(const NetworkJob& job, const std::stop_token& stop) {
    const auto begin = std::chrono::steady_clock::now();
    const auto plan = std::make_shared<const NetworkPlan>(job.plan);
    auto layers = std::make_shared<const std::vector<LayerRows>>();
    change([&](LiveSnapshot& s) { s.network = NetworkProgress{plan, job.device, layers, true, "", 0, {}}; });
    NetworkRun network(registry, registry.device(job.device), job.plan);
    const std::size_t count = network.layers();
    for (std::size_t layer = 0; layer < count && !stop.stop_requested(); ++layer) {
        MeasureSinks sinks = quiet_sinks();
        sinks.progress = [&](const Progress& report) { network_progress(report, layer, count); };
        const auto phase = [this](const std::string& what) {
            change([&](LiveSnapshot& s) { s.network->phase = what; });
        };
        LayerRows measured{plan->network.layers[layer].times, network.measure(layer, sinks, phase, stop)};
        for (Record& row : measured.rows) row.samples_us.clear();
        // A layer that was stopped before it had figures is not one that was measured.
        if (stop.stop_requested() && std::all_of(measured.rows.begin(), measured.rows.end(), is_cancelled)) break;
        auto more = std::make_shared<std::vector<LayerRows>>(*layers);
        more->push_back(std::move(measured));
        layers = more;
        const double spent = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
        const auto done = static_cast<double>(layer + 1), all = static_cast<double>(count);
        change([&](LiveSnapshot& s) {
            s.records.replace_after(s.records.size(), layers->back().rows);
            s.network->layers = layers;
            s.network->fraction = done / all;
            s.network->seconds_left = spent / done * (all - done);
        });
    }
}

void MeasureWorker::Impl::network_progress(const Progress& report, std::size_t layer, std::size_t layers) {
    std::scoped_lock lock(mutex);
    if (next) return;
    state.network->phase = report.phase + " " + report.method;
    state.phase = state.network->phase;
    state.network->fraction = (static_cast<double>(layer) + report.fraction) / static_cast<double>(layers);
    publish_when_due(report.phase != "sampling");
}

MeasureSinks MeasureWorker::Impl::reporting_sinks() {
    MeasureSinks sinks = quiet_sinks();
    sinks.progress = [this](const Progress& report) { progress(report); };
    return sinks;
}

MeasureSinks MeasureWorker::Impl::quiet_sinks() {
    MeasureSinks sinks;
    std::scoped_lock lock(mutex);
    sinks.before_sample = before;
    sinks.after_sample = after;
    return sinks;
}

void MeasureWorker::Impl::progress(const Progress& report) {
    std::scoped_lock lock(mutex);
    if (next) return;
    const bool sampling = report.phase == "sampling";
    const auto now = std::chrono::steady_clock::now();
    if (sampling) {
        if (!sampling_since) sampling_since = now;
        state.sampling_s = std::chrono::duration<double>(now - *sampling_since).count();
    }
    if (note_sample(series_of(state, report.method), report, state.requested_noise_pct)) set_ratios(state.series);
    state.phase = sampling ? report.phase : report.phase + " " + report.method;
    publish_when_due(!sampling);
}

void MeasureWorker::Impl::publish_when_due(bool now) {
    if (now || std::chrono::steady_clock::now() - last_publish >= publish_interval) publish_locked();
}

MeasureWorker::MeasureWorker(Registry& registry) : impl_(std::make_unique<Impl>(registry)) {
    impl_->thread = std::jthread([impl = impl_.get()](const std::stop_token& quit) { impl->loop(quit); });
}

MeasureWorker::~MeasureWorker() {
    stop();
    impl_->thread.request_stop();
    impl_->thread.join();
}

void MeasureWorker::Impl::start(Job job) {
    std::scoped_lock lock(mutex);
    // Figures of the job before are not this one's, though its last sample may still have to end.
    if (std::holds_alternative<MeasureJob>(job)) state.series.clear();
    next = std::move(job);
    current.request_stop();
    state.running = true;
    state.error.clear();
    state.phase = "ending the job before";
    publish_locked();
    wake.notify_one();
}

void MeasureWorker::start(MeasureJob job) {
    impl_->start(std::move(job));
}

void MeasureWorker::start(NetworkJob job) {
    impl_->start(std::move(job));
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
