// Records as a table for people.
#pragma once

#include <string>
#include <vector>

#include "kernels/records/record.h"

namespace convscope::cli {

/// "4.21 us", "1.30 ms", "2.05 s".
std::string time_text(double microseconds);

/// One line per record, aligned, under a line of headings; what went wrong, and why a time has
/// no interval, stands below the row it belongs to.
std::string table_of(const std::vector<Record>&);

/// What the rows of one call share: the device, the shape and the data.
std::string heading_of(const Record&);

}  // namespace convscope::cli
