// Names and times that tell one run's rows from another's.
#pragma once

#include <ctime>
#include <string>

namespace convscope {

/// "2026-11-20T22:16:34Z"
std::string utc_now();

/// The beginning of a run's id, from its start time: "20261120T221634Z".
std::string run_stamp(std::time_t);

/// Unique to a run: its start time, and 32 random bits. "20261120T221634Z-9f86d081". A mark follows after another '-'.
std::string make_run_id(const std::string& mark = "");

}  // namespace convscope
