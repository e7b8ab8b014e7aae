// The result of a user's kernel on a real GPU: whether it is right there, too, and its time.
#pragma once

#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "app/user_kernel/gpu_run.h"
#include "app/user_kernel/kernel_check.h"
#include "kernels/measure/timing_summary.h"

namespace convscope::app {

struct GpuRunRequest {
    KernelCheckRequest kernel;
    std::string device;
    bool operator==(const GpuRunRequest&) const = default;
};

struct GpuRunResult {
    GpuRunRequest request;
    std::string failure;     ///< why there is no result, as a sentence; empty where there is one
    std::string difference;  ///< from the reference; empty: none
    UserRunResult run;
    std::optional<TimingSummary> times;  ///< of a kernel that computes no layer
    std::vector<Record> records;         ///< of one that does: its own, then cuDNN's
};

/// Compiles, runs, checks and times, in processes of their own. Never throws, but for what the host lacks.
std::shared_ptr<GpuRunResult> check_on_gpu(const GpuRunRequest&, const std::stop_token&);

}  // namespace convscope::app
