// Finds a traced line in the kernel's text: in the kernel itself, or in a function that it calls. No ImGui.
#pragma once

#include <source_location>
#include <string>
#include <string_view>

#include "kernels/simt/kernel_sources.h"

namespace convscope {

/// A traced line as two places that can be shown.
struct CodePlace {
    unsigned kernel_line = 0;  ///< in the kernel's file: the line itself, or the one that calls it
    const simt::KernelSource* helper =
        nullptr;  ///< the file of the called function; null when the line is the kernel's
    unsigned helper_line = 0;
};

/// 'kernel' is the kernel's name. A call is found by its name: the first line of the kernel that calls the function,
/// or one that calls it in turn. 0 for a line or a call that is not in the texts that the program carries.
CodePlace find_code(std::string_view kernel, const std::source_location&);

/// The name of the function that a line of a text belongs to; empty outside of one.
std::string enclosing_function(std::string_view text, unsigned line);

}  // namespace convscope
