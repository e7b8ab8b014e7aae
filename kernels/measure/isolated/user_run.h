// Runs and times a user's own kernel on a GPU: in this process, or in a new one, which the kernel may ruin.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include "kernels/measure/isolated/measuring_process.h"
#include "kernels/measure/measure.h"
#include "kernels/user_kernel/user_launch.h"

namespace convscope {

struct UserRunRequest {
    std::string device;
    UserLaunch launch;
    MeasureOptions options;
    bool timed = false;  ///< sampled by the options; otherwise run once
};

struct UserRunResult {
    std::vector<std::string> arrays;  ///< one per argument, as the first run left it; empty for values
    std::string printed;              ///< by the first run, at most 64 KiB
    int registers = 0;                ///< per thread
    std::uint64_t static_shared_bytes = 0, local_bytes = 0;
    std::vector<double> samples_us;  ///< in the order of time
    std::string note;                ///< Sampler::note(), and whether the samples did what the first run did
};

/// Runs in this process. Calls 'sign_of_life' after the first run and each sample. Throws Error.
UserRunResult run_user_kernel(Device&, const UserRunRequest&, const std::function<void()>& sign_of_life);

/// Runs in a new process, which ends with it. Throws the Error that run_user_kernel threw there; Error(failed) where
/// the process died, was stopped, or gave no sign of life for 'longest'.
UserRunResult run_user_isolated(const UserRunRequest&, const std::stop_token&, std::chrono::seconds longest,
                                const std::vector<std::string>& command = own_measuring_command());

}  // namespace convscope
