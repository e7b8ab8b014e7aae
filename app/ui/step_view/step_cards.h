// The Step view's column on the right: the chosen thread in numbers, and the block's cost in short.
#pragma once

#include <string>

#include "app/session/session.h"
#include "app/ui/step_view/trace_builder.h"

namespace convscope::app {

/// A traced kernel with the place in it that a user looks at.
struct StepPosition {
    TracedKernel& kernel;
    const StepSide& side;
};

/// The thread's sum, multiplications and what it has stored so far.
void draw_thread_card(const StepPosition&);
/// The same of two threads, side by side.
void draw_thread_pair(const StepPosition&, const StepPosition&);
/// Work, memory and occupancy of the block, in words.
void draw_summary_card(const StepPosition&);
/// Compares two blocks side by side.
void draw_comparison_card(const StepPosition&, const StepPosition&);

}  // namespace convscope::app
