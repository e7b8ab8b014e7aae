#include "kernels/records/csv_file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>

#include "kernels/files/file_lock.h"
#include "kernels/files/text_file.h"
#include "kernels/records/read_table.h"
#include "kernels/records/record_csv.h"
#include "tests/kernels/files/temp_folder.h"

namespace convscope {
namespace {

Record record(const std::string& method) {
    Record r;
    r.method = method;
    r.time_median_us = 4.25;
    r.status_reason = "noise, 0.8 % reached";
    return r;
}

std::vector<std::string> methods_in(const std::filesystem::path& file) {
    std::vector<std::string> methods;
    for (const Record& r : read_csv(file).records) methods.push_back(r.method);
    return methods;
}

TEST(CsvFile, each_row_is_there_before_the_next_is_written) {
    const TempFolder folder;
    CsvFile file(folder / "a.csv");
    EXPECT_EQ(read_text_file(folder / "a.csv"), csv_header() + "\r\n");
    file.append(record("one"));
    EXPECT_EQ(methods_in(folder / "a.csv"), (std::vector<std::string>{"one"}));
    file.append(record("two"));
    EXPECT_EQ(methods_in(folder / "a.csv"), (std::vector<std::string>{"one", "two"}));
}

TEST(CsvFile, goes_on_with_a_file_and_writes_the_header_once) {
    const TempFolder folder;
    CsvFile(folder / "a.csv").append(record("one"));
    CsvFile again(folder / "a.csv");
    again.append(record("two"));
    EXPECT_EQ(again.repaired_bytes(), 0U);
    EXPECT_EQ(methods_in(folder / "a.csv"), (std::vector<std::string>{"one", "two"}));
}

TEST(CsvFile, cuts_off_a_row_that_a_killed_run_left) {
    const TempFolder folder;
    // Wherever the last row was torn, inside its quotes too, the rows before it stay and the next one is whole.
    const std::string whole = csv_header() + "\r\n" + csv_row(record("one")) + "\r\n";
    const std::string last = csv_row(record("two"));
    for (std::size_t kept = 1; kept <= last.size(); kept += 7) {
        const auto path = folder.write("torn.csv", whole + last.substr(0, kept));
        {
            CsvFile file(path);
            EXPECT_EQ(file.repaired_bytes(), kept);
            file.append(record("three"));
        }
        EXPECT_EQ(methods_in(path), (std::vector<std::string>{"one", "three"})) << "torn after " << kept;
    }
}

TEST(CsvFile, says_why_a_torn_row_cannot_be_cut_off_and_leaves_it) {
    const std::string torn = csv_header() + "\r\n" + csv_row(record("one")).substr(0, 30);
    const int sealed = memfd_create("torn", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    ASSERT_EQ(write(sealed, torn.data(), torn.size()), static_cast<ssize_t>(torn.size()));
    ASSERT_EQ(fcntl(sealed, F_ADD_SEALS, F_SEAL_SHRINK), 0);
    const std::filesystem::path path = "/proc/self/fd/" + std::to_string(sealed);
    expect_contains(error_of(ErrorKind::file, [&] { CsvFile file(path); }),
                    "has a torn last line that cannot be cut off: Operation not permitted");
    EXPECT_EQ(read_text_file(path), torn);
    close(sealed);
}

TEST(CsvFile, writes_a_torn_header_again) {
    const TempFolder folder;
    const auto path = folder.write("torn.csv", csv_header().substr(0, 20));
    CsvFile(path).append(record("one"));
    EXPECT_EQ(methods_in(path), (std::vector<std::string>{"one"}));
}

TEST(CsvFile, rejects_a_file_of_another_kind) {
    const TempFolder folder;
    const auto other = folder.write("other.csv", "name,value\na,1\n");
    expect_contains(error_of(ErrorKind::file, [&] { CsvFile file(other); }), "column 1 is 'name'");
    EXPECT_EQ(read_text_file(other), "name,value\na,1\n") << "it is left as it was";
    const auto text = folder.write("note", "no line end");
    error_of(ErrorKind::file, [&] { CsvFile file(text); });
    EXPECT_EQ(read_text_file(text), "no line end");
}

TEST(CsvFile, reads_rows_of_version_one_and_says_how_to_go_on_with_them) {
    const TempFolder folder;
    Record plain = record("ecr6");
    plain.status_reason.clear();  // no comma that is part of a cell
    const std::string header = csv_header(), row = csv_row(plain);
    const auto first = [](const std::string& line, std::size_t cells) {
        std::size_t at = 0;
        for (std::size_t i = 0; i < cells; ++i) at = line.find(',', at) + 1;
        return line.substr(0, at - 1);
    };
    const auto& names = csv_columns();
    const auto old = static_cast<std::size_t>(std::find(names.begin(), names.end(), "dilation_h") - names.begin());
    const auto path = folder.write("v1.csv", first(header, old) + "\r\n" + first(row, old) + "\r\n");
    EXPECT_EQ(methods_in(path), (std::vector<std::string>{"tensor1"}));
    expect_contains(error_of(ErrorKind::file, [&] { CsvFile file(path); }),
                    "'dilation_h'; convscope merge writes its rows with every column");
}

TEST(CsvFile, rejects_a_second_writer) {
    const TempFolder folder;
    const CsvFile first(folder / "a.csv");
    expect_contains(error_of(ErrorKind::file, [&] { CsvFile second(folder / "a.csv"); }), "another run");
}

TEST(CsvFile, says_why_a_path_cannot_be_written) {
    const TempFolder folder;
    expect_contains(error_of(ErrorKind::file, [&] { CsvFile file(folder / "missing/a.csv"); }), "No such file");
    expect_contains(error_of(ErrorKind::file, [&] { CsvFile file(folder / ""); }), "cannot be written");
}

TEST(CsvFile, reads_what_is_good_and_names_the_lines_that_are_not) {
    const TempFolder folder;
    const std::string good = csv_row(record("one")), bad = "1,too,short";
    const auto path =
        folder.write("a.csv", csv_header() + "\n" + good + "\n" + bad + "\n" + good + "\n" + good.substr(0, 30));
    const CsvContent content = read_csv(path);
    EXPECT_EQ(content.records.size(), 2U);
    ASSERT_EQ(content.errors.size(), 2U);
    expect_contains(content.errors[0], "a.csv:3: 3 cells where the header has");
    expect_contains(content.errors[1], "a.csv:5: the row ends early");
}

TEST(CsvFile, reading_rejects_what_is_no_csv_of_ours) {
    const TempFolder folder;
    expect_contains(error_of(ErrorKind::file, [&] { read_csv(folder / "none.csv"); }), "cannot be read");
    expect_contains(error_of(ErrorKind::file, [&] { read_csv(folder.write("e.csv", "")); }), "is empty");
    expect_contains(error_of(ErrorKind::file, [&] { read_csv(folder / ""); }), "directory");
}

// As spreadsheets and data frames leave it.
TEST(CsvFile, reads_what_another_program_changed) {
    const TempFolder folder;
    Record written = record("one");
    written.throttled = true;
    const std::vector<std::string> names = csv_columns(), cells = parse_csv(csv_row(written))[0].cells;
    std::string header = "\xEF\xBB\xBF\"my note\"", row = "\"fast, I think\"";
    for (std::size_t i = names.size(); i-- > 0;) {  // the other way round, all quoted, with Unix line ends
        if (names[i] == "registers") continue;      // an empty column, thrown out
        header += ",\"" + names[i] + "\"";
        row += ",\"" + (cells[i] == "true" ? "TRUE" : cells[i]) + "\"";
    }
    const CsvContent content = read_csv(folder.write("a.csv", header + "\n" + row + "\n\n"));
    EXPECT_TRUE(content.errors.empty()) << content.errors[0];
    ASSERT_EQ(content.records.size(), 1U);
    EXPECT_EQ(csv_row(content.records[0]), csv_row(written));
    EXPECT_EQ(content.ignored_columns, std::vector<std::string>{"my note"});
}

// pandas: True, 256.0 where a column has empty cells; R: NA; LibreOffice: rows of commas at the end.
TEST(CsvFile, reads_what_a_data_frame_wrote_again) {
    const TempFolder folder;
    Record written = record("one");
    written.throttled = true;
    const std::vector<std::string> names = csv_columns(), cells = parse_csv(csv_row(written))[0].cells;
    std::string row;
    for (std::size_t i = 0; i < names.size(); ++i) {
        std::string cell = cells[i];
        if (cell == "true") cell = "True";
        if (cell.empty()) cell = "NA";
        if (csv_column_kind(i) == CellKind::whole && cell != "NA") cell += ".0";
        row += (i == 0 ? "" : ",") + csv_quote(cell);
    }
    const std::string nothing(names.size() - 1, ',');
    const std::filesystem::path path =
        folder.write("a.csv", csv_header() + "\n" + row + "\n" + nothing + "\n" + nothing + "\r\n");
    const CsvContent content = read_csv(path);
    EXPECT_TRUE(content.errors.empty()) << content.errors[0];
    ASSERT_EQ(content.records.size(), 1U);
    EXPECT_EQ(csv_row(content.records[0]), csv_row(written));
    const TableContent table = read_table(path);
    EXPECT_TRUE(table.problems.lines.empty()) << table.problems.lines[0];
    ASSERT_EQ(table.table.rows(), 1U);
    EXPECT_EQ(csv_row(table.table.record(0)), csv_row(written));
}

TEST(CsvFile, says_what_another_program_spoilt) {
    const TempFolder folder;
    const auto rejection = [&](const std::string& text) {
        return error_of(ErrorKind::file, [&] { read_csv(folder.write("a.csv", text)); });
    };
    std::string header = csv_header();
    expect_contains(rejection("\xFF\xFEs"), "UTF-16");
    expect_contains(rejection(header + ",method\n"), "two columns 'method'");
    expect_contains(rejection("method,n\n"), "it has no column 'schema_version'");
    std::replace(header.begin(), header.end(), ',', ';');
    expect_contains(rejection(header + "\n"), "has semicolons between its cells; save it with commas");
}

TEST(CsvFile, an_unclosed_quote_spoils_one_line) {
    const TempFolder folder;
    const std::string good = csv_row(record("one")) + "\n";
    const CsvContent content =
        read_csv(folder.write("a.csv", csv_header() + "\n" + good + "1,\"open" + good + good + "1,\"again\n" + good));
    EXPECT_EQ(content.records.size(), 3U);
    ASSERT_EQ(content.errors.size(), 2U);
    expect_contains(content.errors[0], "a.csv:3: ");
    expect_contains(content.errors[1], "a.csv:5: a quote is not closed");
}

TEST(CsvFile, decimal_commas_are_named) {
    const TempFolder folder;
    const std::string row = csv_row(record("one"));
    std::string quoted = row, bare = row;
    quoted.replace(row.find("4.25"), 4, "\"4,25\"");
    bare.replace(row.find("4.25"), 4, "4,25");
    const CsvContent content = read_csv(folder.write("a.csv", csv_header() + "\n" + quoted + "\n" + bare + "\n"));
    ASSERT_EQ(content.errors.size(), 2U);
    expect_contains(content.errors[0], "a.csv:2: time_median_us: '4,25' has a comma");
    expect_contains(content.errors[1], "a decimal comma outside quotes?");
}

// A disk that is full in the middle of a row: the file's size limit takes a part of it.
TEST(CsvFile, a_row_that_does_not_fit_leaves_the_rows_before_it) {
    const TempFolder folder;
    std::signal(SIGXFSZ, SIG_IGN);
    CsvFile file(folder / "a.csv");
    file.append(record("one"));
    const auto size = std::filesystem::file_size(folder / "a.csv");
    rlimit before{};
    ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
    const rlimit tight{size + 20, before.rlim_max};
    ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &tight), 0);
    const std::string said = error_of(ErrorKind::file, [&] { file.append(record("two")); });
    setrlimit(RLIMIT_FSIZE, &before);
    expect_contains(said, "cannot be written");
    EXPECT_EQ(std::filesystem::file_size(folder / "a.csv"), size);
    file.append(record("three"));
    EXPECT_EQ(methods_in(folder / "a.csv"), (std::vector<std::string>{"one", "three"}));
}

TEST(CsvFile, a_disk_that_is_full_at_any_byte_leaves_whole_rows) {
    const TempFolder folder;
    const auto path = folder / "a.csv";
    const std::vector<std::string> all{"one", "two"};
    const auto write = [&](std::size_t from) {
        CsvFile file(path);
        for (std::size_t i = from; i < all.size(); ++i) file.append(record(all[i]));
    };
    write(0);
    const std::string whole = read_text_file(path);
    std::signal(SIGXFSZ, SIG_IGN);
    rlimit before{};
    ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
    for (std::size_t bytes = 0; bytes < whole.size(); ++bytes) {
        SCOPED_TRACE(bytes);
        std::filesystem::remove(path);
        const rlimit tight{bytes, before.rlim_max};
        ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &tight), 0);
        const std::string said = error_of(ErrorKind::file, [&] { write(0); });
        ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &before), 0);
        expect_contains(said, "a.csv' cannot be written: File too large");
        // All rows that fit, and nothing of the next one.
        const std::size_t end = bytes < 2 ? whole.npos : whole.rfind("\r\n", bytes - 2);
        ASSERT_EQ(read_text_file(path), end == whole.npos ? "" : whole.substr(0, end + 2));
        if (bytes % 16 != 0 && bytes != end + 2) continue;  // a disk takes its time to keep a row
        write(end == whole.npos ? 0 : methods_in(path).size());
        ASSERT_EQ(read_text_file(path), whole);
    }
}

// Root writes everywhere, so that the test takes another user's place.
TEST(CsvFile, says_that_a_folder_is_read_only) {
    const TempFolder folder;
    std::filesystem::permissions(folder / "", std::filesystem::perms{0555});
    const uid_t user = geteuid();
    ASSERT_TRUE(user != 0 || seteuid(65534) == 0);
    const std::string csv = error_of(ErrorKind::file, [&] { CsvFile file(folder / "a.csv"); });
    const std::string json = error_of(ErrorKind::file, [&] { write_text_file(folder / "a.json", "x"); });
    ASSERT_TRUE(user != 0 || seteuid(user) == 0);
    std::filesystem::permissions(folder / "", std::filesystem::perms{0755});
    expect_contains(csv, "a.csv' cannot be written: Permission denied");
    expect_contains(json, "a.json' cannot be written: Permission denied");
}

TEST(CsvFile, writes_whole_files) {
    const TempFolder folder;
    write_csv(folder / "a.csv", {record("one"), record("two")});
    write_csv(folder / "a.csv", {record("three")});
    EXPECT_EQ(methods_in(folder / "a.csv"), (std::vector<std::string>{"three"}));
}

TEST(CsvFile, gives_a_file_of_empty_lines_its_header) {
    const TempFolder folder;
    for (const char* text : {"\n", "\r\n\r\n", "\xEF\xBB\xBF\n"}) {
        const auto path = folder.write("a.csv", text);
        CsvFile file(path);
        EXPECT_EQ(file.repaired_bytes(), 0U);
        file.append(record("one"));
        EXPECT_EQ(read_text_file(path), csv_header() + "\r\n" + csv_row(record("one")) + "\r\n");
    }
}

TEST(CsvFile, keeps_a_whole_last_row_that_lacks_its_line_end) {
    const TempFolder folder;
    Record last = record("two");
    last.noise_from = "samples";
    const std::string before = csv_header() + "\r\n" + csv_row(record("one")) + "\r\n";
    for (const char* end : {"", "\r"}) {
        const auto path = folder.write("a.csv", before + csv_row(last) + end);
        EXPECT_EQ(methods_in(path), (std::vector<std::string>{"one", "two"}));
        CsvFile file(path);
        EXPECT_EQ(file.repaired_bytes(), 0U);
        file.append(record("three"));
        EXPECT_EQ(methods_in(path), (std::vector<std::string>{"one", "two", "three"}));
    }
}

// A row counts for both or for neither: else a row that a sweep passes over is lost to the next.
TEST(CsvFile, reading_and_going_on_agree_about_every_torn_row) {
    const TempFolder folder;
    Record last = record("two");
    last.noise_from = "samples";
    const std::string before = csv_header() + "\r\n" + csv_row(record("one")) + "\r\n", row = csv_row(last);
    for (std::size_t kept = 1; kept <= row.size(); ++kept) {
        const auto path = folder.write("a.csv", before + row.substr(0, kept));
        const CsvContent content = read_csv(path);
        const bool whole = content.records.size() == 2;
        EXPECT_EQ(content.errors.empty(), whole);
        EXPECT_EQ(CsvFile(path).repaired_bytes() == 0, whole) << "torn after " << kept;
        EXPECT_EQ(whole, kept == row.size()) << "torn after " << kept;
    }
}

TEST(CsvFile, an_unclosed_quote_costs_no_row_after_it_when_a_run_goes_on) {
    const TempFolder folder;
    const std::string good = csv_row(record("one")) + "\n";
    const auto path = folder.write("a.csv", csv_header() + "\n1,\"open\n" + good + good);
    {
        CsvFile file(path);
        EXPECT_EQ(file.repaired_bytes(), 0U);
        file.append(record("two"));
    }
    EXPECT_EQ(methods_in(path), (std::vector<std::string>{"one", "one", "two"}));
    // A row of several lines that was torn has no row after it, and goes as a whole.
    Record lines = record("torn");
    lines.status_reason = "first\nsecond\nthird";
    const std::string row = csv_row(lines), whole = csv_header() + "\n" + good;
    const auto torn = folder.write("b.csv", whole + row.substr(0, row.find("third") + 2));
    CsvFile(torn).append(record("two"));
    EXPECT_EQ(read_text_file(torn), whole + csv_row(record("two")) + "\r\n");
}

TEST(CsvFile, rejects_lines_that_end_in_CR_alone) {
    const TempFolder folder;
    const std::string text = csv_header() + "\r" + csv_row(record("one")) + "\r";
    const auto path = folder.write("a.csv", text);
    expect_contains(error_of(ErrorKind::file, [&] { read_csv(path); }), "lines that end in CR alone");
    expect_contains(error_of(ErrorKind::file, [&] { read_table(path); }), "lines that end in CR alone");
    expect_contains(error_of(ErrorKind::file, [&] { CsvFile file(path); }), "lines that end in CR alone");
    EXPECT_EQ(read_text_file(path), text);
}

TEST(CsvFile, rejects_columns_beyond_the_last) {
    const TempFolder folder;
    const auto path = folder.write("more.csv", csv_header() + ",mine\r\n");
    expect_contains(error_of(ErrorKind::file, [&] { CsvFile file(path); }),
                    std::to_string(csv_columns().size() + 1) + " columns instead of");
}

TEST(CsvFile, cuts_off_all_of_a_row_that_opens_two_quotes) {
    const TempFolder folder;
    const std::string whole = csv_header() + "\r\n" + csv_row(record("one")) + "\r\n";
    const auto path = folder.write("torn.csv", whole + "\"a\r\n\"b\r\nc");
    CsvFile(path).append(record("two"));
    EXPECT_EQ(methods_in(path), (std::vector<std::string>{"one", "two"}));
}

TEST(CsvFile, of_a_device_takes_rows_and_says_when_it_is_full) {
    CsvFile nothing("/dev/null");
    EXPECT_NO_THROW(nothing.append(record("one")));
    EXPECT_EQ(nothing.repaired_bytes(), 0U);
    expect_contains(error_of(ErrorKind::file, [] { CsvFile full("/dev/full"); }),
                    "cannot be written: No space left on device");
}

}  // namespace
}  // namespace convscope
