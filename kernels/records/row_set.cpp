#include "kernels/records/row_set.h"

namespace convscope {

RowSet::RowSet(std::size_t rows, bool all) : rows_(rows), words_((rows + 63) / 64, all ? ~std::uint64_t{0} : 0) {
    trim();
}

void RowSet::trim() {
    if (rows_ % 64 != 0) words_.back() &= (std::uint64_t{1} << rows_ % 64) - 1;
}

std::size_t RowSet::count() const {
    std::size_t sum = 0;
    for (const std::uint64_t word : words_) sum += static_cast<std::size_t>(std::popcount(word));
    return sum;
}

void RowSet::grow(std::size_t rows) {
    if (rows <= rows_) return;
    rows_ = rows;
    words_.resize((rows + 63) / 64, 0);
}

RowSet& RowSet::operator&=(const RowSet& other) {
    for (std::size_t i = 0; i < words_.size(); ++i) words_[i] &= other.words_[i];
    return *this;
}

RowSet& RowSet::operator|=(const RowSet& other) {
    for (std::size_t i = 0; i < words_.size(); ++i) words_[i] |= other.words_[i];
    return *this;
}

RowSet RowSet::operator~() const {
    RowSet inverse = *this;
    for (std::uint64_t& word : inverse.words_) word = ~word;
    inverse.trim();
    return inverse;
}

std::vector<std::uint32_t> RowSet::list() const {
    std::vector<std::uint32_t> rows;
    rows.reserve(count());
    each([&rows](std::size_t row) { rows.push_back(static_cast<std::uint32_t>(row)); });
    return rows;
}

}  // namespace convscope
