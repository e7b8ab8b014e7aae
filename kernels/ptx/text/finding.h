// Findings: the errors that the checks detect in a kernel.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "kernels/core/launch.h"
#include "kernels/ptx/text/module.h"

namespace convscope::ptx {

/// Ordered as they are listed: a missing wait at a barrier also causes races, and reads of unwritten values.
enum class FindingKind : std::uint8_t {
    divergent_barrier,
    out_of_bounds,
    use_after_free,
    invalid_free,
    host_pointer,
    misaligned,
    race,
    uninitialised,
    endless,
    assertion,
    leak
};
const char* to_string(FindingKind);  ///< "out_of_bounds"

/// A thread at a source line.
struct ThreadLocation {
    Dim3 block, thread;
    SourceLine at;
};

struct Finding {
    FindingKind kind = FindingKind::out_of_bounds;
    ThreadLocation found;
    std::string element;                  ///< "x[17]"; empty where it is about none
    std::string what;                     ///< "reads 4 bytes: x has 16 elements"
    std::optional<ThreadLocation> other;  ///< of a race, or of a barrier
    std::string other_action;             ///< "writes it"
    std::int64_t times = 1;               ///< that the same was found, by other threads or later

    /// "out_of_bounds conv.cu:17 block (0,0,0) thread (31,0,0) x[1024]: reads; x has 1024 elements (992 times)"
    std::string line(const Module&) const;
};

/// "conv.cu:17"
std::string source_location(const Module&, SourceLine);
std::string thread_text(const Dim3&);  ///< "(31,0,0)"

/// Collects findings from all host threads. Findings of one kind at one line about one array are merged; the first
/// block and thread stand for them. A read of unwritten memory is dropped where a race names its writer: when all
/// elements that a line reads too early are among those that it races about.
class FindingList {
public:
    static constexpr std::size_t max_findings = 100;  ///< of different lines

    static constexpr std::int64_t max_times = 1'000'000;  ///< of all lines

    /// Returns false when there are so many that the kernel may as well be ended.
    bool add(Finding);
    /// Returns them sorted by kind, then by line. Nothing may be added afterwards.
    std::vector<Finding> take();

private:
    using Key = std::tuple<FindingKind, SourceLine, std::string, SourceLine>;
    /// Elements of an array at a line of the source.
    using Elements = std::map<std::pair<SourceLine, std::string>, std::set<std::string>>;
    bool explained(const Finding&) const;

    std::mutex mutex_;
    std::map<Key, Finding> found_;
    Elements unwritten_, raced_;
    std::int64_t times_ = 0;
};

}  // namespace convscope::ptx
