// A choice among the rows of a table, each of which has an id. It replaces an enum with its count, lists of words and
// switches by one table.
#pragma once

#include <cstddef>
#include <iterator>
#include <optional>
#include <string_view>

namespace convscope {

/// One row of a constexpr array of structs with a member 'id'. Written as that id, `page = "table"`; one that no row
/// has does not compile.
template <const auto& table>
class OneOf {
public:
    static constexpr std::size_t count = std::size(table);

    constexpr OneOf() = default;  ///< the first
    consteval OneOf(const char* id) : index_(find(id).value().index_) {}

    /// The choice of the row at index < count.
    static constexpr OneOf at(std::size_t index) {
        OneOf one;
        one.index_ = index;
        return one;
    }
    /// Empty where no row has this id.
    static constexpr std::optional<OneOf> find(std::string_view id) {
        for (std::size_t i = 0; i < count; ++i)
            if (id == table[i].id) return at(i);
        return std::nullopt;
    }

    constexpr std::size_t index() const { return index_; }
    constexpr const auto* operator->() const { return &table[index_]; }
    /// Moves this many rows on, cyclically.
    constexpr OneOf step(int by) const {
        const auto rows = static_cast<std::ptrdiff_t>(count);
        return at(static_cast<std::size_t>(((static_cast<std::ptrdiff_t>(index_) + by) % rows + rows) % rows));
    }
    constexpr bool operator==(const OneOf&) const = default;

private:
    std::size_t index_ = 0;
};

}  // namespace convscope
