// On which machine, with which libraries and when the rows of a CSV were measured.
#pragma once

#include <string>
#include <vector>

#include "kernels/records/record.h"

namespace convscope::cli {

/// "Measured on DEVICE, versions, on DATE." for each device and its versions, with an empty line at the end; empty
/// without records.
std::string where_and_when(const std::vector<Record>&);

/// A CSV file as a page names it, and its rows.
struct MeasuredFile {
    std::string name;
    const std::vector<Record>* records;
};

/// A table with a line for each file and, in it, for each device and its versions: files of one page may be of several.
/// A name that comes again is left out, and so is a file without rows.
std::string measured_files(const std::vector<MeasuredFile>&);

}  // namespace convscope::cli
