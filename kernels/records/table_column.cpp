#include "kernels/records/table_column.h"

#include <algorithm>
#include <bit>

namespace convscope {
namespace {

void reserve_more(std::vector<double>& values, std::size_t count) {
    if (values.size() + count > values.capacity())
        values.reserve(std::max(values.size() + count, values.size() + values.size() / 2));
}

}  // namespace

void TextColumn::push_back(std::string_view text) {
    // Rows of one run repeat nearly every cell of the row before.
    if (last_ == StringPool::none || pool_[last_] != text) last_ = pool_.add(text);
    codes_.push_back(last_);
}

void TextColumn::append(const TextColumn& other) {
    std::vector<std::uint32_t> new_code(other.pool_.size());
    for (std::uint32_t code = 0; code < other.pool_.size(); ++code) new_code[code] = pool_.add(other.pool_[code]);
    codes_.append(other.codes_, new_code);
}

/// A code takes one or two bytes, a value eight; but a column of mostly different values gains nothing.
bool NumberColumn::worth_coding() const {
    return distinct_.size() <= 256 || (distinct_.size() <= 65536 && distinct_.size() * 8 <= codes_.size());
}

std::uint32_t NumberColumn::code_of(double value) {
    const auto bits = std::bit_cast<std::uint64_t>(value);
    if (!distinct_.empty() && std::bit_cast<std::uint64_t>(distinct_[last_]) == bits) return last_;
    const auto [at, fresh] = numbers_.try_emplace(bits, static_cast<std::uint32_t>(distinct_.size()));
    if (fresh) distinct_.push_back(value);
    return last_ = at->second;
}

void NumberColumn::spell_out() {
    if (!coded_) return;
    values_.reserve(codes_.size());
    each([this](std::size_t, double value) { values_.push_back(value); });
    coded_ = false;
    distinct_ = {};
    numbers_ = {};
    codes_.clear();
}

void NumberColumn::push_back(double value) {
    if (!coded_) {
        values_.push_back(value);
        return;
    }
    codes_.push_back(code_of(value));
    if (!worth_coding()) spell_out();
}

void NumberColumn::append(const NumberColumn& other) {
    if (coded_ && other.coded_) {
        std::vector<std::uint32_t> new_code;
        for (const double value : other.distinct_) new_code.push_back(code_of(value));
        codes_.append(other.codes_, new_code);
        if (!worth_coding()) spell_out();
        return;
    }
    spell_out();
    reserve_more(values_, other.size());
    other.each([this](std::size_t, double value) { values_.push_back(value); });
}

std::size_t NumberColumn::bytes() const {
    return codes_.bytes() + (distinct_.capacity() + values_.capacity()) * sizeof(double) + numbers_.size() * 40;
}

}  // namespace convscope
