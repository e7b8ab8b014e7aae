// Records what it takes to run a launch again on its own, in memory shared with the process that started the program.
// The memory is bounded; launches with a new finding have half of it to themselves.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "kernels/ptx/run/launch.h"
#include "kernels/runtime/report.h"

namespace convscope::runtime {

/// Bytes of the shared memory.
struct SharedBytes {
    std::uint64_t at = 0, bytes = 0;
};

class LaunchRecorder {
public:
    static LaunchRecorder& get();  ///< the one of the process; keeps nothing where nobody wants it

    bool on() const { return wanted_; }
    /// Stores a module's PTX. Nothing where there is no room for it.
    std::optional<SharedBytes> keep(const std::string& text);
    /// Called before a launch: copies its arrays, unless 'why_not' gives a reason against it.
    void take(std::span<const ptx::LentArray>, std::string why_not);
    /// Called after the launch: returns "memory" of the report (kernels/runtime/report.h) for the arrays, or sets
    /// 'left_out' to the reason why nothing is kept. A launch that has 'ended' reaches no more than it has. 'found'
    /// distinguishes the launch's findings from each other.
    Json memory_of(std::span<const ptx::LentArray>, bool ended, const std::vector<std::string>& found,
                   std::string& left_out);

private:
    LaunchRecorder();
    bool wanted_ = false;
    std::byte* shared_ = nullptr;
    std::uint64_t room_ = 0, end_ = 0, copied_ = 0;
    std::size_t launches_ = 0;
    std::vector<std::uint64_t> taken_;  ///< where the launch's arrays lie
    std::string why_not_;               ///< they do not
    std::set<std::string> found_;
};

}  // namespace convscope::runtime
