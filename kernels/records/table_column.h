// One column of a RecordTable: text, each distinct one kept once, or numbers, coded where they repeat.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "kernels/records/code_vector.h"
#include "kernels/records/string_pool.h"

namespace convscope {

/// An empty cell of a numeric column. It is a NaN of its own: a NaN that stands in a file stays another value.
inline constexpr std::uint64_t empty_cell_bits = 0x7ff8'0000'0000'e3d7;
inline double empty_cell() {
    return std::bit_cast<double>(empty_cell_bits);
}
inline bool is_empty_cell(double value) {
    return std::bit_cast<std::uint64_t>(value) == empty_cell_bits;
}

class TextColumn {
public:
    std::string_view operator[](std::size_t row) const { return pool_[codes_[row]]; }
    std::uint32_t code(std::size_t row) const { return codes_[row]; }
    const CodeVector& codes() const { return codes_; }
    const StringPool& pool() const { return pool_; }  ///< the text of each code

    void push_back(std::string_view);
    void repeat_last() { codes_.push_back(last_); }  ///< what push_back was given last, again
    void append(const TextColumn&);
    std::size_t size() const { return codes_.size(); }
    std::size_t bytes() const { return codes_.bytes() + pool_.bytes(); }

private:
    StringPool pool_;
    CodeVector codes_;
    std::uint32_t last_ = StringPool::none;
};

class NumberColumn {
public:
    double operator[](std::size_t row) const { return coded_ ? distinct_[codes_[row]] : values_[row]; }
    /// Calls 'use' for each row in turn: use(row, value). Twice as fast as asking for each.
    template <class Use>
    void each(Use&& use) const {
        if (!coded_) {
            for (std::size_t row = 0; row < values_.size(); ++row) use(row, values_[row]);
            return;
        }
        codes_.with([&](const auto& codes) {
            for (std::size_t row = 0; row < codes.size(); ++row) use(row, distinct_[codes[row]]);
        });
    }

    void push_back(double);
    void append(const NumberColumn&);
    std::size_t size() const { return coded_ ? codes_.size() : values_.size(); }
    std::size_t bytes() const;

private:
    bool worth_coding() const;
    std::uint32_t code_of(double);
    void spell_out();

    bool coded_ = true;
    std::vector<double> distinct_;  ///< by code
    std::unordered_map<std::uint64_t, std::uint32_t> numbers_;
    CodeVector codes_;
    std::uint32_t last_ = 0;
    std::vector<double> values_;  ///< by row, once coding is no longer worth it
};

}  // namespace convscope
