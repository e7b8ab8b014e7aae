// A window whose monitor goes away is moved to one that is left.
#pragma once

struct GLFWwindow;

namespace convscope::app {

/// From now on, for this window; null ends it.
void keep_in_sight(GLFWwindow*);

}  // namespace convscope::app
