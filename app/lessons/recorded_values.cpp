#include "app/lessons/recorded_values.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <map>
#include <mutex>

#include "kernels/core/error.h"
#include "kernels/files/preset_folder.h"
#include "kernels/records/read_table.h"
#include "kernels/records/row_query.h"

namespace convscope::lessons {
namespace {

[[noreturn]] void reject(const std::string& query, const std::string& why) {
    throw Error(ErrorKind::usage, fmt::format("'{}': {}", query, why));
}

std::string without_outer_spaces(const std::string& text) {
    const std::size_t from = text.find_first_not_of(' '), to = text.find_last_not_of(' ');
    return from == std::string::npos ? "" : text.substr(from, to - from + 1);
}

struct RecordedQuery {
    std::string session, query, column;
};

/// A range in the query has a colon too: the first and the last one divide.
RecordedQuery parse(const std::string& query) {
    const std::size_t first = query.find(':'), last = query.rfind(':');
    if (first == last) reject(query, "it must be \"SESSION: QUERY: COLUMN\"");
    return {without_outer_spaces(query.substr(0, first)),
            without_outer_spaces(query.substr(first + 1, last - first - 1)),
            without_outer_spaces(query.substr(last + 1))};
}

/// Recorded sessions do not change while the program runs: each is read once.
const RecordTable& session(const std::string& query, const std::string& name) {
    static std::mutex mutex;
    static std::map<std::string, RecordTable> read;
    const std::lock_guard lock(mutex);
    if (const auto found = read.find(name); found != read.end()) return found->second;
    const std::filesystem::path file = preset_folder() / "recorded" / (name + ".csv");
    std::error_code none;  // as of a name that is too long for any file
    if (name.find('/') != std::string::npos || !std::filesystem::exists(file, none))
        reject(query, fmt::format("there is no recorded session '{}' in {}", name, file.parent_path().string()));
    return read.emplace(name, read_table(file).table).first->second;
}

double evaluate(const std::string& text, bool sum) {
    const RecordedQuery query = parse(text);
    const RecordTable& table = session(text, query.session);
    const std::optional<std::size_t> column = find_table_column(query.column);
    if (!column || table_columns()[*column].kind == CellKind::text)
        reject(text, fmt::format("'{}' is not a column of numbers", query.column));
    const std::vector<std::uint32_t> rows = rows_where(table, parse_query(query.query)).list();
    if (rows.empty()) reject(text, "no row meets the query");
    if (!sum && rows.size() > 1) reject(text, fmt::format("{} rows meet the query, it must be one", rows.size()));
    double total = 0;
    for (const std::uint32_t row : rows) {
        const std::optional<double> value = table.number(row, *column);
        if (!value) reject(text, fmt::format("a row has no {}", query.column));
        total += *value;
    }
    return total;
}

/// Texts ask for the same figures in every frame.
double remembered(const std::string& query, bool sum) {
    static std::mutex mutex;
    static std::map<std::pair<std::string, bool>, double> known;
    const std::lock_guard lock(mutex);
    const std::pair key{query, sum};
    if (const auto found = known.find(key); found != known.end()) return found->second;
    return known.emplace(key, evaluate(query, sum)).first->second;
}

}  // namespace

double recorded_value(const std::string& query) {
    return remembered(query, false);
}

double recorded_sum(const std::string& query) {
    return remembered(query, true);
}

std::string recorded_device(const std::string& name) {
    const RecordTable& table = session(name, name);
    const RowSet all = rows_where(table, std::vector<RowCondition>{});
    const std::vector<std::string> devices = distinct_cells(table, all, *find_table_column("device_name"));
    if (devices.size() != 1)
        reject(name, fmt::format("its rows must be of one device, and are of {}", fmt::join(devices, ", ")));
    return devices.front();
}

}  // namespace convscope::lessons
