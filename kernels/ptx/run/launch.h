// Runs a kernel on the CPU: blocks in parallel, every access checked.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "kernels/core/launch.h"
#include "kernels/ptx/run/launch_counts.h"
#include "kernels/ptx/run/malloc_heap.h"
#include "kernels/ptx/run/memory.h"
#include "kernels/ptx/run/program.h"
#include "kernels/ptx/run/tensor_map.h"
#include "kernels/ptx/run/texture.h"
#include "kernels/ptx/run/warp_trace.h"
#include "kernels/ptx/text/finding.h"

namespace convscope::ptx {

/// The array behind a pointer parameter. The launch reads and writes it in place.
struct ArrayArgument {
    std::string name;           ///< for findings
    std::span<std::byte> data;  ///< not owned
    unsigned element_bytes = 4;
    bool written = true;  ///< holds values; otherwise reading what the kernel has not written is a finding
    bool writable = true;
    /// Replaces 'written' for arrays that several launches use: for each 4-byte word, a bit for each byte that holds a
    /// value. The launch adds the bytes that it writes. Empty, or a byte for each word.
    std::span<std::uint8_t> history = {};
    unsigned misaligned_bytes = 0;  ///< its address is so many bytes, under 256, above a multiple of 256
};

/// The bytes of a parameter: an array's address, a tensor map of it, or a value of the parameter's size.
struct Argument {
    /// An array that a pointer inside of the value points to; the pointer is at 'offset' bytes.
    struct Member {
        std::uint64_t offset = 0;
        ArrayArgument array;
    };
    std::optional<ArrayArgument> array;
    std::vector<std::byte> value;
    std::optional<TensorBox> tensor = {};
    std::vector<Member> members = {};  ///< of a structure
};

/// An array that stays in place from launch to launch: the kernel reads and writes it there. Its 'shadow' is the
/// launch's.
struct LentArray {
    Array array;
    std::uint64_t address = 0;
    struct Bytes {
        std::uint64_t from = 0, to = 0;
    };
    Bytes read = {},
          written = {};      ///< from the first that the launch used so to behind the last; array.used says whether
    std::uint64_t room = 0;  ///< so many bytes before and behind it are no other's: an index that led there was its
};
/// The range between the launch's own addresses and Linux's for a process's memory.
constexpr std::uint64_t lent_begin = std::uint64_t{1} << 45, lent_end = std::uint64_t{5} << 44;

struct LaunchRequest {
    Dim3 grid, block;
    std::optional<Dim3> cluster;     ///< blocks; none: as the kernel says
    std::uint64_t shared_bytes = 0;  ///< dynamic
    std::vector<Argument> arguments;
    std::map<std::string, unsigned> shared_element_bytes = {};  ///< of arrays in shared memory, where it is known
    /// Initial values of the module's variables, by their short names, and their values at the end; not owned.
    std::map<std::string, std::span<std::byte>> variables = {};
    /// Variables without an initial value in the source or from the caller: reading them is a finding, unless code of
    /// the module may write them, so that their zeros count.
    std::set<std::string> unset = {};
    /// Arrays in the order of their addresses; the launch reports its use of each in 'used'. Addresses of the host may
    /// be among them.
    std::span<LentArray> memory = {};
    /// Describes an address that is in none of them, as a part of a sentence: "a pointer of the host". Empty: nothing
    /// lies there.
    std::function<std::string(std::uint64_t address)> foreign = {};
    /// The heap of malloc() in kernels, which outlasts the launch; not owned. Null: the launch has its own, and
    /// allocations left in it at the end are a finding.
    MallocHeap* heap = nullptr;
    /// Textures and surfaces by their handles; their contents lie in 'memory'; not owned. Null: none.
    const std::map<std::uint64_t, Texture>* textures = nullptr;
    /// All blocks run at a time and may wait for each other, as for grid.sync(). Empty: the kernel decides.
    std::optional<bool> cooperative = {};
    bool counts = false;
    bool lines = false;  ///< with 'counts': Traffic::lines and bytes_wanted as well, which take time
    std::optional<WarpTraceRequest> trace;
    double max_seconds = 60;
    std::int64_t max_warp_instructions = 400'000'000;  ///< of one warp; more is an endless loop
    std::size_t max_printed_bytes = 1 << 16;
    unsigned workers = 0;  ///< host threads; 0: as many as the CPU has
    std::stop_token stop;
};

/// The output of printf, up to a limit.
class PrintedText {
public:
    explicit PrintedText(std::size_t max_bytes) : max_bytes_(max_bytes) {}
    /// 'block': its number in the grid.
    void add(std::int64_t block, std::string);
    /// True where there is no more room; counts the dropped call.
    bool full();
    /// In the order of time; several host threads vary it from run to run: then use 'by_block'.
    std::string take(bool by_block);

private:
    std::mutex mutex_;
    const std::size_t max_bytes_;
    std::size_t bytes_ = 0;
    std::vector<std::pair<std::int64_t, std::string>> texts_;
    std::int64_t dropped_ = 0;  ///< calls
};

/// An array without values at the start (ArrayArgument::written), of which the kernel left some elements unwritten.
struct UnwrittenElements {
    std::string array;
    std::int64_t count = 0, first = 0, of = 0;  ///< elements: left out, the first of them, all
    /// "y: 24 of 1024 elements are not written, the first is y[1000]"
    std::string text() const;
};

struct LaunchResult {
    std::vector<Finding> findings;
    std::string printed;
    std::vector<UnwrittenElements> unwritten;  ///< of a launch that came to its end
    std::vector<std::string> notes;            ///< Program::notes
    bool cut_short = false;                    ///< there were FindingList::max_times findings, and it was ended
    std::string failure;                       ///< why it did not come to its end, as a sentence; empty when it did
    std::optional<ThreadLocation> reached;     ///< where a thread was when the time ran out
    LaunchCounts counts;
    WarpTrace trace;  ///< of the warp that was asked for
    double seconds = 0;
};

/// Blocks per cluster: from the launch, else from the kernel.
Dim3 cluster_of(const Program&, const LaunchRequest&);

/// The coordinates of element 'index' in the order of threads and blocks, x first.
Dim3 dim3_at(std::int64_t index, const Dim3& extent);

/// All variables of a module together, bytes: they are filled before a kernel runs, and the executor keeps ten more for
/// each.
constexpr std::uint64_t max_variable_bytes = 160'000'000;

/// Where something is found on several host threads, the launch is repeated on one: which of two blocks comes first to
/// a word, and so what is reported and how often, would vary between runs. Not where one thread may take more than half
/// of max_seconds. Throws Error(usage) for a launch that no
/// GPU takes (sizes, missing or wrong arguments), OutOfMemory.
LaunchResult run(const Program&, const LaunchRequest&);

}  // namespace convscope::ptx
