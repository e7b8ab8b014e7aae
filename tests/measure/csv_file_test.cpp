#include "kernels/measure/csv_file.h"

#include <gtest/gtest.h>

#include "kernels/measure/text_file.h"
#include "tests/core/temp_folder.h"

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

TEST(CsvFile, EachRowIsThereBeforeTheNextIsWritten) {
    const TempFolder folder;
    CsvFile file(folder / "a.csv");
    EXPECT_EQ(read_text_file(folder / "a.csv"), csv_header() + "\r\n");
    file.append(record("one"));
    EXPECT_EQ(methods_in(folder / "a.csv"), (std::vector<std::string>{"one"}));
    file.append(record("two"));
    EXPECT_EQ(methods_in(folder / "a.csv"), (std::vector<std::string>{"one", "two"}));
}

TEST(CsvFile, GoesOnWithAFileAndWritesTheHeaderOnce) {
    const TempFolder folder;
    CsvFile(folder / "a.csv").append(record("one"));
    CsvFile again(folder / "a.csv");
    again.append(record("two"));
    EXPECT_EQ(again.repaired_bytes(), 0U);
    EXPECT_EQ(methods_in(folder / "a.csv"), (std::vector<std::string>{"one", "two"}));
}

TEST(CsvFile, CutsOffARowThatAKilledRunLeft) {
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

TEST(CsvFile, WritesATornHeaderAnew) {
    const TempFolder folder;
    const auto path = folder.write("torn.csv", csv_header().substr(0, 20));
    CsvFile(path).append(record("one"));
    EXPECT_EQ(methods_in(path), (std::vector<std::string>{"one"}));
}

TEST(CsvFile, RefusesAFileOfAnotherKind) {
    const TempFolder folder;
    const auto other = folder.write("other.csv", "name,value\na,1\n");
    expect_contains(error_of(ErrorKind::file, [&] { CsvFile file(other); }), "column 1 is 'name'");
    EXPECT_EQ(read_text_file(other), "name,value\na,1\n") << "it is left as it was";
    const auto text = folder.write("note", "no line end");
    error_of(ErrorKind::file, [&] { CsvFile file(text); });
    EXPECT_EQ(read_text_file(text), "no line end");
}

TEST(CsvFile, RefusesASecondWriter) {
    const TempFolder folder;
    const CsvFile first(folder / "a.csv");
    expect_contains(error_of(ErrorKind::file, [&] { CsvFile second(folder / "a.csv"); }), "another run");
}

TEST(CsvFile, SaysWhyAPathCannotBeWritten) {
    const TempFolder folder;
    expect_contains(error_of(ErrorKind::file, [&] { CsvFile file(folder / "missing/a.csv"); }), "No such file");
    expect_contains(error_of(ErrorKind::file, [&] { CsvFile file(folder / ""); }), "cannot be written");
}

TEST(CsvFile, ReadsWhatIsGoodAndNamesTheLinesThatAreNot) {
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

TEST(CsvFile, ReadingRefusesWhatIsNoCsvOfOurs) {
    const TempFolder folder;
    expect_contains(error_of(ErrorKind::file, [&] { read_csv(folder / "none.csv"); }), "cannot be read");
    expect_contains(error_of(ErrorKind::file, [&] { read_csv(folder.write("e.csv", "")); }), "is empty");
    expect_contains(error_of(ErrorKind::file, [&] { read_csv(folder / ""); }), "directory");
}

TEST(CsvFile, WritesWholeFiles) {
    const TempFolder folder;
    write_csv(folder / "a.csv", {record("one"), record("two")});
    write_csv(folder / "a.csv", {record("three")});
    EXPECT_EQ(methods_in(folder / "a.csv"), (std::vector<std::string>{"three"}));
    EXPECT_FALSE(std::filesystem::exists(folder / "a.csv.partial"));
}

}  // namespace
}  // namespace convscope
