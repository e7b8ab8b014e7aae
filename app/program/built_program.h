// A program that can run on the simulated GPU: one that is there already, or what a compiler makes of a .cu file.
#pragma once

#include <filesystem>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "kernels/files/temporary_folder.h"

namespace convscope::app {

struct BuiltProgram {
    std::filesystem::path file;               ///< what is run
    std::filesystem::path source;             ///< empty of one that was there already
    std::unique_ptr<TemporaryFolder> folder;  ///< of what was compiled
};

/// Whether the text of a .cu file has a main(), for programs and not for kernels alone.
bool has_main(const std::string& source);

/// Throws Error(usage), with what to compile it with, for a program that holds no PTX or is not linked with the shared
/// runtime, and for what is no program; otherwise as ptx::compile_program.
BuiltProgram build_program(const std::filesystem::path& source_or_program, const std::vector<std::string>& defines,
                           const std::stop_token&);

}  // namespace convscope::app
