// The views of the window, by name.
#pragma once

#include "kernels/core/one_of.h"

namespace convscope::app {

struct ViewInfo {
    const char* id;       ///< in session files and lessons: "layout"
    const char* name;     ///< in the toolbar: "Layout"
    const char* meaning;  ///< one sentence without its full stop
};

/// In the toolbar's order: key 1 shows the first. The class that draws each is in the same place of Shell::views_.
inline constexpr ViewInfo view_table[] = {
    {"layout", "Layout", "The arrays that a method builds, and its timing"},
    {"step", "Step", "A kernel of the method, step by step"},
    {"compare", "Compare", "Records: of files, recorded sessions or this run, and what they show"},
    {"sweep", "Sweep", "Many points: block sizes, tunables, zeros, batch, and which is best"},
    {"network", "Network", "Every layer of a network, and what it comes to"},
    {"lessons", "Lessons", "Lessons next to the live views, with questions that they answer"},
    {"kernel", "Kernel", "A CUDA kernel of your own: checked whenever its file is saved, and stepped through"},
};
using ViewId = OneOf<view_table>;

}  // namespace convscope::app
