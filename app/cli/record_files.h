// The files of records that merge, compare, export and fit are given.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "kernels/records/read_records.h"

namespace convscope::cli {

/// Reads the file and reports on stderr how long that takes, where it does, what is wrong with its first 20
/// bad lines, how many more there are, and which columns are passed over. Throws Error(file).
RecordFile read_and_report(const std::string& path);
/// The same; the records are given to 'take' one by one and not kept.
RecordFile read_and_report(const std::string& path, const std::function<void(const Record&)>& take);

/// 6 when a line of these files could not be read, else 0: what was left out must not go unnoticed in a script.
int lines_status(const std::vector<RecordFile>&);

}  // namespace convscope::cli
