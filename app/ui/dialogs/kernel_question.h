// Asks for a user's kernel, and opens it in the Kernel view.
#pragma once

#include "app/session/session.h"
#include "app/ui/dialogs/file_dialogs.h"

namespace convscope::app {

void ask_for_kernel(Session&, FileDialogs&);
/// The Kernel view's first page, which lists them; the kernel that was open is closed.
void show_exercises(Session&);

}  // namespace convscope::app
