// The facts that expressions are answered from: where a learner stands, as plain data, and what follows from it.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "app/lessons/expression.h"
#include "app/lessons/map_arrays.h"
#include "app/lessons/show.h"
#include "app/lessons/shown_formats.h"
#include "kernels/measure/timing_summary.h"
#include "kernels/method/registry.h"
#include "kernels/records/record.h"
#include "kernels/simt/replay.h"

namespace convscope::lessons {

/// One element of one array, by the array's name.
struct Pointed {
    std::string array;
    std::int64_t row = 0, col = 0;
    bool operator==(const Pointed&) const = default;
};

/// A method's live measurement, as far as a lesson may rely on it.
struct Measured {
    Record record;
    TimingSummary timing;
    bool reliable = false;  ///< long enough for its intervals to count
    bool complete = false;  ///< measuring on is not worth the wait: settled, or the time is up
};

/// The live state. The app fills it from its session each frame, the checker from a lesson's own 'show' blocks.
struct LiveState {
    const Registry* registry = nullptr;
    WorkloadSpec spec;                         ///< requested
    std::shared_ptr<const Workload> workload;  ///< of 'spec'; null while it is being built
    double flops_effective = -1;               ///< of the whole layer; below 0: not counted yet
    MapIndex map;
    std::string device;  ///< id
    DeviceKind kind = DeviceKind::cpu;
    std::string method;                ///< the launch panel's
    const Method* launched = nullptr;  ///< the same, as kernels with a launch configuration; may be the simulated GPU's
    std::map<std::string, LaunchConfig> launch;
    DeviceModel launch_model, occupancy_model;
    std::string view, tab, scope, cache, page;
    MatrixOf formats_of = MatrixOf::x;  ///< of the Formats page
    std::string format;                 ///< that it shows alone; empty: all
    std::optional<Pointed> pointed;
    bool running = false;
    bool exercise_solved = false;
    /// The measurement of a method on this workload, in a timing scope; null when there is none.
    std::function<const Measured*(const std::string& method, const std::string& scope)> record;
    const simt::Replay* replay = nullptr;  ///< of the Step view; null where nothing is traced
    std::size_t done = 0;                  ///< steps done in it
    bool race = false;                     ///< a check ended the run before the block's end
};

class Facts : public FactSource {
public:
    /// The arrays of the map are kept while workload and selection stay the same.
    void update(LiveState);
    const LiveState& state() const { return state_; }
    /// The element that a 'point' means; unset where it is not there, or not yet.
    std::optional<Pointed> find(const PointTarget&) const;

    double name(const std::string&) const override;
    double call(const std::string& function, const std::string& word, std::span<const double> numbers) const override;
    std::optional<Bounds> bounds(const std::string& function, const std::string& word) const override;

private:
    MapArrays& arrays() const;
    double of_shape(const std::string& name, bool& found) const;
    double of_data(const std::string& name, bool& found) const;
    double of_launch(const std::string& name, bool& found) const;
    double of_step(const std::string& name, bool& found) const;
    double layouts(const std::string& function, const std::string& word, std::span<const double> numbers) const;
    const Measured& measured(const std::string& word) const;
    double measured_value(const std::string& function, const std::string& word) const;
    double quantity(const std::string& symbol) const;
    double pointed(const std::string& word, std::span<const double> numbers) const;
    double weights_kept(const std::string& pattern) const;
    double formats(const std::string& function, const std::string& word, std::span<const double> numbers) const;

    LiveState state_;
    mutable std::shared_ptr<MapArrays> arrays_;  ///< copies of the facts share what is built
    mutable std::shared_ptr<ShownFormats> formats_;
    mutable std::map<std::string, double> weights_kept_;  ///< by pattern; a text asks in every frame
    MatrixOf formats_of_ = MatrixOf::x;
    const Workload* arrays_of_ = nullptr;
    MapIndex map_;
};

}  // namespace convscope::lessons
