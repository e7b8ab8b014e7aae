// The text of one CSV cell: numbers with '.' whatever the locale, booleans true and false, empty for nothing.
#pragma once

#include <fmt/format.h>

#include <charconv>
#include <concepts>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>

#include "kernels/records/record.h"

namespace convscope::cell {

/// Thrown for a cell that does not read as its column's type; the reader of the file adds where it stands.
struct BadCell : std::runtime_error {
    using std::runtime_error::runtime_error;
};

inline std::string print(const std::string& value) {
    return value;
}
inline std::string print(bool value) {
    return value ? "true" : "false";
}
inline std::string print(Status value) {
    return to_string(value);
}
/// Doubles take the fewest digits that read back as the same double.
template <class Number>
requires((std::integral<Number> && !std::same_as<Number, bool>) || std::floating_point<Number>) std::string
    print(Number value) {
    return fmt::format("{}", value);
}
template <class T>
std::string print(const std::optional<T>& value) {
    return value ? print(*value) : std::string();
}

inline void read(const std::string& text, std::string& value) {
    value = text;
}
/// Spreadsheets write TRUE and FALSE back.
inline void read(const std::string& text, bool& value) {
    if (text != "true" && text != "false" && text != "TRUE" && text != "FALSE")
        throw BadCell(fmt::format("'{}' is neither true nor false", text));
    value = text == "true" || text == "TRUE";
}
inline void read(const std::string& text, Status& value) {
    value = parse_status(text);
}
template <class Number>
requires((std::integral<Number> && !std::same_as<Number, bool>) ||
         std::floating_point<Number>) void read(const std::string& text, Number& value) {
    const char* end = text.data() + text.size();
    auto [stop, error] = std::from_chars(text.data(), end, value);
    if (error == std::errc() && stop != end && *stop == ',')
        throw BadCell(fmt::format("'{}' has a comma; numbers are written with '.' and without separators", text));
    if (error != std::errc() || stop != end)
        throw BadCell(fmt::format("'{}' is no number that fits this column", text));
}
template <class T>
void read(const std::string& text, std::optional<T>& value) {
    if (text.empty()) {
        value.reset();
    } else {
        read(text, value.emplace());
    }
}

}  // namespace convscope::cell
