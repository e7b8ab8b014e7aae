// Runs a compiler in a temporary folder, under limits of time and memory, and never longer than this process lives.
#pragma once

#include <filesystem>
#include <stop_token>
#include <string>
#include <vector>

namespace convscope::ptx {

constexpr double compiler_seconds = 9;  ///< of processor time, for a kernel

/// A program's name for sentences: "nvcc" from "/usr/local/cuda/bin/nvcc".
std::string program_name(const std::string& path);

struct ProgramEnd {
    bool well = false;
    std::string output;  ///< of both of its streams; the first MiB where it failed
    std::string reason;  ///< why it was ended, or that it crashed: "takes more than 9 s"; empty: the output says why
};

/// Runs command[0] with the others as arguments, in 'folder', which also holds its temporary files. No shell reads
/// them, but nvcc runs its steps in one: arguments and folder names must be ours. The process and all that it started
/// are ended when it uses more than 'max_cpu_seconds' of processor time, waits for 8 s without using any, or this
/// process dies, when 'folder' is removed as well. Each process gets 2 GB of memory, and files of 64 MB. Throws
/// Error(not_found) without such a program, Error(failed) where it was stopped.
ProgramEnd run_program(const std::vector<std::string>& command, const std::filesystem::path& folder,
                       const std::stop_token&, double max_cpu_seconds = compiler_seconds);

}  // namespace convscope::ptx
