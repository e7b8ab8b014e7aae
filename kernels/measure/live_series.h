// One method in a live measurement: the combined result of all its rounds, which table, plot, status line and export
// show.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "kernels/measure/measure.h"
#include "kernels/measure/sample_history.h"
#include "kernels/measure/statistics.h"
#include "kernels/measure/timing_summary.h"

namespace convscope {

struct LiveSeries {
    std::string method;
    SampleHistory history;  ///< since the job began
    TimingSummary timing;   ///< of the history when it was last looked at; without samples where it makes no median
    /// The 95 % interval of the median is within the requested noise, and there are enough independent samples.
    bool settled = false;
    Progress progress;
    /// The last finished round, with the times and the ratio of the whole history; without raw samples.
    std::optional<Record> latest;
    SortedSamples clocks_mhz;    ///< SM clock, one value per round; empty where the device reports none
    std::int64_t next_look = 1;  ///< samples, those that do not count too, at which the history is looked at again
};

/// Adds a sample. Returns true when the history was evaluated, so that ratios to this method must be made again.
bool note_sample(LiveSeries&, const Progress&, double requested_noise_pct);

/// Adds the row of a finished round. A round that was cut short adds its samples, and replaces nothing.
void note_record(LiveSeries&, const Record&, double requested_noise_pct);

/// Computes the ratios to the vendor baseline that the rows name; none where one of the two has no time.
void set_ratios(std::vector<LiveSeries>&);

}  // namespace convscope
