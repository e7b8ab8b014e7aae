// A run of a whole program on the simulated GPU: its launches, and what is wrong with them and with the calls around
// them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <stop_token>
#include <string>
#include <vector>

#include "app/program/launch_memory.h"
#include "app/program/program_process.h"
#include "kernels/core/launch.h"

namespace convscope::app {

struct ProgramRequest {
    std::filesystem::path file;  ///< a .cu file, or a program
    std::vector<std::string> arguments, defines;
    std::string model;    ///< of kernels/core/device_model.h; empty: default_device_model()
    bool counts = false;  ///< of each launch
    double max_seconds = 60;
    bool keep =
        false;  ///< its launches, and what it writes; it then works in its file's folder and has nothing to read
};

struct ProgramFinding {
    std::string kind;  ///< "out_of_bounds", "leak"
    std::string at;    ///< "add.cu:17"
    std::string text;  ///< the whole line, without how often
    std::int64_t times = 1;
    std::vector<std::size_t> launches;  ///< that it was found in, indices of ProgramRun::launches; none: of a call
    std::size_t launches_before = 0;    ///< of a call: how many there were
    nlohmann::ordered_json details;     ///< as in 'kernel --json'

    std::string line() const;
};

struct ProgramLaunch {
    std::string kernel, at;  ///< "add", where it is launched
    Dim3 grid, block;
    std::int64_t warp_instructions = 0;  ///< where counts were wanted
    nlohmann::ordered_json details;      ///< grid, block, shared_bytes, stream, figures where they were wanted
    nlohmann::ordered_json kept;         ///< for read_recorded, where launches are kept; null: it is not
    std::string left_out;                ///< then: why, as a sentence
};

struct ProgramRun {
    ProcessEnd end;
    std::vector<ProgramLaunch> launches;
    std::vector<ProgramFinding> findings;        ///< none twice, in the order in which they were found
    std::vector<std::string> notes;              ///< what is no fault, as sentences
    std::vector<std::string> failures;           ///< launches and calls that could not be run as they are meant
    std::shared_ptr<const LaunchMemory> memory;  ///< what is kept of its launches

    /// Nothing was found, and the program ended with status 0.
    bool clean() const;
    /// "ended with status 0; 3 launches of 2 kernels, nothing found"
    std::string summary() const;
};

/// Compiles where there is something to compile, and runs. Throws as build_program and run_process.
ProgramRun run_program(const ProgramRequest&, const std::stop_token&);

/// Splits a text into words as a program gets them: "" around those with blanks, \ before a " in them.
std::vector<std::string> words_in(const std::string& text);

/// All of it, for --json.
nlohmann::ordered_json json_of(const ProgramRequest&, const ProgramRun&);

}  // namespace convscope::app
