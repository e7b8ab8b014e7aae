// Counts samples. A sample whose threads had to wait for a core does not count, and a method with too few that count
// has no time. What counts as too few is decided here; how many samples a row needs at least, in record_times.h.
#pragma once

#include <cstdint>
#include <string>

#include "kernels/records/record.h"

namespace convscope {

struct SampleCounts {
    std::int64_t counted = 0, waited = 0;

    /// So few count that their median would be that of a few lucky moments.
    bool nearly_all_waited() const;
    /// nearly_all_waited(), or those that count are too few for an interval because others had to wait.
    bool too_busy() const;
    /// "5 of 5 samples waited for a core"
    std::string describe() const;
    /// A note next to a time: " (27 of 60 samples waited for a core, left out)". Empty where none waited.
    std::string left_out() const;
};

/// This many samples that count are enough for an interval that can be trusted, whatever was left out.
inline constexpr std::int64_t min_settled_samples = 20;

/// Replaces all that comes from samples by the reason: "Too busy: 5 of 5 samples waited for a core".
void set_too_busy(Record&, const SampleCounts&);
/// Whether a row has that reason; works for a row from a file too.
bool is_too_busy(const Record&);

}  // namespace convscope
