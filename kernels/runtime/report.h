// The run's report to the process that started it: one JSON object per line, through a descriptor.
//
//   {"event": "allocation", "id": 2, "bytes": 4096, "call": "cudaMalloc", "frames": [4711, ...]}
//   {"event": "launch", "kernel": "add", "grid": [4, 1, 1], "findings": [...], ...}
//   {"event": "fault", "kind": "leak", "call": "cudaMalloc", "what": "...", "allocation": 2, "frames": [...]}
//
// Where launches are to be kept, a launch's event has "kept", for app/program/recorded_launch.h:
//
//   {"symbol": "_Z3add...", "ptx": {"at": 0, "bytes": 9000}, "cluster": [2, 1, 1], "cooperative": false,
//    "dynamic_bytes": 0, "arguments": ["00ff...", ...], "variables": [address, ...], "host_pages": [address, ...],
//    "memory": [{"address": 70368744194048, "room": 65536, "name": "x", "bytes": 4096, "at": 9008, ...}, ...]}
//
// or "left_out", a sentence. "at" is a byte of the shared memory: of PTX, or of an array's bytes as they were before
// the launch, behind which those of LentArray's 'written' stand; an array that the launch has not touched has none.
//
// Frames are where the program's own code made the call, the innermost first: bytes into the program's file as it is
// loaded, of the last byte of the call. A text says "{2}" for what the program calls allocation 2.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace convscope::runtime {

using Json = nlohmann::ordered_json;

/// The environment variable that holds this run's settings, in JSON; without it nothing is reported.
constexpr const char* settings_variable = "CONVSCOPE_RUNTIME";

struct Settings {
    int report = -1;          ///< the descriptor
    int launches = -1;        ///< likewise of the memory that they are kept in; -1: they are not
    bool lines = false;       ///< what the program writes is passed on at the end of each line
    bool counts = false;      ///< of instructions and requests are wanted
    double max_seconds = 60;  ///< of a launch
    std::string model;        ///< of kernels/core/device_model.h; empty: default_device_model()
};
const Settings& settings();

/// For an access at an address where the host has something and the GPU nothing; "host_pages" are of this size.
inline constexpr std::uint64_t host_page_bytes = 4096;
inline constexpr const char* host_pointer_sentence =
    "a pointer of the host: what it points to has to be copied, to memory of cudaMalloc";

/// "{2}"
std::string name_token(std::int64_t allocation);

/// Frames of the call; or, in a signal handler, of the instruction at this address.
std::vector<std::uint64_t> frames_here(std::uint64_t interrupted = 0);

/// While it lives, sets what frames_here() returns on this thread: a launch with <<<>>> is known by where its sizes are
/// given.
class AsIfFrom {
public:
    explicit AsIfFrom(std::vector<std::uint64_t> frames);
    ~AsIfFrom();
    AsIfFrom(const AsIfFrom&) = delete;
    AsIfFrom& operator=(const AsIfFrom&) = delete;
};

void report(const Json& event);

}  // namespace convscope::runtime
