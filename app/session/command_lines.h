// The command lines that take the figures on screen again, for a shell.
#pragma once

#include <string>

#include "app/session/session.h"

namespace convscope::app {

/// The 'bench' command of the live timing. A method with a launch configuration of its own has a line of its own, with
/// the vendor's methods as baselines; line ends separate them. Empty where nothing is ticked. 'bench' samples until its
/// noise is low, where live timing goes on from round to round.
std::string bench_command(const Session&, const Registry&);
/// A command that names files of the model that is open, which are this process's: with a first line that writes them
/// to a folder, and names from there. Any other command stays.
std::string with_model_files(const Session&, const std::string& command);
/// The 'network' command of the chosen network; empty where there is none, nothing is ticked, or a model has another
/// batch than its own.
std::string network_command(const Session&, const Registry&);

}  // namespace convscope::app
