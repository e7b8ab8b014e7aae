// A choice among the rows of a table, each of which has an id: what would be an enum with its counts, lists of words
// and switches, told once.
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

    /// Of the row at index < count.
    static constexpr OneOf at(std::size_t index) {
        OneOf one;
        one.index_ = index;
        return one;
    }
    /// Unset where no row has this id.
    static constexpr std::optional<OneOf> find(std::string_view id) {
        for (std::size_t i = 0; i < count; ++i)
            if (id == table[i].id) return at(i);
        return std::nullopt;
    }

    constexpr std::size_t index() const { return index_; }
    constexpr const auto* operator->() const { return &table[index_]; }
    /// So many rows further on, round and round.
    constexpr OneOf step(int by) const {
        const auto rows = static_cast<std::ptrdiff_t>(count);
        return at(static_cast<std::size_t>(((static_cast<std::ptrdiff_t>(index_) + by) % rows + rows) % rows));
    }
    constexpr bool operator==(const OneOf&) const = default;

private:
    std::size_t index_ = 0;
};

}  // namespace convscope
