// One table or figure of a paper, as data: what to measure, what to show of it, and the paper's numbers. The files are
// presets/reproduce/*.toml; docs/reproduce.md describes their keys.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "kernels/core/launch.h"
#include "kernels/core/timing.h"
#include "kernels/layers/workload.h"
#include "kernels/method/method.h"
#include "kernels/records/record.h"

namespace convscope {

/// The quantity that a series shows at each point.
enum class FigureValue {
    time_us,        ///< median time of 'of'
    gflops,         ///< dense work over that time
    speedup,        ///< time of 'over' divided by time of 'of'
    workspace_mb,   ///< workspace of 'of', 10^6 bytes
    workspace_mib,  ///< the same, 2^20 bytes, where the paper means those
    saving,         ///< workspace of 'over' divided by that of 'of'
    convert_pct,    ///< share of the format conversion in the stages of 'of'
    roofline_pct,   ///< the least time that the device's peaks allow, in percent of the time of 'of'
    theta,          ///< zeros in percent over the map's width (Xu 2019, Fig. 11)
};

/// The timing scope, and the state of the cache before it.
struct FigureTiming {
    TimingScope scope = TimingScope::kernel;
    CacheMode cache = CacheMode::hot;
    bool operator==(const FigureTiming&) const = default;
};
std::string to_string(const FigureTiming&);            ///< "kernel", "kernel cold"
FigureTiming parse_figure_timing(const std::string&);  ///< throws Error(usage)

/// Names a method by its id, or with a tunable that it sets: "im2col openblas=1".
struct FigureMethod {
    std::string id;
    LaunchConfig launch;  ///< the tunable
};
FigureMethod parse_figure_method(const std::string&);  ///< throws Error(usage)
/// Whether a record was measured with this method of a figure.
bool is_of(const Record&, const std::string& method);

struct PaperSeries {
    std::string label;
    FigureValue value = FigureValue::time_us;
    std::vector<std::string> of, over;                ///< methods; of several, the fastest counts at each point
    std::vector<std::optional<double>> printed = {};  ///< by the paper, one for each point, or none at all
    bool right_axis = false;
    bool plotted = true;  ///< false: in the tables only
};

/// How to combine the values of a series into one.
enum class FigureSummary { mean, geometric_mean, largest, smallest, last, total };
/// Each with its name in files: "geometric mean".
const std::vector<std::pair<const char*, FigureSummary>>& figure_summaries();

/// A number that the paper states in its text: "on average 3.91x".
struct PaperClaim {
    std::string says, printed;  ///< the statement, and its number as printed
    std::string series;         ///< label of the series that it is about
    FigureSummary take = FigureSummary::mean;
    std::string with;  ///< label of another series: the claim is about their rank correlation, and 'take' is not used
};

/// The quantity that a goal is about, at each point.
enum class GoalValue {
    ratio,         ///< time of the fastest baseline divided by that of the fastest of 'of'
    gflops,        ///< dense work over that time
    roofline_pct,  ///< as FigureValue::roofline_pct
    fall,          ///< time at the layer's fewest zeros divided by that at its most, of one method: zeros pay
};

/// The pages over goals of many figures: how fast the fast methods are, and whether zeros pay.
enum class GoalPage { fast, zeros };
/// Each with its name: "zeros".
const std::vector<std::pair<const char*, GoalPage>>& goal_pages();

/// A target for a method on a figure's points: "fast" put into numbers.
struct FigureGoal {
    std::string target;                  ///< "1 sparse": goals of one target have the same methods
    std::string says;                    ///< "over cuDNN's best in FP32, geometric mean"
    std::vector<std::string> of;         ///< ours; the fastest of them counts at each point, and its row names it
    std::vector<std::string> baselines;  ///< likewise; of a fall 'of' once more
    GoalValue value = GoalValue::ratio;
    FigureSummary take = FigureSummary::geometric_mean;
    double at_least = 0;
    GoalPage page = GoalPage::fast;
};

/// One workload and launch of a figure.
struct PaperPoint {
    std::string label;
    WorkloadSpec spec;
    LaunchConfig launch;      ///< of every method that takes it
    std::int64_t weight = 1;  ///< in FigureSummary::total
};

struct PaperFigure {
    std::string name;          ///< "xu2022-table3"
    std::string paper, shows;  ///< "Xu 2022", "Table 3"
    std::string title, text;   ///< what the paper did, and what is different here
    std::string zeros;         ///< where a network's zeros come from; empty where the figure has no network
    std::string finding;       ///< what was found, with placeholders (fill_in.h); may be empty
    std::string records;       ///< the figure in whose CSV the rows are: its own name, or one with the same rows
    DeviceKind device = DeviceKind::cuda;
    int threads = 0;  ///< of the CPU; 0: all
    std::vector<std::string> methods;
    std::vector<FigureTiming> timings;  ///< first the paper's own
    std::vector<std::string> sparse;    ///< those of the methods that skip zeros, where pays.h is about the figure
    std::vector<PaperPoint> points;
    std::vector<PaperSeries> series;
    std::vector<PaperClaim> claims;
    std::vector<FigureGoal> goals;
    std::string points_label;  ///< what the points are: "layer", "sparsity"
    bool lines = false, logarithmic = false;
    bool weighted = false;   ///< times and bytes are shown times the point's weight
    bool twice = false;      ///< 'reproduce fast' measures it a second time, and keeps its raw samples
    bool transfers = false;  ///< the page has the share of the copies (transfers.h); needs launch and copies
    std::filesystem::path file;
};

/// Null where the figure has none of that label.
const PaperSeries* find_series(const PaperFigure&, const std::string& label);

/// Every figure of presets/reproduce/, in the order of the files. Throws Error(file) with file, line and column for an
/// invalid one.
const std::vector<PaperFigure>& all_figures();

/// Throws Error(not_found) that names the nearest figure.
const PaperFigure& find_figure(const std::string& name);

std::vector<PaperFigure> load_figures(const std::filesystem::path& file);

}  // namespace convscope
