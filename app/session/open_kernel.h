// The kernel that is open in the Kernel view, as a method that a sweep can have.
#pragma once

#include <filesystem>
#include <string>

#include "app/user_kernel/sweepable_kernel.h"

namespace convscope::app {

struct Session;

struct OpenKernel {
    std::string file;                       ///< as --own takes it: "FILE.cu", "FILE.cu:NAME"; empty: none is open
    std::filesystem::file_time_type saved;  ///< of the file, when it was read
    ConvShape layer;
    bool typed = false;    ///< it is called with what was typed in the Kernel view
    bool trusted = false;  ///< it may be compiled
    SweepableKernel kernel;
};

/// Reads the file again where it, or what the kernel is called with, is another than before.
void follow_open_kernel(Session&);

}  // namespace convscope::app
