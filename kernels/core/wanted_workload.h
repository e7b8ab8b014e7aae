// Making data for somebody who may change their mind. Apart from workload.h, which nearly every file includes.
#pragma once

#include <stop_token>

#include "kernels/core/workload.h"

namespace convscope {

/// make_workload() that ends soon after it was stopped: it throws Error(failed) then.
Workload make_workload(const WorkloadSpec&, const std::stop_token&);

}  // namespace convscope
