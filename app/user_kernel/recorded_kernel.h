// A launch of a program's run, as a kernel to look at: run again with the memory that it found.
#pragma once

#include <memory>
#include <string>

#include "app/user_kernel/prepared_kernel.h"

namespace convscope::app {

/// 'source' is the text of the program's 'file', which may hold the kernel: it says what the parameters are called.
/// Throws Error for PTX that does not read, and arguments that are not the kernel's.
std::unique_ptr<PreparedKernel> prepare_recorded(RecordedLaunch&&, const std::string& source, const std::string& file);
/// After a run.
void note_changes(RecordedMemory&);

}  // namespace convscope::app
