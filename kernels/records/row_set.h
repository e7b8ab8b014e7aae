// A set of rows of a RecordTable, a bit for each: a filter's result, a selection.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace convscope {

class RowSet {
public:
    explicit RowSet(std::size_t rows = 0, bool all = false);

    std::size_t rows() const { return rows_; }  ///< that could be in it
    std::size_t count() const;                  ///< that are
    bool none() const { return count() == 0; }
    bool operator[](std::size_t row) const { return words_[row / 64] >> row % 64 & 1; }
    void insert(std::size_t row) { words_[row / 64] |= std::uint64_t{1} << row % 64; }
    void erase(std::size_t row) { words_[row / 64] &= ~(std::uint64_t{1} << row % 64); }
    void set(std::size_t row, bool in) { in ? insert(row) : erase(row); }
    /// Makes room for more rows, which are not in it.
    void grow(std::size_t rows);

    // Both sides have the same number of rows.
    RowSet& operator&=(const RowSet&);
    RowSet& operator|=(const RowSet&);
    RowSet operator~() const;
    bool operator==(const RowSet&) const = default;

    /// Calls use(row) for each row in it, in ascending order.
    template <class Use>
    void each(Use&& use) const {
        for (std::size_t i = 0; i < words_.size(); ++i)
            for (std::uint64_t word = words_[i]; word != 0; word &= word - 1)
                use(i * 64 + static_cast<std::size_t>(std::countr_zero(word)));
    }
    std::vector<std::uint32_t> list() const;

private:
    void trim();

    std::size_t rows_ = 0;
    std::vector<std::uint64_t> words_;  ///< bits past the last row are 0
};

}  // namespace convscope
