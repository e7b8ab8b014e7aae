// Versions of convscope's parts and of the machine, for the About card and for bug reports.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "app/ui/widgets/fonts.h"
#include "kernels/method/registry.h"

namespace convscope::app {

/// ("Dear ImGui", "1.86"), in the order in which they are shown. An OpenGL context must be current.
std::vector<std::pair<std::string, std::string>> versions(const Registry&, const Fonts&);
/// The same as lines of text.
std::string versions_text(const std::vector<std::pair<std::string, std::string>>&);

}  // namespace convscope::app
