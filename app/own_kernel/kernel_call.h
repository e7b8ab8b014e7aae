// How a user's kernel is called: all of it as text, as it is typed.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "kernels/core/workload.h"

namespace convscope::app {

struct KernelCall {
    std::filesystem::path file;
    std::string entry;                 ///< the kernel; empty: the only one
    std::vector<std::string> defines;  ///< "NAME" or "NAME=VALUE"
    std::string architecture;          ///< of the GPU that it is for, "90a"; empty: the simulated GPU
    /// "grid", "block", "shared", or a parameter: as in the comment before the kernel, which they override.
    std::map<std::string, std::string> given;
    /// The layer whose arrays and fields parameters may be named after.
    std::optional<WorkloadSpec> layer;
};

}  // namespace convscope::app
