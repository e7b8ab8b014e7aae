// Reads the rows that --resume finds in the CSV.
#pragma once

#include <string>

#include "app/sweep/done_rows.h"

namespace convscope::cli {

/// Rows that do not read are reported on stderr. Throws Error(file).
DoneRows read_done_rows(const std::string& csv_path);

}  // namespace convscope::cli
