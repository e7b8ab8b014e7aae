#include "app/cli/resume.h"

#include <fmt/format.h>

#include <cstdio>
#include <filesystem>

#include "kernels/measure/csv_file.h"

namespace convscope::cli {

DoneRows::DoneRows(const std::string& csv_path) {
    std::error_code none;
    if (!std::filesystem::is_regular_file(csv_path, none) || std::filesystem::file_size(csv_path, none) == 0) return;
    const CsvContent content = read_csv(csv_path);
    for (const std::string& error : content.errors) fmt::print(stderr, "convscope: {}\n", error);
    for (const Record& record : content.records)
        if (record.status != Status::cancelled) keys_.insert(measurement_key(record));
}

}  // namespace convscope::cli
