// Distinct strings, each kept once and known by a number.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace convscope {

class StringPool {
public:
    /// The string's number: the existing one when it is known, else the next.
    std::uint32_t add(std::string_view);
    /// Valid until the next add().
    std::string_view operator[](std::uint32_t number) const {
        const std::size_t from = number == 0 ? 0 : ends_[number - 1];
        return std::string_view(text_).substr(from, ends_[number] - from);
    }
    std::uint32_t size() const { return static_cast<std::uint32_t>(ends_.size()); }
    std::size_t bytes() const { return text_.capacity() + ends_.capacity() * 8 + slots_.capacity() * 4; }

    static constexpr std::uint32_t none = 0xffffffff;

private:
    std::size_t slot_of(std::string_view) const;  ///< where it is, or would be put
    void grow();

    std::string text_;                  ///< all strings, one after the other
    std::vector<std::size_t> ends_;     ///< where each ends in text_
    std::vector<std::uint32_t> slots_;  ///< a hash table with open addressing: numbers, or 'none'; a power of two
};

}  // namespace convscope
