// Figures of the recorded sessions (presets/recorded), so that a lesson can ask about a GPU that is not there.
#pragma once

#include <string>

namespace convscope::lessons {

/// The number in one column of the only row that meets a query (row_query.h). 'query' is "SESSION: QUERY: COLUMN",
/// "xu2022-scopes: method=ecr3 k=50 timing_scope=kernel: time_median_us". Throws Error(usage) with one sentence for a
/// session, query or column that is none, and for a query that no row or more than one meets.
double recorded_value(const std::string& query);

/// The same column added up over all rows that meet the query; one at least, and none of them empty.
double recorded_sum(const std::string& query);

/// The name of the device that all rows of a session are from: "NVIDIA H200". Throws Error(usage) with one sentence for
/// a session that there is not, and for one with rows of several devices.
std::string recorded_device(const std::string& session);

}  // namespace convscope::lessons
