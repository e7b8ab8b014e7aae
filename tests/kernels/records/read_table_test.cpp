#include "kernels/records/read_table.h"

#include <gtest/gtest.h>

#include <random>
#include <stop_token>

#include "kernels/files/text_file.h"
#include "kernels/records/record_csv.h"
#include "kernels/records/row_query.h"
#include "tests/kernels/files/temp_folder.h"
#include "tests/kernels/records/many_records.h"

namespace convscope {
namespace {

std::string csv_text(const std::vector<Record>& records) {
    std::string text = csv_header() + "\r\n";
    for (const Record& record : records) text += csv_row(record) + "\r\n";
    return text;
}

TEST(ReadTable, reads_what_was_written_wherever_it_is_cut) {
    const TempFolder folder;
    std::vector<Record> records = testing::many_records(400);
    for (std::size_t i = 0; i < records.size(); i += 3) records[i].status_reason = "two\r\nlines, a \"quote\"\n1,2,3";
    const auto path = folder.write("a.csv", csv_text(records));
    for (const std::size_t chunk : {std::size_t{1}, std::size_t{700}, std::size_t{5000}, std::size_t{1} << 20}) {
        const TableContent content = read_table(path, {.threads = 3, .chunk_bytes = chunk});
        EXPECT_TRUE(content.problems.lines.empty()) << content.problems.lines[0];
        EXPECT_TRUE(content.problems.notes.empty());
        ASSERT_EQ(content.table.rows(), records.size()) << chunk;
        for (std::size_t row = 0; row < records.size(); ++row)
            ASSERT_EQ(content.table.csv_row(row), csv_row(records[row])) << chunk;
        EXPECT_EQ(content.table.cell(7, table_column("file")), "a.csv");
    }
}

TEST(ReadTable, a_bad_row_costs_itself_alone_and_is_named) {
    const TempFolder folder;
    const std::vector<Record> records = testing::many_records(5);
    std::string text = csv_header() + "\n" + csv_row(records[0]) + "\n";
    text += "1,2,3\n";  // line 3
    std::string broken = csv_row(records[1]);
    text += broken.replace(broken.find("cuda:0"), 6, "\"cuda:0") + "\n";  // line 4: a quote that does not close
    text += csv_row(records[2]) + "\n";
    broken = csv_row(records[3]);
    text += broken.replace(broken.find(",passed,"), 8, ",perfect,") + "\n";  // line 6
    broken = csv_row(records[3]);
    text += broken.replace(broken.find(",1980,"), 6, ",fast,") + "\n";  // line 7
    text += csv_row(records[4]) + "\n";
    text += csv_row(records[4]).substr(0, 90);  // line 9, torn
    const auto path = folder.write("b.csv", text);
    const TableContent content = read_table(path);
    ASSERT_EQ(content.table.rows(), 3U);
    EXPECT_EQ(content.table.csv_row(2), csv_row(records[4]));
    const std::vector<std::string>& lines = content.problems.lines;
    ASSERT_EQ(lines.size(), 5U);
    EXPECT_EQ(content.problems.left_out, 5U);
    const std::string name = path.string();
    EXPECT_EQ(lines[0], name + ":3: 3 cells where the header has " + std::to_string(csv_columns().size()));
    EXPECT_EQ(lines[1], name + ":4: a quote is not closed");
    EXPECT_EQ(lines[2], name +
                            ":6: status: 'perfect' is not a status; accepted are passed, incorrect, not_supported, "
                            "invalid_config, out_of_memory, runtime_error, timeout, cancelled, suspicious");
    EXPECT_EQ(lines[3], name + ":7: sm_clock_mhz: 'fast' is not a number that fits this column");
    EXPECT_EQ(lines[4], name + ":9: the row ends early");
}

TEST(ReadTable, a_shape_that_cannot_be_counted_is_left_out_as_the_csvs_reader_does) {
    const TempFolder folder;
    const auto path = folder.write("z.csv",
                                   "method,time_median_us,n,stride_h,groups\n"
                                   "ecr1,4.5,1,1,1\necr1,4.5,1,0,1\necr1,4.5,1,1,0\necr1,4.5,1,2,2\n");
    const TableContent content = read_table(path);
    EXPECT_EQ(content.table.rows(), 2U);
    ASSERT_EQ(content.problems.lines.size(), 2U);
    EXPECT_EQ(content.problems.lines[0], path.string() + ":3: a stride is below 1");
    EXPECT_EQ(content.problems.lines[1], path.string() + ":4: groups is below 1");
    EXPECT_EQ(content.table.cell(1, table_column("groups")), "2");
}

TEST(ReadTable, takes_padding_by_side_and_leaves_out_what_is_no_padding) {
    const TempFolder folder;
    const auto path = folder.write("p.csv",
                                   "method,time_median_us,pad_h,pad_w,pad_extra_h\n"
                                   "im2col,4.5,0+1,2,9\nim2col,4.5,0,2,9\nim2col,4.5,0+,2,9\nim2col,4.5,0,2+0,9\n");
    const TableContent content = read_table(path);
    ASSERT_EQ(content.table.rows(), 3U);
    EXPECT_EQ(content.table.cell(0, table_column("pad_h")), "0+1");
    EXPECT_EQ(content.table.cell(1, table_column("pad_h")), "0");
    EXPECT_EQ(content.table.cell(2, table_column("pad_w")), "2+0");
    EXPECT_EQ(content.table.number(2, table_column("pad_extra_w")), -2);
    ASSERT_EQ(content.problems.lines.size(), 1U);
    EXPECT_EQ(content.problems.lines[0], path.string() +
                                             ":4: pad_h: '0+' is not a padding; it is one number, or two as 0+1, each "
                                             "from 0 to 2147483647");
    EXPECT_EQ(content.problems.notes.at(0), "p.csv: passed over the column pad_extra_h") << "which no CSV has";
}

TEST(ReadTable, rows_of_before_have_their_weights_as_they_are) {
    const TempFolder folder;
    const auto weights_of = [&](const char* text) {
        const TableContent content = read_table(folder.write("w.csv", text));
        EXPECT_EQ(content.problems.lines, std::vector<std::string>{});
        std::vector<std::string> cells;
        for (std::size_t row = 0; row < content.table.rows(); ++row)
            for (const char* column : {"weight_sparsity_target", "weight_sparsity_measured", "weight_pattern"})
                cells.push_back(content.table.cell(row, table_column(column)));
        return cells;
    };
    EXPECT_EQ(weights_of("method,time_median_us\necr1,4.5\n"), (std::vector<std::string>{"0", "", "uniform"}));
    EXPECT_EQ(weights_of("method,time_median_us,weight_sparsity_target,weight_sparsity_measured,weight_pattern\n"
                         "ecr1,4.5,,,\necr1,4.5,0.5,0.25,rows\n"),
              (std::vector<std::string>{"0", "", "uniform", "0.5", "0.25", "rows"}));
}

TEST(ReadTable, former_names_of_tunables_are_found_by_either_name) {
    const TempFolder folder;
    const RecordTable table = read_table(folder.write("t.csv",
                                                      "method,tunables,time_median_us\ntensor1,filters=64;parts=2,1\n"
                                                      "tensor1,filters=64;split_k=2,1\n"))
                                  .table;
    for (const char* query : {"tunables=filters=64;parts=2", "tunables=filters=64;split_k=2"})
        EXPECT_EQ(rows_where(table, parse_query(query)).count(), 2U) << query;
}

TEST(ReadTable, rows_that_say_what_was_requested_in_w_have_no_empty_cell_of_it) {
    const TempFolder folder;
    const auto path = folder.write("w.csv",
                                   "schema_version,method,time_median_us,weight_sparsity_target,weight_pattern\n"
                                   "3,ecr1,4.5,,\n4,ecr1,4.5,0.5,rows\n4,ecr1,4.5,0.5,\n4.0,ecr1,4.5,,rows\n");
    const TableContent content = read_table(path);
    EXPECT_EQ(content.table.rows(), 2U);
    const std::string empty = ": the cell is empty; that of a row of schema version 4 is not";
    EXPECT_EQ(content.problems.lines, (std::vector<std::string>{path.string() + ":4: weight_pattern" + empty,
                                                                path.string() + ":5: weight_sparsity_target" + empty}));
}

TEST(ReadTable, takes_columns_in_any_order_as_other_programs_write_them) {
    const TempFolder folder;
    const auto path = folder.write("c.csv", "\xef\xbb\xbftime_median_us,method,n,mine,status\n4.5,ecr1,1.0,x,passed\n");
    const TableContent content = read_table(path);
    ASSERT_EQ(content.table.rows(), 1U);
    EXPECT_EQ(content.table.cell(0, table_column("method")), "ecr1");
    EXPECT_EQ(content.table.cell(0, table_column("n")), "1");
    EXPECT_EQ(content.table.cell(0, table_column("c")), "");
    ASSERT_EQ(content.problems.notes.size(), 2U);
    EXPECT_EQ(content.problems.notes[0], "c.csv: passed over the column mine");
    EXPECT_NE(content.problems.notes[1].find("without the columns schema_version, run_id"), std::string::npos)
        << content.problems.notes[1];
}

TEST(ReadTable, takes_whatever_a_file_holds) {
    const TempFolder folder;
    const std::string whole = csv_text(testing::many_records(40));
    std::mt19937 random(1);
    const auto below = [&random](std::size_t limit) {
        return std::uniform_int_distribution<std::size_t>(0, limit - 1)(random);
    };
    for (int round = 0; round < 300; ++round) {
        std::string text = whole;
        for (std::size_t i = 0; i < 1 + below(6); ++i) {
            const std::size_t at = csv_header().size() + 2 + below(text.size() - csv_header().size() - 2);
            const char bytes[] = {'"', ',', '\n', '\r', '\0', 'x', '-', static_cast<char>(0xff)};
            if (below(3) == 0)
                text.erase(at, below(900));
            else
                text.insert(at, 1, bytes[below(sizeof bytes)]);
            if (text.size() < csv_header().size() + 10) break;
        }
        const TableContent content =
            read_table(folder.write("mutated.csv", text), {.threads = 2, .chunk_bytes = 1 + below(9000)});
        // A change hits the row that it is in, and the next where a line end was hit.
        EXPECT_GE(content.table.rows() + content.problems.left_out + 20, 40U);
        EXPECT_GE(content.table.rows(), 15U) << round;
        for (std::size_t row = 0; row < content.table.rows(); ++row) content.table.csv_row(row);
    }
}

TEST(ReadTable, rejects_what_is_no_file_of_records) {
    const TempFolder folder;
    const auto message = [](const std::filesystem::path& path) {
        try {
            read_table(path);
        } catch (const Error& error) {
            EXPECT_EQ(error.kind(), ErrorKind::file);
            return std::string(error.what());
        }
        return std::string("read");
    };
    EXPECT_EQ(message(folder / "none.csv"),
              "'" + (folder / "none.csv").string() + "' cannot be read: No such file or directory");
    EXPECT_EQ(message(folder.write("empty.csv", "")), "'" + (folder / "empty.csv").string() + "' is empty");
    EXPECT_NE(message(folder.write("other.csv", "a,b\n1,2\n")).find("has no column 'method'"), std::string::npos);
    EXPECT_NE(message(folder.write("twice.csv", "method,method\n1,2\n")).find("'method' twice"), std::string::npos);
}

TEST(ReadTable, names_as_many_rows_as_it_may_and_counts_the_others) {
    const TempFolder folder;
    std::string text = csv_header() + "\n", row = csv_row(testing::many_records(1)[0]);
    row.replace(row.find(",passed,"), 8, ",perfect,");  // with every cell: a chunk may begin there
    for (std::size_t i = 0; i < 2 * TableProblems::most; ++i) text += row + "\n";
    for (const std::size_t chunk : {std::size_t{300}, std::size_t{1} << 20}) {
        const TableContent content = read_table(folder.write("a.csv", text), {.threads = 2, .chunk_bytes = chunk});
        EXPECT_EQ(content.problems.lines.size(), TableProblems::most);
        EXPECT_EQ(content.problems.left_out, 2 * TableProblems::most);
    }
}

TEST(ReadTable, is_told_of_and_stopped) {
    const TempFolder folder;
    const auto path = folder.write("a.csv", csv_text(testing::many_records(3)));
    double progress = 0;
    EXPECT_EQ(read_table(path, {.progress = [&](double share) { progress = share; }}).table.rows(), 3U);
    EXPECT_EQ(progress, 1);
    std::stop_source stop;
    stop.request_stop();
    EXPECT_EQ(read_table(path, {.stop = stop.get_token()}).table.rows(), 0U);
}

TEST(ReadTable, takes_a_gigabyte_and_no_more) {
    const TempFolder folder;
    const auto path = folder.write("a.csv", "");
    std::filesystem::resize_file(path, max_records_bytes + 1);  // a hole: it takes no room
    expect_contains(error_of(ErrorKind::file, [&] { read_table(path); }), "is larger than the 1024 MiB that are read");
}

TEST(ReadTable, takes_neither_a_folder_nor_a_device_nor_a_part_of_a_whole_number) {
    const TempFolder folder;
    const auto message = [](const std::filesystem::path& path) {
        return error_of(ErrorKind::file, [&] { read_table(path); });
    };
    expect_contains(message(folder / ""), "cannot be read: it is a folder");
    expect_contains(message("/dev/null"), "cannot be read: it is not a regular file");
    const TableContent content =
        read_table(folder.write("a.csv", "method,time_median_us,h,file\na,1,3.5,x\nb,2,3.0,x\n"));
    ASSERT_EQ(content.table.rows(), 1U);
    EXPECT_EQ(content.table.cell(0, table_column("h")), "3");
    expect_contains(content.problems.lines.at(0), "h: '3.5' is not a whole number");
    expect_contains(content.problems.notes.at(0), "passed over the column file");
    const TableContent torn = read_table(folder.write("b.csv", "method,time_median_us,gpu\na,1,x\nb,2,"));
    EXPECT_EQ(torn.table.rows(), 1U);
    expect_contains(torn.problems.lines.at(0), "b.csv:3: the row ends early");
}

}  // namespace
}  // namespace convscope
