// How long CSV files of 10^4 to 10^6 records take to open, filter and sort, and what they take in memory.
#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>

#include "kernels/files/text_file.h"
#include "kernels/records/read_table.h"
#include "kernels/records/record_csv.h"
#include "kernels/records/row_query.h"
#include "tests/kernels/records/many_records.h"

namespace {

using namespace convscope;

template <class Work>
double milliseconds(Work&& work) {
    const auto start = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

int main() {
    const auto path = std::filesystem::temp_directory_path() / fmt::format("record-table-{}.csv", getpid());
    fmt::print("{:>9} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9}\n", "rows", "file MB", "open ms", "memory MB", "filter ms",
               "word ms", "sort ms");
    for (const std::size_t rows : {10'000, 100'000, 1'000'000}) {
        std::string text = csv_header() + "\r\n";
        for (const Record& record : testing::many_records(rows)) text += csv_row(record) + "\r\n";
        write_text_file(path, text);
        TableContent content;
        const double open = milliseconds([&] { content = read_table(path); });
        const RecordTable& table = content.table;
        std::size_t found = 0;
        const auto search = [&](const char* line) {
            return milliseconds([&] { found += rows_where(table, parse_query(line)).count(); });
        };
        const double filter = search("method=ecr3 time_median_us=100:200");
        const double word = search("mec2");
        const double sort = milliseconds([&] {
            found += in_order(table, RowSet(table.rows(), true), table_column("time_median_us"), false).size();
        });
        fmt::print("{:>9} {:>9.1f} {:>9.1f} {:>9.1f} {:>9.2f} {:>9.2f} {:>9.1f}\n", table.rows(), text.size() / 1e6,
                   open, table.bytes() / 1e6, filter, word, sort);
        if (found == 0 || table.rows() != rows) return EXIT_FAILURE;
    }
    std::filesystem::remove(path);
    return EXIT_SUCCESS;
}
