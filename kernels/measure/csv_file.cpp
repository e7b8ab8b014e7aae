#include "kernels/measure/csv_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "kernels/core/error.h"
#include "kernels/measure/cell.h"
#include "kernels/measure/csv_parse.h"
#include "kernels/measure/text_file.h"

namespace convscope {
namespace {

[[noreturn]] void fail(const std::filesystem::path& path, const std::string& what) {
    throw Error(ErrorKind::file, fmt::format("'{}' {}", path.string(), what));
}

/// Nothing when the cells are this schema's header, else what differs first.
std::string header_difference(const std::vector<std::string>& cells) {
    const std::vector<std::string>& names = csv_columns();
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (i >= cells.size()) return fmt::format("it ends before column {}, '{}'", i + 1, names[i]);
        if (cells[i] != names[i]) return fmt::format("column {} is '{}' instead of '{}'", i + 1, cells[i], names[i]);
    }
    if (cells.size() > names.size()) return fmt::format("it has {} columns instead of {}", cells.size(), names.size());
    return {};
}

void require_header(const std::filesystem::path& path, const std::vector<CsvLine>& lines) {
    if (lines.empty()) fail(path, "is empty; a CSV of convscope starts with its header");
    if (const std::string difference = header_difference(lines[0].cells); !difference.empty())
        fail(path, fmt::format("has another header than convscope's records: {}", difference));
}

}  // namespace

CsvFile::CsvFile(const std::filesystem::path& path) : path_(path) {
    descriptor_ = open(path.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
    if (descriptor_ < 0) fail(path, fmt::format("cannot be written: {}", std::strerror(errno)));
    try {
        if (flock(descriptor_, LOCK_EX | LOCK_NB) != 0) fail(path, "is being written by another run of convscope");
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
    const std::string text = read_text_file(path_);
    const std::vector<CsvLine> lines = parse_csv(text);
    std::size_t whole = text.size();
    if (!lines.empty() && !lines.back().complete) whole = lines.back().offset;
    const bool torn_header = lines.size() == 1 && whole == 0;
    if (torn_header) {
        if (!csv_header().starts_with(text)) require_header(path_, lines);
    } else if (!lines.empty()) {
        require_header(path_, lines);
    }
    if (whole < text.size()) {
        if (ftruncate(descriptor_, static_cast<off_t>(whole)) != 0)
            fail(path_, fmt::format("has a torn last line that cannot be cut off: {}", std::strerror(errno)));
        repaired_bytes_ = text.size() - whole;
    }
    if (whole == 0) write_line(csv_header());
}

void CsvFile::append(const Record& record) {
    write_line(csv_row(record));
}

void CsvFile::write_line(const std::string& line) {
    const std::string bytes = line + "\r\n";
    std::size_t written = 0;
    while (written < bytes.size()) {
        const ssize_t count = write(descriptor_, bytes.data() + written, bytes.size() - written);
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) fail(path_, fmt::format("cannot be written: {}", std::strerror(errno)));
        written += static_cast<std::size_t>(count);
    }
    // Pipes and terminals cannot be synchronised; what they were given is already out of our hands.
    if (fsync(descriptor_) != 0 && errno != EINVAL && errno != EROFS)
        fail(path_, fmt::format("cannot be written: {}", std::strerror(errno)));
}

CsvContent read_csv(const std::filesystem::path& path) {
    const std::string text = read_text_file(path);
    const std::vector<CsvLine> lines = parse_csv(text);
    require_header(path, lines);
    CsvContent content;
    for (std::size_t i = 1; i < lines.size(); ++i) {
        try {
            if (!lines[i].complete && lines[i].cells.size() < csv_columns().size())
                throw cell::BadCell("the row ends early");
            content.records.push_back(record_from_cells(lines[i].cells));
        } catch (const cell::BadCell& error) {
            content.errors.push_back(fmt::format("{}:{}: {}", path.string(), lines[i].line, error.what()));
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
