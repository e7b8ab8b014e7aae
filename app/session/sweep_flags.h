// The Sweep view's choices as the flags of 'convscope sweep': the app runs what the command line would.
#pragma once

#include "app/request/flags.h"
#include "app/session/session.h"

namespace convscope::app {

/// The layer of the workload panel, as a preset where it is one; as wide as high, and no preset, where it is 'resized'.
FlagValues workload_flags_of(const Session&, bool resized = false);
/// Adds what is timed, where the chosen device has a clock.
void add_timing(FlagValues&, const Session&, const Registry&);
/// All of a sweep, each flag with the label of its field. Throws Error(usage) naming the field for values that do not
/// read.
FlagValues sweep_flags(const Session&, const Registry&);

}  // namespace convscope::app
