// Readers of kernels/: files of arrays, layers and records, and the messages of the measuring process.
#include "tests/fuzz/readers.h"

#include <stdexcept>
#include <string>

#include "kernels/core/npy.h"
#include "kernels/core/preset.h"
#include "kernels/measure/isolated/wire_types.h"
#include "kernels/records/csv_file.h"
#include "kernels/records/json_read.h"
#include "kernels/records/read_table.h"
#include "kernels/records/row_query.h"
#include "tests/fuzz/memory_file.h"

namespace convscope::testing {
namespace {

void read_npy_file(std::string_view bytes) {
    const MemoryFile file(bytes);
    accepted([&] { read_npy(file.path()); });
}

void read_preset_file(std::string_view bytes) {
    const MemoryFile file(bytes);
    accepted([&] { load_preset_file(file.path()); });
}

std::vector<std::string> rows_of(const std::vector<Record>& records) {
    std::vector<std::string> rows;
    for (const Record& record : records) rows.push_back(csv_row(record));
    return rows;
}

void read_csv_file(std::string_view bytes) {
    const MemoryFile file(bytes);
    accepted([&] { read_table(file.path(), {.threads = 1}); });
    CsvContent before;
    if (!accepted([&] { before = read_csv(file.path()); })) return;
    const std::vector<std::string> rows = rows_of(before.records);
    std::string text = csv_header() + "\r\n";
    for (const std::string& row : rows) text += row + "\r\n";
    require(rows_of(read_csv("again.csv", text).records) == rows,
            "rows that were read do not read as they are written");
    if (!accepted([&] { CsvFile going_on(file.path()); })) return;
    require(rows_of(read_csv(file.path()).records) == rows, "going on with a file changes the rows that it has");
}

void read_json_records(std::string_view bytes) {
    accepted([&] { read_json("a.json", std::string(bytes)); });
}

void read_query(std::string_view bytes) {
    accepted([&] { parse_query(std::string(bytes)); });
}

template <class Value>
void read_message(std::string_view bytes) {
    try {
        unpacked<Value>(bytes);
    } catch (const std::out_of_range&) {  // what it owes to a message that is cut short
    }
}

void read_wire(std::string_view bytes) {
    read_message<PointRequest>(bytes);
    read_message<Record>(bytes);
    read_message<Progress>(bytes);
}

constexpr FuzzedReader of_files[] = {{"csv", read_csv_file},       {"json", read_json_records}, {"npy", read_npy_file},
                                     {"preset", read_preset_file}, {"query", read_query},       {"wire", read_wire}};

}  // namespace

std::span<const FuzzedReader> file_readers() {
    return of_files;
}

}  // namespace convscope::testing
