// Runs a kernel on the CPU: blocks in parallel, every access watched.
#pragma once

#include <chrono>
#include <cstdint>
#include <mutex>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "kernels/core/launch.h"
#include "kernels/ptx/figures.h"
#include "kernels/ptx/finding.h"
#include "kernels/ptx/program.h"
#include "kernels/ptx/tensor_map.h"
#include "kernels/ptx/warp_trace.h"

namespace convscope::ptx {

/// What a pointer of the kernel points to. The launch reads and writes it in place.
struct ArrayArgument {
    std::string name;           ///< for findings
    std::span<std::byte> data;  ///< not owned
    unsigned element_bytes = 4;
    bool written = true;  ///< holds values; otherwise reading what the kernel has not written is a finding
    bool writable = true;
};

/// The bytes of a parameter: an array's address, a tensor map of it, or a value of the parameter's size.
struct Argument {
    std::optional<ArrayArgument> array;
    std::vector<std::byte> value;
    std::optional<TensorBox> tensor = {};
};

struct LaunchRequest {
    Dim3 grid, block;
    std::uint64_t shared_bytes = 0;  ///< dynamic
    std::vector<Argument> arguments;
    bool figures = false;
    std::optional<WarpTraceRequest> trace;
    double max_seconds = 60;
    std::int64_t max_warp_instructions = 400'000'000;  ///< of one warp; more is an endless loop
    std::size_t max_printed_bytes = 1 << 16;
    unsigned workers = 0;  ///< host threads; 0: as many as the CPU has
    std::stop_token stop;
};

/// What printf printed, up to a limit.
class PrintedText {
public:
    explicit PrintedText(std::size_t max_bytes) : max_bytes_(max_bytes) {}
    void add(const std::string&);
    /// True, and counts the call, where there is no more room.
    bool full();
    std::string take();

private:
    std::mutex mutex_;
    const std::size_t max_bytes_;
    std::string text_;
    std::int64_t dropped_ = 0;  ///< calls
};

struct LaunchResult {
    std::vector<Finding> findings;
    std::string printed;
    bool cut_short = false;  ///< there were FindingList::max_times findings, and it was ended
    std::string failure;     ///< why it did not come to its end, as a sentence; empty when it did
    Figures figures;
    WarpTrace trace;  ///< of the warp that was asked for
    double seconds = 0;
};

/// Of element 'index' in the order of threads and blocks, x first.
Dim3 dim3_at(std::int64_t index, const Dim3& extent);

/// Throws Error(usage) for a launch that no GPU takes (sizes, missing or wrong arguments), OutOfMemory.
LaunchResult run(const Program&, const LaunchRequest&);

}  // namespace convscope::ptx
