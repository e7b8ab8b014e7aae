// The trace of a block as JSON on stdout.
#pragma once

#include <optional>

#include "kernels/core/method.h"
#include "kernels/simt/finding.h"
#include "kernels/simt/trace.h"

namespace convscope::cli {

struct TraceReport {
    MethodInfo method;
    WorkloadSpec workload;
    DeviceModel model;
    simt::BlockTrace trace;
    std::optional<Dim3> thread;                   ///< only its steps are listed
    std::optional<simt::Finding> finding;         ///< what ended the run before its time
    std::int64_t multiplications_per_output = 0;  ///< on dense data
};

void write_trace(const TraceReport&);

}  // namespace convscope::cli
