// Where the rows of bench and sweep go: the CSV as they come, the JSON at the end.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/request/flags.h"
#include "kernels/records/csv_file.h"

namespace convscope::cli {

std::span<const Flag> output_flags();  ///< --csv, --json

class Outputs {
public:
    /// Opens the CSV and asks for the JSON, so that a path that cannot be written is known before anything is measured.
    explicit Outputs(const FlagValues&);

    void add(const Record&);
    /// A row of the CSV that an earlier run has left and this one does not measure again.
    void found(const Record& record) { found_wrong_ |= is_wrong(record.status); }
    /// The JSON will have these rows of an earlier run too, with their samples where the JSON that is there has them.
    /// Throws Error(file) when that does not read.
    void keep(std::vector<Record> earlier);
    /// Writes the rows as JSON. Throws Error(file).
    void finish() const;
    /// Writes this text as the JSON instead.
    void finish(const std::string& json) const;
    bool wants_json() const { return !json_path_.empty(); }
    const std::vector<Record>& records() const { return records_; }

    /// 0; 4 when a row is incorrect or suspicious, one that was found too; 5 when one failed at run time; 2 when every
    /// row was rejected before it ran.
    int exit_status() const;

private:
    std::string json_path_;
    std::optional<CsvFile> csv_;
    std::vector<Record> records_, earlier_;
    bool found_wrong_ = false;
};

}  // namespace convscope::cli
