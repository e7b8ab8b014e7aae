// A .cu file after preprocessing, laid out as the file is.
#pragma once

#include <string>

#include "kernels/ptx/compile_errors.h"

namespace convscope::ptx {

/// Takes the file's own text from 'preprocessed', which has "# LINE "FILE"" before each part, and puts each line where
/// the file has it. Text from a header of its folder stands on the line that includes it; other headers' is left out.
std::string expanded_source(const std::string& preprocessed, const SourceNames&);

}  // namespace convscope::ptx
