#include "app/sweep/recorded_space.h"

#include <algorithm>

namespace convscope {

LaunchConfig launch_of(const Record& record) {
    LaunchConfig launch;
    launch.block = record.block;
    launch.grid = record.grid;
    launch.tunables = tunables_of(record);
    return launch;
}

RecordedSpace recorded_space(const std::vector<Record>& records) {
    std::vector<LaunchPoint> points;
    std::vector<double> times_us;
    for (const Record& record : records) {
        if (!is_timed(record)) continue;
        LaunchConfig launch = launch_of(record);
        launch.grid.reset();  // it follows from the block
        const auto same = [&](const LaunchPoint& point) { return point.launch == launch; };
        const auto there = std::find_if(points.begin(), points.end(), same);
        if (there != points.end()) {
            times_us[there - points.begin()] = *record.time_median_us;
            continue;
        }
        points.push_back({std::move(launch), record.occupancy_pct.value_or(0),
                          record.grid ? static_cast<double>(record.grid->count()) : 0,
                          static_cast<double>(record.shared_bytes.value_or(0))});
        times_us.push_back(*record.time_median_us);
    }
    return {SearchSpace(std::move(points)), std::move(times_us)};
}

}  // namespace convscope
