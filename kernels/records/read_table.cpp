#include "kernels/records/read_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <functional>
#include <thread>

#include "kernels/core/error.h"
#include "kernels/files/text_file.h"
#include "kernels/records/cell.h"
#include "kernels/records/mapped_file.h"
#include "kernels/records/record_csv.h"
#include "kernels/records/table_builder.h"

namespace convscope {
namespace {

struct Problem {
    std::size_t line;  ///< from 0, in the chunk
    std::string text;
};
struct Part {
    RecordTable table;
    std::vector<Problem> problems;
    std::size_t left_out = 0, lines = 0;
};

/// Which column each cell of a row belongs to; notes say what does not fit.
ColumnMap read_header(const std::filesystem::path& path, const std::vector<std::string_view>& cells,
                      std::vector<std::string>& notes) {
    const std::string name = path.filename().string();
    ColumnMap map;
    std::vector<std::string> unknown, missing;
    for (const std::string_view cell : cells) {
        std::optional<std::size_t> column = find_table_column(cell);
        if (column >= csv_columns().size()) column.reset();  // the table's own
        const bool twice = column && std::ranges::find(map, column) != map.end();
        if (twice) throw Error(ErrorKind::file, fmt::format("'{}' has the column '{}' twice", path.string(), cell));
        if (!column) unknown.emplace_back(cell);
        map.push_back(column);
    }
    for (std::size_t i = 0; i < csv_columns().size(); ++i)
        if (std::ranges::find(map, std::optional(i)) == map.end()) missing.push_back(csv_columns()[i]);
    for (const char* needed : {"method", "time_median_us"})
        if (std::ranges::find(missing, needed) != missing.end())
            throw Error(ErrorKind::file, fmt::format("'{}' is not a CSV of records: its first line has no column '{}'",
                                                     path.string(), needed));
    const auto columns = [](const std::vector<std::string>& names) {
        return fmt::format("the column{} {}", names.size() == 1 ? "" : "s", fmt::join(names, ", "));
    };
    if (!unknown.empty()) notes.push_back(fmt::format("{}: passed over {}", name, columns(unknown)));
    if (!missing.empty()) notes.push_back(fmt::format("{} was written without {}", name, columns(missing)));
    return map;
}

Part parse(std::string_view text, const ColumnMap& map, const std::string& file) {
    Part part;
    TableBuilder builder(part.table, file, map);
    CsvLines lines(text);
    while (lines.next()) {
        try {
            if (lines.cells().empty()) throw cell::BadCell("a quote is not closed");
            if (!lines.complete() && (lines.cells().size() < map.size() || lines.cells().back().empty()))
                throw cell::BadCell("the row ends early");
            builder.add(lines.cells());
        } catch (const cell::BadCell& error) {
            ++part.left_out;
            if (part.problems.size() < TableProblems::most) part.problems.push_back({lines.line(), error.what()});
        }
    }
    part.lines = lines.lines_seen();
    return part;
}

/// The next place at or after 'from' where a row begins: after a line end, with as many cells as the header has. A
/// line within a quoted cell does not look like that.
std::size_t row_start(std::string_view text, std::size_t from, std::size_t cells) {
    constexpr std::size_t far = 1 << 17;
    for (std::size_t at = text.find('\n', from); at != std::string_view::npos; at = text.find('\n', at + 1)) {
        CsvLines probe(text.substr(at + 1, far));
        if (probe.next() && probe.cells().size() == cells) return at + 1;
    }
    return text.size();
}

void in_parallel(unsigned threads, std::size_t count, const std::function<void(std::size_t)>& work) {
    std::atomic<std::size_t> next{0};
    const auto run = [&] {
        for (std::size_t i = next++; i < count; i = next++) work(i);
    };
    std::vector<std::jthread> others;
    for (unsigned i = 1; i < std::min<std::size_t>(threads, count); ++i) others.emplace_back(run);
    run();
}

}  // namespace

TableContent read_table(const std::filesystem::path& path, const TableReadOptions& options) {
    const MappedFile file(path);
    const std::string_view text = file.text();
    if (text.size() > max_records_bytes)
        fail_on_file(path, fmt::format("is larger than the {} MiB that are read", max_records_bytes >> 20));
    require_csv_text(path, text);
    CsvLines header(text);
    if (!header.next()) throw Error(ErrorKind::file, fmt::format("'{}' is empty", path.string()));
    TableContent content;
    const ColumnMap map = read_header(path, header.cells(), content.problems.notes);
    const std::string name = path.filename().string();
    const unsigned threads = options.threads ? options.threads : std::max(1U, std::thread::hardware_concurrency());

    std::size_t at = header.offset(), line = header.lines_seen();
    // In rounds of a few chunks for each thread, so that few rows are in memory twice.
    while (at < text.size() && !options.stop.stop_requested()) {
        std::vector<std::string_view> chunks;
        while (at < text.size() && chunks.size() < 2 * threads) {
            const std::size_t end = at + options.chunk_bytes < text.size()
                                        ? row_start(text, at + options.chunk_bytes, map.size())
                                        : text.size();
            chunks.push_back(text.substr(at, end - at));
            at = end;
        }
        std::vector<Part> parts(chunks.size());
        in_parallel(threads, chunks.size(), [&](std::size_t i) { parts[i] = parse(chunks[i], map, name); });
        // Columns do not depend on each other.
        in_parallel(threads, table_columns().size(), [&](std::size_t column) {
            for (const Part& part : parts) content.table.append_column(part.table, column);
        });
        for (const Part& part : parts) content.table.count_rows(part.table);
        for (const Part& part : parts) {
            for (const Problem& problem : part.problems)
                if (content.problems.lines.size() < TableProblems::most)
                    content.problems.lines.push_back(
                        fmt::format("{}:{}: {}", path.string(), line + problem.line + 1, problem.text));
            content.problems.left_out += part.left_out;
            line += part.lines;
        }
        if (options.progress) options.progress(static_cast<double>(at) / static_cast<double>(text.size()));
    }
    return content;
}

}  // namespace convscope
