// Makes data that may be cancelled. Apart from workload.h, which nearly every file includes.
#pragma once

#include <stop_token>

#include "kernels/layers/workload.h"

namespace convscope {

/// make_workload() that ends soon after a stop request: it throws Error(failed) then.
Workload make_workload(const WorkloadSpec&, const std::stop_token&);

}  // namespace convscope
