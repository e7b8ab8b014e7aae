// Which rows of a sweep an earlier run has left in the CSV.
#pragma once

#include <set>
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

    bool empty() const { return keys_.empty(); }
    bool has(const Record& planned) const { return keys_.contains(measurement_key(planned)); }

private:
    std::set<std::string> keys_;
};

}  // namespace convscope::cli
