// What a preprocessor makes of a .cu file, laid out as the file is.
#pragma once

#include <string>

#include "kernels/ptx/compile_errors.h"

namespace convscope::ptx {

/// Of 'preprocessed', with "# LINE "FILE"" before each part: the file's own text, each line where the file has it. That
/// of a header of its folder stands on the line that includes it; other headers' is left out.
std::string expanded_source(const std::string& preprocessed, const SourceNames&);

}  // namespace convscope::ptx
