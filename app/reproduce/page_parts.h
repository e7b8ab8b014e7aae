// The parts of the pages that the program writes.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "kernels/records/record.h"

namespace convscope::reproduce {

/// templates/NAME.md with each {placeholder} replaced by its value. A paragraph that is empty then is left out.
std::string filled(const std::string& name, const std::map<std::string, std::string>& values);

/// A line for each row. Vertical bars in cells are escaped.
std::string markdown_rows(const std::vector<std::vector<std::string>>&);
/// A table with its head, and an empty line after it.
std::string markdown_table(const std::vector<std::string>& head, const std::vector<std::vector<std::string>>& body);

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

/// The command that a page names, as code; empty where there is no page, or none in it.
std::string command_in(const std::filesystem::path& page);

}  // namespace convscope::reproduce
