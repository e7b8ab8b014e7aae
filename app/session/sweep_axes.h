// The axes of a sweep: what each is called, what is tried first, and what a row has on it.
#pragma once

#include "app/session/session.h"
#include "app/session/sweep_choice.h"
#include "kernels/records/record.h"
#include "visualizers/plots/plot_layout.h"

namespace convscope::app {

const char* token(SweepKind);           ///< "block_x", as files and flags have it
std::string name_of(const SweepAxis&);  ///< "block x"; a tunable's own name
const char* meaning_of(SweepKind);      ///< one sentence
const char* flag_of(SweepKind);         ///< "--stride"; null for a kind of the launch configuration
/// The values of an axis, as the command line takes each. Throws Error(usage) naming the axis for one that does not
/// read.
std::vector<std::string> values_of(const SweepAxis&);
/// Whether its values are shares, 0 to 1, which plots have in percent.
bool is_share(SweepKind);
/// Whether the axis is of the launch configuration, not of the workload.
bool is_launch(SweepKind);

/// The value of a row on this axis; NaN where it has none.
double value_on(const SweepAxis&, const Record&);
/// As an axis of a plot, without a range.
PlotScale scale_of(const SweepAxis&);

/// Every axis that device and method have, each with values to begin with.
std::vector<SweepAxis> offered_axes(const Session&, const Registry&);

struct SweepSuggestion {
    std::string name;  ///< "Block sizes of ecr3"
    std::vector<SweepAxis> axes;
    std::optional<std::vector<std::string>> methods = {};  ///< unset: sweep_methods
};
/// Sweeps that are ready to run on this device; the first is what the view opens with.
std::vector<SweepSuggestion> suggested_sweeps(const Session&, const Registry&);

/// The axes set by hand, else those of the first suggestion.
std::vector<SweepAxis> axes_in_use(const Session&, const Registry&);
/// The methods ticked by hand; else the method of the launch panel where launches vary, and what is timed live where
/// they do not.
std::vector<std::string> sweep_methods(const Session&, const Registry&);
void toggle_sweep_method(Session&, const Registry&, const std::string& id);

/// Whether the id is of a user's own kernel.
bool is_own(const std::string& method);
/// Why the kernel that is open cannot be a method of a sweep on this device, as a sentence; empty when it can.
std::string why_user_kernel_not_swept(const Session&, const Registry&);
/// Makes ready a sweep over the constants of the kernel that is open: on the simulated GPU where the device is a CPU.
void sweep_user_kernel(Session&, const Registry&);

}  // namespace convscope::app
