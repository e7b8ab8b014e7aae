// Fills a RecordTable with rows of cells and checks each: a row is added whole or not at all.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/records/record_table.h"

namespace convscope {

class TableBuilder {
public:
    /// Cells are given in the order of csv_columns(); 'file' is put into every row.
    TableBuilder(RecordTable& table, std::string_view file);
    /// As above, but the i-th cell belongs to column[i], or to none; columns that have no cell are left empty,
    /// and weights are as they are.
    TableBuilder(RecordTable& table, std::string_view file, std::vector<std::optional<std::size_t>> column);
    TableBuilder(const TableBuilder&) = delete;
    TableBuilder& operator=(const TableBuilder&) = delete;

    /// Throws cell::BadCell naming the column, and leaves the table as it was. The cells need not outlive the call.
    void add(const std::vector<std::string_view>& cells);

private:
    /// The cell of the last added row in a column. Most rows repeat it.
    struct Column {
        TextColumn* text = nullptr;  ///< or
        NumberColumn* numbers = nullptr;
        bool whole = false;
        bool known = false;  ///< 'last' and 'value' are those of the last row
        bool fresh = true;   ///< the row under way has another cell than 'last'
        std::string last;
        std::string_view now;
        double value = 0;
    };

    void read(std::size_t column, std::string_view text);
    void read_pad(std::size_t column, std::size_t extra, std::string_view text);
    void check_text(std::size_t column, std::string_view text) const;
    void forget_row();
    void check_shape();

    RecordTable& table_;
    std::string file_;
    std::vector<std::optional<std::size_t>> column_;
    /// Places in column_; its size where there is no such cell.
    std::size_t method_cell_ = 0, family_cell_ = 0, version_cell_ = 0;
    std::vector<Column> columns_;
};

}  // namespace convscope
