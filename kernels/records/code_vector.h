// Small unsigned numbers, one per row, in as few bytes as the largest needs.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <variant>
#include <vector>

namespace convscope {

class CodeVector {
public:
    std::uint32_t operator[](std::size_t row) const {
        return std::visit([row](const auto& codes) -> std::uint32_t { return codes[row]; }, codes_);
    }
    std::size_t size() const {
        return std::visit([](const auto& codes) { return codes.size(); }, codes_);
    }
    void push_back(std::uint32_t code) {
        if (code > max_) widen(code);
        std::visit([code](auto& codes) { codes.push_back(static_cast<Of<decltype(codes)>>(code)); }, codes_);
    }
    /// Calls 'use' with the codes as a std::vector of 1, 2 or 4 bytes each: loops over all rows go through here.
    template <class Use>
    void with(Use&& use) const {
        std::visit(use, codes_);
    }
    /// Appends other's codes, each replaced by new_code[code].
    void append(const CodeVector& other, const std::vector<std::uint32_t>& new_code) {
        for (const std::uint32_t code : new_code)
            if (code > max_) widen(code);
        std::visit(
            [&](auto& codes) {
                codes.reserve_more(other.size());
                other.with([&](const auto& theirs) {
                    for (const auto code : theirs) codes.push_back(static_cast<Of<decltype(codes)>>(new_code[code]));
                });
            },
            codes_);
    }
    std::size_t bytes() const {
        return std::visit([](const auto& codes) { return codes.capacity() * sizeof(codes[0]); }, codes_);
    }
    void clear() { *this = {}; }

private:
    template <class Code>
    struct Codes : std::vector<Code> {
        using std::vector<Code>::vector;
        /// Grows by halves at least, so that many small appends stay cheap.
        void reserve_more(std::size_t count) {
            if (this->size() + count > this->capacity())
                this->reserve(std::max(this->size() + count, this->size() + this->size() / 2));
        }
    };
    template <class Vector>
    using Of = typename std::remove_reference_t<Vector>::value_type;

    template <class Code>
    void become() {
        Codes<Code> wider;
        std::visit([&wider](const auto& codes) { wider.assign(codes.begin(), codes.end()); }, codes_);
        codes_ = std::move(wider);
        max_ = std::numeric_limits<Code>::max();
    }
    void widen(std::uint32_t code) {
        code <= std::numeric_limits<std::uint16_t>::max() ? become<std::uint16_t>() : become<std::uint32_t>();
    }

    std::variant<Codes<std::uint8_t>, Codes<std::uint16_t>, Codes<std::uint32_t>> codes_;
    std::uint32_t max_ = std::numeric_limits<std::uint8_t>::max();
};

}  // namespace convscope
