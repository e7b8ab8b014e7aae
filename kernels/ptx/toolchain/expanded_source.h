// Restores a .cu file's layout after preprocessing.
#pragma once

#include <string>

#include "kernels/ptx/toolchain/compile_errors.h"

namespace convscope::ptx {

/// Extracts the file's own text from 'preprocessed', which has "# LINE "FILE"" before each part, and puts each line
/// where the file has it. Text from headers in its folder goes on the line that includes it; other headers are left
/// out.
std::string expanded_source(const std::string& preprocessed, const SourceNames&);

}  // namespace convscope::ptx
