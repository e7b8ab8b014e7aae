// Values of a CSV that no run writes: both readers reject their rows.
#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

#include "kernels/records/csv_file.h"
#include "kernels/records/csv_text.h"
#include "kernels/records/read_table.h"
#include "kernels/records/record_csv.h"
#include "tests/kernels/files/temp_folder.h"

namespace convscope {
namespace {

TEST(CsvValues, rejects_numbers_and_times_that_no_run_writes) {
    const TempFolder folder;
    const auto error = [&](const std::string& column, const std::string& cell) {
        std::vector<std::string> cells = parse_csv(csv_row(Record()))[0].cells;
        const auto& names = csv_columns();
        cells[static_cast<std::size_t>(std::find(names.begin(), names.end(), column) - names.begin())] = cell;
        std::string row;
        for (const std::string& each : cells) row += (row.empty() ? "" : ",") + csv_quote(each);
        const auto path = folder.write("a.csv", csv_header() + "\n" + row + "\n");
        const CsvContent content = read_csv(path);
        const TableContent table = read_table(path);
        EXPECT_EQ(content.errors.size(), table.problems.lines.size())
            << "both readers reject " << column << " " << cell;
        return content.errors.empty() ? std::string() : content.errors[0];
    };
    for (const char* cell : {"nan", "inf", "0", "-1"})
        expect_contains(error("time_median_us", cell), std::string("time_median_us: '") + cell + "' is ");
    expect_contains(error("gflops", "inf"), "is not a finite number");
    EXPECT_EQ(error("max_rel_err", "inf"), "") << "a wrong result has an error like this";
    expect_contains(error("timestamp_utc", "yesterday"), "timestamp_utc: 'yesterday' is not a time in UTC");
    EXPECT_EQ(error("timestamp_utc", "2026-11-22T09:59:55Z"), "");
    expect_contains(error("device_name", "\x1b[2Jgone"), "device_name: '\\x1b[2Jgone' holds control characters");
}

TEST(CsvValues, rejects_a_shape_whose_elements_cannot_be_counted) {
    const TempFolder folder;
    Record huge;
    huge.shape.n = huge.shape.c = huge.shape.h = huge.shape.w = std::int64_t{1} << 40;
    const CsvContent content = read_csv(folder.write("a.csv", csv_header() + "\n" + csv_row(huge) + "\n"));
    ASSERT_EQ(content.errors.size(), 1U);
    expect_contains(content.errors[0], "more elements than can be counted");

    // Each product that anything counts, alone: 2^61 can be, 2^62 cannot.
    using Sizes = std::int64_t ConvShape::*[2];
    constexpr Sizes products[] = {
        {&ConvShape::h, &ConvShape::w},           {&ConvShape::h, &ConvShape::n},
        {&ConvShape::w, &ConvShape::c},           {&ConvShape::n, &ConvShape::c},
        {&ConvShape::h, &ConvShape::r},           {&ConvShape::w, &ConvShape::s},
        {&ConvShape::r, &ConvShape::s},           {&ConvShape::c, &ConvShape::k},
        {&ConvShape::s, &ConvShape::k},           {&ConvShape::h, &ConvShape::k},
        {&ConvShape::n, &ConvShape::k},           {&ConvShape::stride_h, &ConvShape::stride_w},
        {&ConvShape::pool_h, &ConvShape::pool_w}, {&ConvShape::r, &ConvShape::dilation_h},
        {&ConvShape::s, &ConvShape::dilation_w}};
    const auto counts = [&](const ConvShape& shape) {
        Record row;
        row.shape = shape;
        return read_csv(folder / "a.csv", csv_header() + "\n" + csv_row(row) + "\n").errors.empty();
    };
    for (const Sizes& sizes : products) {
        ConvShape shape;
        if (sizes[0] == &ConvShape::pool_h) shape.pool_stride = 1;
        shape.*sizes[0] = std::int64_t{1} << 30;
        shape.*sizes[1] = std::int64_t{1} << 31;
        EXPECT_TRUE(counts(shape)) << to_string(shape);
        shape.*sizes[0] *= 2;
        EXPECT_FALSE(counts(shape)) << to_string(shape);
    }
    ConvShape padded;
    padded.pad_h = padded.pad_w = std::int64_t{1} << 29;
    EXPECT_TRUE(counts(padded));
    padded.pad_h *= 4;
    EXPECT_FALSE(counts(padded));
    std::swap(padded.pad_h, padded.pad_w);
    EXPECT_FALSE(counts(padded));
}

}  // namespace
}  // namespace convscope
