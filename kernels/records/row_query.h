// Queries a RecordTable: which rows meet conditions, in which order, and which values a column has.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/records/record_table.h"
#include "kernels/records/row_set.h"

namespace convscope {

/// One condition on one column. Empty cells meet no range.
struct RowCondition {
    std::size_t column = 0;
    std::set<std::string> any_of;     ///< cells as the CSV has them; empty: any
    std::optional<double> low, high;  ///< both ends included; of a column of numbers
    std::string contains;             ///< somewhere in the cell, whatever the case; empty: any
    bool operator==(const RowCondition&) const = default;
};

/// The rows that meet all conditions.
RowSet rows_where(const RecordTable&, const std::vector<RowCondition>&);

/// Reads a line of conditions as a user types them: words that any text cell of a row may contain, and
/// COLUMN=VALUE[,VALUE], COLUMN<NUMBER, COLUMN>NUMBER, COLUMN=LOW:HIGH. A VALUE is a whole cell: pad_h=0 are the rows
/// with no padding above or below, pad_h=0+1 those with a row below; ranges are of the first number. zeros>50% is
/// sparsity_target>0.5. Throws Error(usage) with one sentence for a column or number that there is not.
struct RowQuery {
    std::vector<RowCondition> conditions;
    std::vector<std::string> words;  ///< each must be in one of the row's text cells
};
RowQuery parse_query(const std::string& line);
RowSet rows_where(const RecordTable&, const RowQuery&);

/// The rows of the set in the order of a column; rows with empty cells come last either way. Equal rows keep their
/// order. Text is ordered by its bytes.
std::vector<std::uint32_t> in_order(const RecordTable&, const RowSet&, std::size_t column, bool descending);

/// The distinct cells of a column among the rows of the set, numbers in ascending order, text in the order of first
/// appearance.
std::vector<std::string> distinct_cells(const RecordTable&, const RowSet&, std::size_t column);

}  // namespace convscope
