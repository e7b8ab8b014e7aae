// Finds the rows of a sweep or a network that an earlier run has left in the CSV.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "kernels/measure/measure.h"

namespace convscope {

class DoneRows {
public:
    DoneRows() = default;
    /// Reads the file where it is there. Throws Error(file).
    explicit DoneRows(const std::string& csv_path);
    /// Rows that were cancelled count as missing.
    explicit DoneRows(std::vector<Record>);

    bool empty() const { return rows_.empty(); }
    bool has(const Record& planned) const { return find(planned) != nullptr; }
    /// The latest row that measured this; null when there is none.
    const Record* find(const Record& planned) const;
    /// Leaves out those of a method whose run began before this (run_stamp).
    void forget(const std::string& method, const std::string& before);
    /// "FILE:LINE: what is wrong", for each row that does not read.
    const std::vector<std::string>& errors() const { return errors_; }

private:
    std::map<std::string, Record> rows_;  // by measurement_key
    std::vector<std::string> errors_;
};

}  // namespace convscope
