#include "kernels/records/csv_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <optional>
#include <utility>

#include "kernels/core/error.h"
#include "kernels/files/file_lock.h"
#include "kernels/files/text_file.h"
#include "kernels/records/cell.h"
#include "kernels/records/record_csv.h"

namespace convscope {
namespace {

/// Nothing when the cells are this schema's header, else what differs first.
std::string header_difference(const std::vector<std::string>& cells) {
    const std::vector<std::string>& names = csv_columns();
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (i >= cells.size())
            return fmt::format("it ends before column {}, '{}'; convscope merge writes its rows with every column",
                               i + 1, names[i]);
        if (cells[i] != names[i]) return fmt::format("column {} is '{}' instead of '{}'", i + 1, cells[i], names[i]);
    }
    if (cells.size() > names.size()) return fmt::format("it has {} columns instead of {}", cells.size(), names.size());
    return {};
}

bool is_row(const CsvLine& line) {
    try {
        (void)record_of_line(line, map_columns(csv_columns()));
        return true;
    } catch (const cell::BadCell&) {
        return false;
    }
}

void require_header(const std::filesystem::path& path, const CsvLine& header) {
    if (const std::string difference = header_difference(header.cells); !difference.empty())
        fail_on_file(path, fmt::format("has another header than convscope's records: {}", difference));
}

/// The first and last line of a text, as its readers find them: a quote that is not closed spoils its own line, not the
/// lines that it spans.
struct Ends {
    std::optional<CsvLine> header, last;  ///< 'last' is none where there is a header alone
    /// Where a row begins that opens a quote and does not close it, with no row after it: one of several lines, torn.
    std::optional<std::size_t> open_quote;
};

Ends ends_of(const std::string& text) {
    Ends ends;
    for (CsvLines lines(text); lines.next();) {
        CsvLine line = lines.row();
        if (ends.header && line.cells.empty()) {
            if (!ends.open_quote) ends.open_quote = line.offset;
            if (lines.offset() < text.size()) continue;
            line.complete = false;
        }
        if (line.cells.size() == csv_columns().size()) ends.open_quote.reset();
        (ends.header ? ends.last : ends.header) = std::move(line);
    }
    return ends;
}

}  // namespace

CsvFile::CsvFile(const std::filesystem::path& path) : path_(path) {
    descriptor_ = open_locked(path, O_RDWR | O_CREAT | O_APPEND, path);
    try {
        // A pipe or a terminal has nothing to go on with, and reading it could wait for ever.
        std::filesystem::is_regular_file(path) ? adopt_existing() : write_line(csv_header());
    } catch (...) {
        close(descriptor_);
        throw;
    }
}

CsvFile::~CsvFile() {
    close(descriptor_);
}

void CsvFile::adopt_existing() {
    const std::string text = read_text_file(path_, max_records_bytes);
    require_csv_text(path_, text);
    const Ends ends = ends_of(text);
    // A file of nothing but empty lines is as good as a new one, and so is one with a part of our header.
    const bool torn_header = ends.header && !ends.header->complete && csv_header().starts_with(text);
    if (ends.header && !torn_header) require_header(path_, *ends.header);
    std::size_t whole = ends.header && !torn_header ? text.size() : 0;
    const CsvLine* open = ends.last && !ends.last->complete ? &*ends.last : nullptr;
    const bool torn = open && !is_row(*open);
    if (torn) whole = ends.open_quote.value_or(open->offset);
    if (whole < text.size()) {
        if (ftruncate(descriptor_, static_cast<off_t>(whole)) != 0)
            fail_on_file(path_, fmt::format("has a torn last line that cannot be cut off: {}", std::strerror(errno)));
        repaired_bytes_ = ends.header ? text.size() - whole : 0;
    }
    const bool unended = open && !torn;
    if (unended) write_bytes(text.ends_with('\r') ? "\n" : "\r\n");
    if (whole == 0) write_line(csv_header());
}

void CsvFile::append(const Record& record) {
    write_line(csv_row(record));
}

void CsvFile::write_line(const std::string& line) {
    const std::string bytes = line + "\r\n";
    struct stat before {};
    const bool regular = fstat(descriptor_, &before) == 0 && S_ISREG(before.st_mode);
    try {
        write_bytes(bytes);
    } catch (const Error&) {
        // A full disk takes the first part of a row. Giving that back leaves a file of whole rows.
        if (regular && ftruncate(descriptor_, before.st_size) == 0) fsync(descriptor_);
        throw;
    }
}

void CsvFile::write_bytes(const std::string& bytes) {
    write_all(path_, descriptor_, bytes);
    // Pipes and terminals cannot be synchronised; what they were given is already out of our hands.
    if (fsync(descriptor_) != 0 && errno != EINVAL && errno != EROFS) fail_on_write(path_);
}

namespace {

ColumnMap read_header(const std::filesystem::path& path, CsvLines& lines, CsvContent& content) {
    if (!lines.next()) fail_on_file(path, "is empty; records are a CSV with its header, or JSON");
    const CsvLine header = lines.row();
    try {
        const ColumnMap map = map_columns(header.cells);
        for (std::size_t i = 0; i < map.size(); ++i)
            if (!map[i]) content.ignored_columns.push_back(header.cells[i]);
        return map;
    } catch (const cell::BadCell& error) {
        fail_on_file(path, error.what());
    }
}

}  // namespace

CsvContent read_csv(const std::filesystem::path& path) {
    return read_csv(path, read_text_file(path, max_records_bytes));
}

CsvContent read_csv(const std::filesystem::path& path, const std::string& text, const ReadProgress& progress,
                    const std::function<void(const Record&)>& take) {
    constexpr std::size_t step = 1 << 20;  ///< bytes from one word on the progress to the next
    require_csv_text(path, text);
    CsvLines lines(text);
    CsvContent content;
    const ColumnMap map = read_header(path, lines, content);
    // Without it the rows are moved as often as they double, and there twice meanwhile. A row has as many commas as
    // there are columns, but one. Lines that are no rows take no memory before they are read.
    constexpr std::size_t max_reserved = 1 << 20;
    if (!take)
        content.records.reserve(std::min(
            {static_cast<std::size_t>(std::ranges::count(text, '\n')), text.size() / map.size(), max_reserved}));
    if (progress) progress(0);
    for (std::size_t told = 0; lines.next();) {
        if (progress && lines.offset() >= told + step) {
            told = lines.offset();
            progress(static_cast<double>(told) / static_cast<double>(text.size()));
        }
        const CsvLine line = lines.row();
        try {
            Record record = record_of_line(line, map);
            take ? take(record) : content.records.push_back(std::move(record));
        } catch (const cell::BadCell& error) {
            content.errors.push_back(fmt::format("{}:{}: {}", path.string(), line.line, error.what()));
        }
    }
    return content;
}

void write_csv(const std::filesystem::path& path, const std::vector<Record>& records) {
    std::string text = csv_header() + "\r\n";
    for (const Record& record : records) text += csv_row(record) + "\r\n";
    write_text_file(path, text);
}

}  // namespace convscope
