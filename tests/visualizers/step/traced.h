// A traced block of one of the papers' examples, or of any other workload.
#pragma once

#include <string>

#include "kernels/layers/preset.h"
#include "kernels/simt/on_checked/trace_block.h"
#include "visualizers/step/traced_block.h"

namespace convscope::testing {

inline TracedBlock traced(const WorkloadSpec& workload, const std::string& method, const Dim3& block = {0, 0, 0}) {
    TraceRequest request;
    request.workload = workload;
    request.method = method;
    request.block = block;
    TraceResult result = trace_block(request);
    const Layout layout = result.plan.method.layout;
    return {std::move(result.trace), workload.shape, layout, std::move(result.finding)};
}

inline TracedBlock traced(const char* preset, const std::string& method, const Dim3& block = {0, 0, 0}) {
    return traced(find_preset(preset).spec, method, block);
}

}  // namespace convscope::testing
