// CSV files of records: appended to one row at a time, and read back.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "kernels/records/read_progress.h"
#include "kernels/records/record.h"

namespace convscope {

/// A CSV file being written. Each row is on disk when append() returns. The file is locked against a second
/// writer for as long as this object lives.
class CsvFile {
public:
    /// Creates the file, or goes on with one that has this schema's header. A torn last line, as a killed run
    /// leaves it, is cut off; a whole row without its line end is given one. Throws Error(file) when it cannot be
    /// opened, has another header or is being written by another process.
    explicit CsvFile(const std::filesystem::path&);
    ~CsvFile();
    CsvFile(const CsvFile&) = delete;
    CsvFile& operator=(const CsvFile&) = delete;

    /// Throws Error(file) when the row cannot be written; the file then ends with the row before it.
    void append(const Record&);
    /// Bytes of a torn last line that were cut off on opening; 0 when the file was whole.
    std::size_t repaired_bytes() const { return repaired_bytes_; }

private:
    void adopt_existing();
    void write_line(const std::string&);
    void write_bytes(const std::string&);

    std::filesystem::path path_;
    int descriptor_ = -1;
    std::size_t repaired_bytes_ = 0;
};

struct CsvContent {
    std::vector<Record> records;
    std::vector<std::string> errors;           ///< "FILE:LINE: what is wrong", one per row that was left out
    std::vector<std::string> ignored_columns;  ///< names that are not of this schema
};

/// Reads a CSV of records, another program's changes included: columns in another order or of its own, quotes, line
/// ends, a byte order mark. Rows that do not read become errors; a torn last line is one of them. Throws Error(file)
/// when the file cannot be read or its header is not this schema's.
CsvContent read_csv(const std::filesystem::path&);
/// The same, of the text that the file is known to hold. With 'take', each record is given to it and not kept.
CsvContent read_csv(const std::filesystem::path&, const std::string& text, const ReadProgress& = {},
                    const std::function<void(const Record&)>& take = {});

/// Writes a whole file at once, replacing what was there. Throws Error(file).
void write_csv(const std::filesystem::path&, const std::vector<Record>&);

}  // namespace convscope
