// Keeps what it takes to run a launch once more, alone, in memory that is shared with the process that started the
// program. How much that is, is bounded; launches in which something new is found have half of the room for themselves.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "kernels/ptx/launch.h"
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
    /// A module's PTX. Nothing where there is no room for it.
    std::optional<SharedBytes> keep(const std::string& text);
    /// Before a launch: its arrays as they are, unless there is a reason not to.
    void take(std::span<const ptx::LentArray>, std::string why_not);
    /// After it: of the arrays, "memory" of the report (kernels/runtime/report.h); or, in 'left_out', why nothing is
    /// kept. One that has 'ended' reaches no more than it has. 'found' is what tells the launch's findings from each
    /// other.
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
