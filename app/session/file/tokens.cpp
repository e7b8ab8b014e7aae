#include "app/session/file/tokens.h"

#include <algorithm>

namespace convscope::app {

const char* token(Aggregate aggregate) {
    constexpr std::array names{"share", "largest", "mean"};
    static_assert(names.size() == aggregate_count);
    return names[static_cast<std::size_t>(aggregate)];
}

const char* token(LayerArray array) {
    return to_string(array);
}

const char* token(LineCount count) {
    constexpr std::array names{"lanes", "instructions", "sectors", "wavefronts"};
    static_assert(names.size() == line_count_count);
    return names[static_cast<std::size_t>(count)];
}

const char* token(SweepMetric metric) {
    constexpr std::array names{"time",         "speedup",  "rate",    "multiplications", "of_dense",
                               "instructions", "requests", "sectors", "bank_conflicts",  "occupancy"};
    static_assert(names.size() == sweep_metric_count);
    return names[static_cast<std::size_t>(metric)];
}

const char* token(SweepPane pane) {
    constexpr std::array names{"all", "lines", "map", "occupancy", "parallel"};
    static_assert(names.size() == sweep_pane_count);
    return names[static_cast<std::size_t>(pane)];
}

const char* token(RecordSource::Kind kind) {
    constexpr std::array names{"automatic", "this_run", "recorded", "files"};
    return names[static_cast<std::size_t>(kind)];
}

}  // namespace convscope::app
