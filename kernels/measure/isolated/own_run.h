// One run of a user's own kernel on a GPU, and its time: in a process of its own, whatever the kernel does there.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include "kernels/measure/isolated/measuring_process.h"
#include "kernels/measure/measure.h"
#include "kernels/own/own_launch.h"

namespace convscope {

struct OwnRunRequest {
    std::string device;
    OwnLaunch launch;
    MeasureOptions options;
    bool timed = false;  ///< sampled by the options; otherwise run once
};

struct OwnRunResult {
    std::vector<std::string> arrays;  ///< of each argument, as the first run left it; empty of values
    std::string printed;              ///< by the first run, at most 64 KiB
    int registers = 0;                ///< per thread
    std::uint64_t static_shared_bytes = 0, local_bytes = 0;
    std::vector<double> samples_us;  ///< in the order of time
    std::string note;                ///< Sampler::note(), and whether the samples did what the first run did
};

/// In this process. 'sign_of_life' is called after the first run and each sample. Throws Error.
OwnRunResult run_own(Device&, const OwnRunRequest&, const std::function<void()>& sign_of_life);

/// In a process of its own, which ends with it. Throws Error: what run_own threw there; failed where the process died,
/// was stopped, or gave no sign of life for 'longest'.
OwnRunResult run_own_isolated(const OwnRunRequest&, const std::stop_token&, std::chrono::seconds longest,
                              const std::vector<std::string>& command = own_measuring_command());

}  // namespace convscope
