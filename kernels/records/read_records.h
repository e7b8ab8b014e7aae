// Reads records from any file format of this program.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "kernels/records/read_progress.h"
#include "kernels/records/record.h"

namespace convscope {

struct RecordFile {
    std::filesystem::path path;
    std::vector<Record> records;
    std::vector<std::string> errors;           ///< "FILE:LINE: what is wrong", one per row that was left out
    std::vector<std::string> ignored_columns;  ///< another program's
};

/// Reads CSV and JSON; the content decides which it is. Rows that do not read become errors. Throws Error(file) when
/// the file cannot be read or holds no records, OutOfMemory naming it. Only CSV reports 'progress'.
RecordFile read_records(const std::filesystem::path&, const ReadProgress& progress = {});
/// The same of a long file, whose records are given to 'take' one by one and not kept.
RecordFile read_records(const std::filesystem::path&, const ReadProgress& progress,
                        const std::function<void(const Record&)>& take);

}  // namespace convscope
