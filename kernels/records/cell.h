// The text of one CSV cell: numbers with '.' whatever the locale, booleans true and false, empty for nothing.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <concepts>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>

#include "kernels/core/printable.h"
#include "kernels/records/record.h"

namespace convscope::cell {

/// A cell does not read as its column's type; the reader of the file adds the position.
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

/// Rejects control characters, which a terminal would obey.
inline void require_plain(std::string_view text) {
    const auto control = [](unsigned char c) { return (c < 0x20 && c != '\t' && c != '\n' && c != '\r') || c == 0x7f; };
    if (std::any_of(text.begin(), text.end(), control) || text.find("\xc2\x9b") != text.npos)
        throw BadCell(fmt::format("'{}' holds control characters", printable(text, 200)));
}
/// A number must be finite and at least 0, a time above 0. The error of a wrong result alone may be anything, and the
/// outputs of a shape that leaves none, p and q, may be below 0.
inline void require_sane(std::string_view column, double value) {
    const bool time = column.starts_with("time_");
    if (column != "max_rel_err" && !std::isfinite(value))
        throw BadCell(fmt::format("'{}' is not a finite number", value));
    if (value < 0 && column != "p" && column != "q") throw BadCell(fmt::format("'{}' is below 0", value));
    if (time && value <= 0) throw BadCell(fmt::format("'{}' is not a time; it must be above 0", value));
}
/// Requires the name of an Arithmetic or an empty cell: a cut-off name is the end of a torn row.
inline void require_arithmetic(std::string_view text) {
    for (const Arithmetic each : {Arithmetic::fp32, Arithmetic::fp64, Arithmetic::tf32, Arithmetic::fp16,
                                  Arithmetic::fp32_by_3xtf32, Arithmetic::fp32_by_3xfp16})
        if (text == to_string(each)) return;
    if (!text.empty()) throw BadCell(fmt::format("'{}' is not an arithmetic of convscope", text));
}
/// Requires "samples", "runs" or an empty cell, for the same reason.
inline void require_noise_source(std::string_view text) {
    if (!text.empty() && text != "samples" && text != "runs")
        throw BadCell(fmt::format("'{}' is not what noise is taken from: samples or runs", text));
}
/// Requires the name of a WeightPattern, for the same reason.
inline void require_weight_pattern(std::string_view text) {
    for (const WeightPattern each : weight_patterns)
        if (text == to_string(each)) return;
    throw BadCell(fmt::format("'{}' is not a weight pattern of convscope", text));
}
/// Requires "2026-11-22T09:59:55Z" or an empty cell.
inline void require_timestamp(std::string_view text) {
    constexpr std::string_view form = "0000-00-00T00:00:00Z";
    const auto fits = [](char c, char wanted) { return wanted == '0' ? c >= '0' && c <= '9' : c == wanted; };
    if (!text.empty() && !std::equal(text.begin(), text.end(), form.begin(), form.end(), fits))
        throw BadCell(fmt::format("'{}' is not a time in UTC as 2026-01-31T23:59:59Z", text));
}

/// Undoes the changes of other programs to a cell: R writes NA for nothing, and makes a column of whole numbers with
/// empty cells one of real numbers.
inline std::string_view as_written_here(std::string_view text, bool whole) {
    if (text == "NA" || text == "#N/A") return {};
    if (whole && text.ends_with(".0")) text.remove_suffix(2);
    return text;
}

/// Rows of versions before 4 have no zeros requested in w; next to later ones their cells are empty. 'version' is the
/// row's own, empty where it has none.
inline std::string_view with_weights_as_they_are(std::string_view column, std::string_view text,
                                                 std::string_view version) {
    const bool pattern = column == "weight_pattern";
    if (!text.empty() || (!pattern && column != "weight_sparsity_target")) return text;
    if (as_written_here(version, true) == "4")
        throw BadCell("the cell is empty; that of a row of schema version 4 is not");
    return pattern ? to_string(WeightPattern::uniform) : "0";
}

inline void read(const std::string& text, std::string& value) {
    require_plain(text);
    value = text;
}
/// Spreadsheets write TRUE and FALSE back, Python True and False.
inline void read(const std::string& text, bool& value) {
    value = text == "true" || text == "TRUE" || text == "True";
    if (!value && text != "false" && text != "FALSE" && text != "False")
        throw BadCell(fmt::format("'{}' is neither true nor false", text));
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
        throw BadCell(fmt::format("'{}' is not a number that fits this column", text));
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
