// The launch's grid of blocks and the block's threads as small squares, one of each picked by a click.
#pragma once

#include <imgui.h>

#include <optional>

#include "app/ui/widgets/frame.h"
#include "visualizers/step/traced_block.h"

namespace convscope::app {

/// Both draw one labelled box of 'size' at the cursor. 'prefix' names their squares in the item registry.
/// Returns the index of the block that was clicked.
std::optional<Dim3> pick_block(const char* prefix, ImVec2 size, const KernelLaunch&, const Dim3& chosen);
/// Returns the linear index of the thread that was clicked. Threads that ever do anything are in their colours.
std::optional<unsigned> pick_thread(const char* prefix, ImVec2 size, const TracedBlock&, unsigned chosen);
float pickers_height();  ///< px

}  // namespace convscope::app
