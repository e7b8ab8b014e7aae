// Which rows of a sweep or a network an earlier run has left in the CSV.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "kernels/measure/measure.h"

namespace convscope::cli {

class DoneRows {
public:
    DoneRows() = default;
    /// Reads the file where it is there; rows that were cancelled count as missing. Rows that do not read are
    /// reported on stderr. Throws Error(file).
    explicit DoneRows(const std::string& csv_path);

    bool empty() const { return rows_.empty(); }
    bool has(const Record& planned) const { return find(planned) != nullptr; }
    /// The latest row that measured this; null when there is none.
    const Record* find(const Record& planned) const;

private:
    std::map<std::string, Record> rows_;  // by measurement_key
};

}  // namespace convscope::cli
