// Reads a sweep's CSV: its rows in all, and those of this sweep's plan.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "app/sweep/sweep_run.h"

namespace convscope::app {

struct SweepFileRequest {
    std::shared_ptr<const SweepPlan> plan;
    std::string csv_path;
    std::filesystem::file_time_type written;  ///< when the file was
    bool operator==(const SweepFileRequest&) const = default;
};

struct SweepFile {
    SweepFileRequest of;
    std::size_t rows = 0;       ///< that read, of whichever sweep
    std::vector<Record> found;  ///< those of the plan, in its order
    bool complete = false;      ///< nothing of the plan is missing
};

/// Takes as long as the file and the plan are large. Of a file that is not a CSV of records, nothing: a run says so.
SweepFile read_sweep_file(Registry&, const SweepFileRequest&);

/// "rows-2.csv" for "rows.csv": the first such name that no file has.
std::string next_free_name(const std::string& csv_path);

}  // namespace convscope::app
