// The command lines that take the figures on screen again, for a shell.
#pragma once

#include <string>

#include "app/session/session.h"

namespace convscope::app {

/// The 'bench' command of the live timing. A method with a launch configuration of its own has a line of its own, with
/// the vendor's methods as baselines; line ends separate them. Empty where nothing is ticked. 'bench' samples until its
/// noise is low, where live timing goes on from round to round.
std::string bench_command(const Session&, const Registry&);
/// The 'network' command of the chosen network; empty where there is none, or nothing is ticked.
std::string network_command(const Session&, const Registry&);

}  // namespace convscope::app
