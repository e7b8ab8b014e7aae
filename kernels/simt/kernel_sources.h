// The source text of our kernels, carried in the program: what an array is called, and what stands in a line.
#pragma once

#include <source_location>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/files/embedded_text.h"

namespace convscope::simt {

using KernelSource = EmbeddedText;
std::span<const KernelSource> kernel_sources();

/// The path from the repository's root; the file's name alone for a file that is not carried.
std::string source_path(const std::source_location&);
/// Without the blanks around it; empty for a file that is not carried.
std::string_view source_line(const std::source_location&);
/// The variable that the line declares: "F_data" of 'Shared<float> F_data = ...'; empty when there is none.
std::string declared_name(const std::source_location&);
/// Where a kernel is written.
struct KernelPlace {
    const KernelSource* source = nullptr;  ///< null for an unknown kernel
    unsigned line = 0;                     ///< of its head, from 1
};
KernelPlace place_of_kernel(std::string_view kernel);
/// The file that begins a method's kernels; empty where none is named after it.
std::string_view source_of_method(std::string_view id);
/// The parameters of a kernel, by name; empty for an unknown kernel.
std::vector<std::string> parameter_names(std::string_view kernel);

}  // namespace convscope::simt
