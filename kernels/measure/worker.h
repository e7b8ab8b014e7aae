// Runs measurements on a separate thread, so that the interface never waits.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "kernels/measure/live_series.h"
#include "kernels/measure/network_run.h"
#include "kernels/measure/network_summary.h"

namespace convscope {

struct MeasureJob {
    std::string device;
    WorkloadSpec workload;
    std::vector<Candidate> candidates;
    MeasureOptions options;
    bool repeat = false;             ///< start again when done, until stopped: the live plot
    double requested_noise_pct = 1;  ///< at which a method of a repeated job counts as settled
    /// The candidate that a user has just changed: it is measured alone and briefly before all of them take turns.
    /// Empty: none.
    std::string first;
};

struct NetworkJob {
    std::string device;
    NetworkPlan plan;
};

/// Rows that snapshots share: copying a snapshot copies a pointer. Reads like a const vector.
class SharedRecords {
public:
    operator const std::vector<Record>&() const { return *rows_; }
    auto begin() const { return rows_->begin(); }
    auto end() const { return rows_->end(); }
    std::size_t size() const { return rows_->size(); }
    bool empty() const { return rows_->empty(); }
    const Record& operator[](std::size_t i) const { return (*rows_)[i]; }
    const Record& back() const { return rows_->back(); }
    /// This snapshot's first 'keep' rows and these; other snapshots keep theirs.
    void replace_after(std::size_t keep, const std::vector<Record>&);
    void keep_latest(std::size_t most);

private:
    std::shared_ptr<const std::vector<Record>> rows_ = std::make_shared<std::vector<Record>>();
};

/// A network under measurement, or the last one measured: it stays until the next one begins.
struct NetworkProgress {
    std::shared_ptr<const NetworkPlan> plan;
    std::string device;
    std::shared_ptr<const std::vector<LayerRows>> layers;  ///< the first ones of the plan's; without raw samples
    bool running = false;
    std::string phase;                   ///< of the layer under way, in words
    double fraction = 0;                 ///< of the whole network, 0..1
    std::optional<double> seconds_left;  ///< an estimate, once a layer is done
};

struct LiveSnapshot {
    std::uint64_t generation = 0;  ///< grows with every change: nothing to redraw while it stands still
    bool running = false;
    std::string phase;  ///< what the worker is doing, in words
    std::string error;  ///< one sentence when the whole job could not run
    std::vector<LiveSeries> series;
    double requested_noise_pct = 1;  ///< of the job
    double sampling_s = 0;           ///< since the job's first sample
    std::optional<NetworkProgress> network;
    /// One row per method of a job since the worker began, updated with each round; without raw samples. The jobs
    /// before this one keep their latest 20000 rows.
    SharedRecords records;
};

class MeasureWorker {
public:
    explicit MeasureWorker(Registry&);
    ~MeasureWorker();  ///< stops and joins
    /// Stops the running job and starts this one. Returns at once.
    void start(MeasureJob);
    void start(NetworkJob);
    void stop();  ///< returns at once; running becomes false when the sample under way is done
    std::shared_ptr<const LiveSnapshot> snapshot() const;
    /// Called on the worker thread round each timed sample: the app keeps its GL queue empty in between.
    void set_quiet_hooks(std::function<void()> before, std::function<void()> after);

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace convscope
