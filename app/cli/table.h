// Records as a table for people.
#pragma once

#include <string>
#include <vector>

#include "kernels/records/record.h"

namespace convscope::cli {

/// "4.21 us", "1.30 ms", "2.05 s".
std::string time_text(double microseconds);

/// How methods that do not take the layer are shown: as rows with their reasons, or as names alone below the table,
/// where nobody named them.
enum class Unsupported { as_rows, by_name };

/// A line for each record, aligned, under a line of headings, or, where all are of the simulated GPU, a column for
/// each. What went wrong, and why a time has no interval or a run no counts, stands below.
std::string table_of(const std::vector<Record>&, Unsupported = Unsupported::as_rows);

/// The heading that the rows of one call share: the device, the shape and the data.
std::string heading_of(const Record&);

}  // namespace convscope::cli
