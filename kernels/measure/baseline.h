// The baselines that a method's time is compared with.
#pragma once

#include <deque>
#include <vector>

#include "kernels/measure/candidate_run.h"

namespace convscope {

/// Returns the methods that are compared when the user names none: all of ours and each vendor's best. The reference is
/// left out: it accumulates in double and is for checking.
std::vector<std::string> default_methods(const Registry&, DeviceKind);

/// Fills speedup_vs_vendor, its interval and vendor_method of the passed, timed records. records[i] belongs to runs[i].
void add_speedups(const std::deque<CandidateRun>& runs, std::vector<Record>& records);

}  // namespace convscope
