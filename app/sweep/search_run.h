// Searches the launch space of each method of a point on a device, and lets the best run against each other.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "app/sweep/done_rows.h"
#include "app/sweep/search.h"
#include "app/sweep/sweep_control.h"
#include "app/sweep/sweep_plan.h"

namespace convscope {

/// The result of a search of one method.
struct MethodSearch {
    std::string method;
    std::size_t space = 0, rejected = 0, measured = 0;  ///< points: that can run, that cannot, that were run
    /// The best points, and the vendor's methods as their baselines, sampled in turn; the fastest of the method first.
    std::vector<Record> finalists;
    std::vector<bool> tied;  ///< of each finalist: it cannot be told from the first at 95 % confidence
    std::string trouble;     ///< why there is no best, a sentence
};

struct SearchSinks {
    std::function<void(const Record&)> record;  ///< every row as it is measured, rejected points included
    std::function<void(const Record&)> there;   ///< every row that an earlier run has left
    std::function<void(const std::string& method, std::size_t done, std::size_t total)> progress;
    std::function<void(const Progress&)> sample;
    std::function<void(const std::string&)> warning;
};

class SearchRun {
public:
    /// 'launches' are the configurations to choose from; empty: the whole launch space of each method. All that is
    /// passed in outlives the object. Rows in 'done' answer instead of the device.
    SearchRun(const Registry&, PointMeasurer&, SearchPlan, std::vector<LaunchConfig> launches, DoneRows done = {});

    /// Searches for each method of the point that is not the vendor's; the vendor's are the finals' baselines.
    std::vector<MethodSearch> run(const SweepPoint&, const SearchSinks&, SweepControl&);

private:
    MethodSearch search_method(const PointRequest&, const Method&, const std::vector<Candidate>& baselines,
                               const SearchSinks&, SweepControl&);
    SearchSpace space_of(const Method&, const PointRequest&) const;
    void keep_rejected(const PointRequest&, const Method&, const SearchSpace&, const SearchSinks&) const;
    std::vector<Record> measure(const PointRequest&, std::vector<Candidate>, const SearchSinks&, SweepControl&);
    void hold_finals(const PointRequest&, const Method&, const SearchSpace&, const SearchFound&,
                     const std::vector<Candidate>& baselines, const SearchSinks&, SweepControl&, MethodSearch&);

    const Registry& registry_;
    PointMeasurer& measurer_;
    const SearchPlan plan_;
    const std::vector<LaunchConfig> launches_;
    const DoneRows done_;
    const std::string run_id_;
};

/// Whether the medians of two rows with raw samples cannot be told apart with 95 % confidence. Rows with too few
/// samples cannot.
bool cannot_be_told_apart(const Record&, const Record&);

}  // namespace convscope
