// Where the app keeps what belongs to this machine and person, but to no document: $XDG_STATE_HOME/convscope.
#pragma once

#include <filesystem>

namespace convscope::app {

/// $XDG_STATE_HOME/convscope, or ~/.local/state/convscope; empty when neither variable is set.
std::filesystem::path state_folder();

}  // namespace convscope::app
