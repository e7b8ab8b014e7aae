// Samples whose threads had to wait for a core do not count, and a method that has too few others has no time. Here
// alone is said when that is so, and in which words.
#pragma once

#include <cstdint>
#include <string>

#include "kernels/records/record.h"

namespace convscope {

struct SampleCounts {
    std::int64_t counted = 0, waited = 0;

    /// So few count that their median would be one of lucky moments.
    bool nearly_all_waited() const;
    /// That, or those that count are too few for an interval because others had to wait.
    bool too_busy() const;
    /// "5 of 5 samples waited for a core"
    std::string describe() const;
    /// Of a time that there is: " (27 of 60 samples waited for a core, left out)". Empty where none did.
    std::string left_out() const;
};

/// So many samples that count are enough for an interval that can be trusted, whatever was left out.
inline constexpr std::int64_t min_settled_samples = 20;

/// In place of all that comes from samples: why there are no times, "Too busy: 5 of 5 samples waited for a core".
void set_too_busy(Record&, const SampleCounts&);
/// Whether a row says that, one from a file too.
bool is_too_busy(const Record&);

}  // namespace convscope
