// The user's settings in the Sweep view, as plain data.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "kernels/measure/run_counts.h"

namespace convscope::app {

/// The quantities that a sweep can vary.
enum class SweepKind {
    sparsity,
    weight_sparsity,
    batch,
    channels,
    size,
    filters,
    stride,
    dilation,
    groups,
    block_x,
    block_y,
    block_z,
    grid_x,
    grid_y,
    grid_z,
    tunable,
    define  ///< a constant of the user's own kernel
};
inline constexpr int sweep_kind_count = 17;

struct SweepAxis {
    SweepKind kind = SweepKind::sparsity;
    std::string tunable;  ///< its name, of SweepKind::tunable and define
    std::string values;   ///< as the command line takes them: "0:0.9:0.1", "32,64,128"
    bool operator==(const SweepAxis&) const = default;
};

/// The timed quantities, then the simulated GPU's counts (measure/run_counts.h, in its order).
enum class SweepMetric {
    time,
    speedup,
    rate,
    multiplications,
    of_dense,
    instructions,
    requests,
    sectors,
    bank_conflicts,
    occupancy
};
inline constexpr int sweep_metric_count = 10, sweep_timed_count = sweep_metric_count - run_count_count;
const char* to_string(SweepMetric);  ///< "time", as the list prints it
/// The count that it is; nothing for what is timed.
std::optional<RunCount> count_of(SweepMetric);

/// The plot that fills the view; by default all plots with content share it.
enum class SweepPane { all, lines, map, occupancy, parallel };
inline constexpr int sweep_pane_count = 5;
const char* to_string(SweepPane);  ///< "Lines", as the tab prints it

enum class SweepState { idle, running, paused, stopped };  ///< stopped: Run goes on with it
enum class SweepMove { run_or_stop, pause_or_go_on };

struct SweepChoice {
    std::optional<std::vector<SweepAxis>> axes;       ///< set by hand; unset: automatic, by device and method
    std::optional<std::vector<std::string>> methods;  ///< ticked by hand; unset: automatic, by the axes
    double timeout_s = 0.3;                           ///< of sampling each method at each point
    SweepMetric metric = SweepMetric::time;
    SweepPane pane = SweepPane::all;
    std::string method;    ///< that map and occupancy show; empty: the first of ours
    std::string query;     ///< which rows the plots show: row_query.h; empty: all
    std::string recorded;  ///< recorded session whose rows are shown; empty: a sweep of one's own
    std::string csv_path;  ///< rows are appended to this file as they come; empty: to none
    bool operator==(const SweepChoice&) const = default;
};

}  // namespace convscope::app
