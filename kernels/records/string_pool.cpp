#include "kernels/records/string_pool.h"

#include <functional>

namespace convscope {

std::size_t StringPool::slot_of(std::string_view text) const {
    std::size_t slot = std::hash<std::string_view>{}(text) & (slots_.size() - 1);
    while (slots_[slot] != none && (*this)[slots_[slot]] != text) slot = (slot + 1) & (slots_.size() - 1);
    return slot;
}

void StringPool::grow() {
    slots_.assign(slots_.empty() ? 16 : slots_.size() * 2, none);
    for (std::uint32_t number = 0; number < size(); ++number) slots_[slot_of((*this)[number])] = number;
}

std::uint32_t StringPool::add(std::string_view text) {
    if (ends_.size() * 4 >= slots_.size() * 3) grow();
    const std::size_t slot = slot_of(text);
    if (slots_[slot] != none) return slots_[slot];
    text_ += text;
    ends_.push_back(text_.size());
    return slots_[slot] = size() - 1;
}

}  // namespace convscope
