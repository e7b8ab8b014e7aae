// The records of files that are compared, column by column: what they repeat is kept once.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/layers/shape_fields.h"
#include "kernels/records/record_table.h"
#include "kernels/records/table_builder.h"

namespace convscope {

/// A record keeps what was measured (point_columns), on what and with which versions, and the time with its noise.
/// Rows are numbered from 0, in the order of add().
class ComparedRecords {
public:
    ComparedRecords();

    void add(const Record&);
    std::size_t rows() const { return table_.rows(); }
    /// With these columns alone.
    Record record(std::size_t row) const;
    std::string_view text(std::size_t row, std::string Record::*column) const;

    /// Whether point_key is the same of two rows, and a hash of it.
    bool same_point(std::size_t a, std::size_t b) const;
    std::size_t point_hash(std::size_t row) const;
    /// Whether 'next', further down in the files, counts in place of 'there'.
    bool supersedes(std::size_t next, std::size_t there) const;

private:
    std::string_view kind(std::size_t row) const;  ///< "cuda" of "cuda:0"

    RecordTable table_;
    TableBuilder builder_;
    std::vector<std::size_t> point_texts_, point_numbers_;  ///< columns of point_key but the device
};

}  // namespace convscope
