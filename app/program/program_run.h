// A run of a whole program on the simulated GPU: its launches, and what is wrong with them and with the calls around
// them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <stop_token>
#include <string>
#include <vector>

#include "app/program/program_process.h"

namespace convscope::app {

struct ProgramRequest {
    std::filesystem::path file;  ///< a .cu file, or a program
    std::vector<std::string> arguments, defines;
    std::string model;    ///< of kernels/core/device_model.h; empty: default_device_model()
    bool counts = false;  ///< of each launch
    double max_seconds = 60;
};

struct ProgramFinding {
    std::string kind;  ///< "out_of_bounds", "leak"
    std::string at;    ///< "add.cu:17"
    std::string text;  ///< the whole line, without how often
    std::int64_t times = 1;
    std::vector<std::size_t> launches;  ///< that it was found in, indices of ProgramRun::launches; none: of a call
    nlohmann::ordered_json details;     ///< as in 'kernel --json'

    std::string line() const;
};

struct ProgramLaunch {
    std::string kernel, at;          ///< "add", where it is launched
    nlohmann::ordered_json details;  ///< grid, block, shared_bytes, stream, figures where they were wanted
};

struct ProgramRun {
    ProcessEnd end;
    std::vector<ProgramLaunch> launches;
    std::vector<ProgramFinding> findings;  ///< none twice, in the order in which they were found
    std::vector<std::string> notes;        ///< what is no fault, as sentences
    std::vector<std::string> failures;     ///< launches and calls that could not be run as they are meant
};

/// Compiles where there is something to compile, and runs. Throws as build_program and run_process.
ProgramRun run_program(const ProgramRequest&, const std::stop_token&);

/// All of it, for --json.
nlohmann::ordered_json json_of(const ProgramRequest&, const ProgramRun&);

}  // namespace convscope::app
