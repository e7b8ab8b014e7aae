// The state of the Step view, as plain data.
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "kernels/core/launch.h"

namespace convscope::app {

/// One traced kernel of the Step view, and where in it a user is.
struct StepSide {
    std::string kernel;    ///< of the method; empty: its main one
    Dim3 block{0, 0, 0};   ///< index in the grid
    unsigned thread = 0;   ///< linear index in the block
    std::size_t done = 1;  ///< steps done: warp instructions
    bool operator==(const StepSide&) const = default;
};

/// A line of a kernel's file, from 1.
struct CodeLine {
    std::string file;  ///< from the repository's root: "kernels/ecr/ecr1_kernel.h"
    unsigned line = 0;
    auto operator<=>(const CodeLine&) const = default;
};
std::string to_string(const CodeLine&);  ///< "kernels/ecr/ecr1_kernel.h:40"
/// Parses the text of to_string; empty for anything else.
std::optional<CodeLine> parse_code_line(const std::string&);

/// Breakpoints and watches, shared by all kernels.
struct StepMarks {
    std::set<CodeLine> breakpoints;    ///< where play stops
    std::vector<std::string> watches;  ///< expressions, as they were typed
    bool operator==(const StepMarks&) const = default;
};
inline constexpr std::size_t max_watches = 12, max_watch_letters = 200;

/// A way through the steps.
enum class StepMove {
    first,
    previous_barrier,
    back,
    forward,
    next_barrier,
    last,
    play_or_pause,
    previous_breakpoint,
    next_breakpoint
};

/// Moves of the chosen line and actions on it.
enum class LineMove { run_to, toggle_breakpoint, up, down };

/// The state of the Step view besides the method.
struct StepChoice {
    std::array<StepSide, 2> sides;  ///< the method's kernel, and the one it is compared with
    std::string companion;          ///< method to compare with; empty: none
    StepMarks marks;
    bool slice = false;  ///< of the layer, not the whole of it, is traced
    double speed = 0;    ///< steps a second, as picked; 0: steps_per_second()
    bool operator==(const StepChoice&) const = default;
};

}  // namespace convscope::app
