// The comment before a kernel that says how it is called, written for a user who has said it otherwise.
#pragma once

#include <string>

#include "app/user_kernel/kernel_arguments.h"

namespace convscope::app {

/// "// convscope: grid = (4), block = (256), n = 1000": what is given and what the comment had.
std::string call_comment(const KernelArguments&);

/// The source with that line before the kernel at 'line' (from 1): in the place of the comments '// convscope:' right
/// above it, else as a line of its own.
std::string with_call_comment(const std::string& source, unsigned line, const std::string& comment);

}  // namespace convscope::app
