// A program in a process of its own, with the simulated GPU's runtime in the place of NVIDIA's.
#pragma once

#include <filesystem>
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

namespace convscope::app {

struct ProgramStart {
    std::filesystem::path file;
    std::string name;  ///< what the program is told that it is called
    std::vector<std::string> arguments;
    std::string model;  ///< of the GPU: "A100"
    bool counts = false;
    double max_seconds = 60;       ///< of the whole run; a launch has three quarters of it
    std::filesystem::path folder;  ///< that it works in; empty: this process's
    /// Its output is kept, up to a limit, it has nothing to read, and launches are kept in this memory
    /// (LaunchMemory::descriptor). -1: its streams are this process's, and no launch is kept.
    int launches = -1;
};

struct ProcessEnd {
    int status = 0;
    int signal = 0;       ///< that ended it; 0: none
    std::string failure;  ///< why it did not end by itself; empty: it did
    std::string output;   ///< what it wrote to standard output and standard error, where that is kept
};

/// The runtime that programs run with. Next to it are the libraries that a package brings for it. Throws
/// Error(not_found) where this build has none.
std::filesystem::path runtime_library();

/// 'event' gets each line that its runtime reports (kernels/runtime/report.h). It is ended when its time is up, or when
/// this process dies, and what it has started with it unless it reads from a terminal; it has as much memory as the
/// machine. Throws Error(failed) where it cannot be started, or was stopped; otherwise as runtime_library.
ProcessEnd run_process(const ProgramStart&, const std::function<void(const std::string&)>& event,
                       const std::stop_token&);

}  // namespace convscope::app
