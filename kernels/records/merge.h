// Joins the rows of several files, such as the shards of a sweep.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "kernels/records/record.h"

namespace convscope {

struct RecordFile;

/// The most shards that one sweep has.
inline constexpr std::size_t max_shards = 100000;

/// Differences between files that are allowed when joining.
struct Mix {
    bool device = false;    ///< device_name, compute_capability
    bool versions = false;  ///< driver_version, cuda_version, vendor_version, app_version
    bool scope = false;     ///< timing_scope
    bool cache = false;     ///< cache_mode
};

struct Merged {
    std::vector<Record> records;        ///< in the order of the files
    std::vector<std::string> replaced;  ///< a sentence for each row that gave way to one of the same point
    std::size_t repeated = 0;           ///< rows that two files have exactly alike; one of each stays
    std::string shards;                 ///< which shards of a sweep are not among the rows; empty: none is missed
};

/// Keeps the later of two rows of one point on one device; a cancelled row counts as not finished. Throws Error(usage)
/// naming two files and their difference when rows do not belong together: when joining them would put values side by
/// side that no file has side by side.
Merged merge_records(const std::vector<RecordFile>&, const Mix&);

}  // namespace convscope
