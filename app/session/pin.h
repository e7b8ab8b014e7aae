// The elements that the pages of the Layout view keep lit.
#pragma once

#include <optional>

#include "app/session/session.h"

namespace convscope::app {

/// Pins an element on this page, or nothing. An element of the input or of the filter is the same on every page: all of
/// them pin it, and unpin it together.
void pin(Session&, const std::optional<ElementRef>&);

}  // namespace convscope::app
