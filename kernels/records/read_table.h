// Reads CSV files of records into a RecordTable, on all processors.
#pragma once

#include <filesystem>
#include <stop_token>
#include <string>
#include <vector>

#include "kernels/records/read_progress.h"
#include "kernels/records/record_table.h"

namespace convscope {

/// Problems of a file apart from its rows.
struct TableProblems {
    static constexpr std::size_t most = 200;
    std::vector<std::string> lines;  ///< "FILE:LINE: COLUMN: what is wrong", the first 'most' rows that were left out
    std::size_t left_out = 0;        ///< how many rows that is in all
    std::vector<std::string> notes;  ///< of the file as a whole: columns that are missing or not known
};

struct TableContent {
    RecordTable table;
    TableProblems problems;
};

struct TableReadOptions {
    unsigned threads = 0;               ///< 0: as many as there are processors
    ReadProgress progress = {};         ///< on the caller's thread
    std::stop_token stop = {};          ///< asked to stop, the rows so far are returned
    std::size_t chunk_bytes = 4 << 20;  ///< a thread's share at a time
};

/// Columns may stand in any order; unknown ones are skipped and missing ones are empty, each with a note, as long as
/// 'method' and 'time_median_us' exist. A row that does not read costs itself alone, even with a quote that never
/// closes. Throws Error(file) when the file cannot be read or is not a CSV of records.
TableContent read_table(const std::filesystem::path&, const TableReadOptions& = {});

}  // namespace convscope
