// One method in a live measurement: what all its rounds together say. Table, plot, status line and export show this and
// nothing else.
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
    /// Of the last finished round, with the times and the ratio of the whole history; without raw samples.
    std::optional<Record> latest;
    SortedSamples clocks_mhz;    ///< of the SM, one for each round; empty where the device says nothing
    std::int64_t next_look = 1;  ///< samples, those that do not count too, at which the history is looked at again
};

/// Takes in a sample. True when the history was looked at, and ratios to this method are to be made again.
bool note_sample(LiveSeries&, const Progress&, double requested_noise_pct);

/// Takes in the row of a round that has ended. One that was cut short adds its samples, and takes nothing back.
void note_record(LiveSeries&, const Record&, double requested_noise_pct);

/// Makes the ratios to the vendor baseline that the rows name; none where one of the two has no time.
void set_ratios(std::vector<LiveSeries>&);

}  // namespace convscope
