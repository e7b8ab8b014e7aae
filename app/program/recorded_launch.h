// A launch of a program's run, as it is kept to be run once more, alone.
#pragma once

#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "app/program/launch_memory.h"
#include "kernels/core/launch.h"

namespace convscope::app {

struct RecordedLaunch {
    /// An allocation, or a variable of the program's.
    struct Array {
        std::string name;
        std::uint64_t address = 0, room = 0, bytes = 0;
        unsigned element_bytes = 0;  ///< 0: not known
        bool constant = false, writable = true, freed = false;
        /// As they were before the launch, and of each word a bit for each byte that had been written; both empty of
        /// what the launch did not touch. In the run's memory.
        std::span<const std::byte> data;
        std::span<const std::byte> written;
    };
    std::string symbol, ptx;
    Dim3 grid, block;
    std::optional<Dim3> cluster;
    bool cooperative = false;
    std::uint64_t shared_bytes = 0;                 ///< dynamic
    std::vector<std::vector<std::byte>> arguments;  ///< in the order of the parameters
    std::vector<std::uint64_t> variables;           ///< where the module's lie, in its order
    std::vector<Array> memory;                      ///< in the order of their addresses
    std::set<std::uint64_t> host_pages;             ///< that the launch reached, and should not have
    std::shared_ptr<const LaunchMemory> in;
};

/// Reads an event "launch" of kernels/runtime/report.h that has "kept". Throws Error(failed) where no runtime of ours
/// wrote it, as when the program writes over its reports.
RecordedLaunch read_recorded(const nlohmann::ordered_json& event, std::shared_ptr<const LaunchMemory>);

}  // namespace convscope::app
