// What the pages of the Layout view keep lit.
#pragma once

#include <optional>

#include "app/session/session.h"

namespace convscope::app {

/// What this page keeps lit from now on, or nothing. An element of the input is the same on every page: all of them
/// keep it, and let it go together.
void pin(Session&, const std::optional<ElementRef>&);

}  // namespace convscope::app
