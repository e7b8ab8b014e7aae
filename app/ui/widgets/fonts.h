// The typefaces of the interface: Inter for text, JetBrains Mono for numbers (their figures are tabular).
#pragma once

#include <imgui.h>

#include <string>

namespace convscope::app {

struct Fonts {
    ImFont* lead = nullptr;        ///< 20 px at scale 1: the sentence that a page leads with
    ImFont* text = nullptr;        ///< 15 px
    ImFont* strong = nullptr;      ///< semi-bold, 15 px
    ImFont* small = nullptr;       ///< 13 px: captions, units
    ImFont* script = nullptr;      ///< 11 px: subscripts and powers
    ImFont* mono = nullptr;        ///< 13.5 px: numbers and code
    ImFont* mono_small = nullptr;  ///< 12 px
    ImFont* mono_large = nullptr;  ///< 21 px, numbers alone
    std::string note;              ///< what is missing, as a sentence; empty when all is there
};

/// Replaces what the current context's atlas holds. 'scale' is the whole factor: display times the user's own.
/// The renderer's font texture must be made again afterwards.
Fonts load_fonts(float scale);

/// The files of this installation (visualizers/theme/font_files.h); an empty path stands for ImGui's built-in face.
struct FontFiles {
    std::string regular, semibold, monospace;
    std::string note;  ///< as above
};
FontFiles find_fonts();

}  // namespace convscope::app
