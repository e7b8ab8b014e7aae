// A finding, and the results of a launch, as JSON: the same in 'kernel --json', 'program --json' and the reports of a
// run.
#pragma once

#include <nlohmann/json.hpp>

#include "kernels/ptx/run/launch_counts.h"
#include "kernels/ptx/text/finding.h"

namespace convscope::runtime {

nlohmann::ordered_json json_of(const Dim3&);
nlohmann::ordered_json json_of(const ptx::Module&, const ptx::Finding&);
nlohmann::ordered_json json_of(const ptx::LaunchCounts&);

}  // namespace convscope::runtime
