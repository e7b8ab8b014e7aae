#include "kernels/records/read_records.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

#include "kernels/records/csv_file.h"
#include "kernels/records/json.h"
#include "kernels/records/json_read.h"
#include "kernels/records/record_csv.h"
#include "tests/kernels/files/temp_folder.h"
#include "tests/kernels/records/full_record.h"

namespace convscope {
namespace {

void expect_same(const Record& a, const Record& b) {
    EXPECT_EQ(csv_row(a), csv_row(b));
    EXPECT_EQ(to_json({a}), to_json({b})) << "to the last bit, with what fits no cell";
}

TEST(ReadRecords, json_reads_back_as_itself) {
    const TempFolder folder;
    Record sparse;  // nothing that may be empty is there
    const Record full = testing::full_record();
    const RecordFile file = read_records(folder.write("a.json", to_json({full, sparse})));
    EXPECT_TRUE(file.errors.empty()) << file.errors[0];
    ASSERT_EQ(file.records.size(), 2U);
    expect_same(file.records[0], full);
    expect_same(file.records[1], sparse);
}

TEST(ReadRecords, json_without_what_fits_no_cell_is_a_row_all_the_same) {
    const TempFolder folder;
    auto row = nlohmann::json::parse(to_json({testing::full_record()}))[0];
    row["stages_us"] = nlohmann::json::parse(R"([{"stage": "all"}, {"median_us": null}])");
    for (const char* key : {"choice", "quantities", "samples_us", "tolerance", "speedup_interval"}) row.erase(key);
    const RecordFile file = read_records(folder.write("a.json", "[" + row.dump() + "]"));
    ASSERT_EQ(file.records.size(), 1U);
    const Record& record = file.records[0];
    ASSERT_EQ(record.stages_us.size(), 2U);
    EXPECT_EQ(record.stages_us[0].first, "all");
    EXPECT_EQ(record.stages_us[1].second, 0);
    EXPECT_TRUE(record.choice.empty() && record.quantities.empty() && record.samples_us.empty());
    EXPECT_FALSE(record.tolerance || record.speedup_interval);
}

TEST(ReadRecords, json_has_padding_by_side_in_numbers) {
    const TempFolder folder;
    Record record = testing::full_record();
    EXPECT_FALSE(nlohmann::json::parse(to_json({record}))[0].contains("pad_extra_h"));
    record.shape.pad_h = 0, record.shape.pad_extra_h = 1, record.shape.pad_w = 2, record.shape.pad_extra_w = -2;
    auto row = nlohmann::json::parse(to_json({record}))[0];
    EXPECT_EQ(row["pad_h"], 0);
    EXPECT_EQ(row["pad_extra_h"], 1);
    EXPECT_EQ(row["pad_w"], 2);
    EXPECT_EQ(row["pad_extra_w"], -2);
    const auto read = [&] { return read_records(folder.write("a.json", "[" + row.dump() + "]")); };
    ASSERT_EQ(read().records.size(), 1U);
    EXPECT_EQ(read().records[0].shape, record.shape);
    expect_same(read().records[0], record);
    row["pad_extra_h"] = nullptr;
    EXPECT_EQ(read().records.at(0).shape.pad_bottom(), 0) << "as where the key is missing";
    const auto complaint = [&](const char* key, nlohmann::json value) {
        const auto whole = row;
        row[key] = std::move(value);
        const RecordFile file = read();
        row = whole;
        EXPECT_TRUE(file.records.empty()) << key;
        return file.errors.at(0);
    };
    expect_contains(complaint("pad_extra_w", -3), "pad_w: 2 and -3 more are not a padding; each side is from 0 to");
    expect_contains(complaint("pad_extra_h", std::int64_t{1} << 62), "more are not a padding");
    expect_contains(complaint("pad_extra_w", 0.5), "pad_w: '0.5' is not a number that fits this column");
    expect_contains(complaint("pad_w", "2+0"), "pad_w: '2+0' is not a number that fits this column");
}

TEST(ReadRecords, csv_reads_back_as_itself) {
    const TempFolder folder;
    write_csv(folder / "a.csv", {testing::full_record(), Record{}});
    const RecordFile file = read_records(folder / "a.csv");
    ASSERT_EQ(file.records.size(), 2U);
    EXPECT_EQ(csv_row(file.records[0]), csv_row(testing::full_record()));
    EXPECT_EQ(csv_row(file.records[1]), csv_row(Record{}));
}

TEST(ReadRecords, the_layers_of_a_network_are_rows_too) {
    const TempFolder folder;
    const std::string rows = to_json({testing::full_record()});
    const RecordFile file = read_records(
        folder.write("a.json", R"({"network": "x", "layers": [3, {"n": 1}, {"rows": )" + rows + "}, {\"rows\": []}]}"));
    ASSERT_EQ(file.records.size(), 1U);
    expect_same(file.records[0], testing::full_record());
}

TEST(ReadRecords, json_rows_that_do_not_read_are_named) {
    const TempFolder folder;
    std::string good = to_json({testing::full_record()});
    good = good.substr(1, good.rfind(']') - 1);
    const auto with = [&](const std::string& from, const std::string& to) {
        std::string text = good;
        return text.replace(text.find(from), from.size(), to);
    };
    const std::string rows = "[" + good + ", 7," + with("\"k\": 4", "\"k\": \"four\"") + "," +
                             with("\"samples\": 120", "\"samples\": null") + "," +
                             with("\"samples_us\": [", "\"samples_us\": [\"a\",") + "," + with("\"method\"", "\"m\"") +
                             "," + with("\"k\": 4", "\"k\": [4]") + "," + with("\"h\": ", "\"h\": -") + "," +
                             with("\"k\": 4", "\"k\": 4.5") + "," + with("\"throttled\": false", "\"throttled\": 7") +
                             "," + good + "]";
    const RecordFile file = read_records(folder.write("a.json", rows));
    EXPECT_EQ(file.records.size(), 2U);
    ASSERT_EQ(file.errors.size(), 9U);
    expect_contains(file.errors[0], "a.json: row 2: no object");
    expect_contains(file.errors[1], "row 3: k: 'four' is not a number");
    expect_contains(file.errors[2], "row 4: samples: ");
    expect_contains(file.errors[3], "row 5: samples_us: ");
    expect_contains(file.errors[4], "row 6: ");
    expect_contains(file.errors[4], "'method'");
    expect_contains(file.errors[5], "row 7: k: neither a number nor a text");
    expect_contains(file.errors[6], "row 8: h: ");
    expect_contains(file.errors[7], "row 9: k: '4.5' is not a number that fits");
    expect_contains(file.errors[8], "row 10: throttled: '7' is neither true nor false");
}

TEST(ReadRecords, rejects_other_files) {
    const TempFolder folder;
    const auto rejection = [&](const std::string& text) {
        return error_of(ErrorKind::file, [&] { read_records(folder.write("a", text)); });
    };
    const std::string torn = to_json({testing::full_record()});
    expect_contains(rejection(torn.substr(0, torn.size() / 2)), "is not complete JSON");
    for (const char* text : {"{\"a\": 1}", "{\"layers\": 1}", "{\"cache\": {}}", "{\"results\": []}", "{}",
                             "{\"tune_params_keys\": []}", "{\"schema_version\": 1}"})
        expect_contains(rejection(text), "holds no records");
    expect_contains(rejection("{\"results\": [], \"schema_version\": 1}"), "is a T4 file that convscope did not write");
    expect_contains(error_of(ErrorKind::file, [] { read_json("a.json", "3"); }), "holds no records");
    expect_contains(rejection("[{\"h\": 1e309}]"), "has a number that is too large");
    expect_contains(rejection(""), "is empty");
    expect_contains(rejection("\x7f"
                              "ELF"),
                    "no column");
    expect_contains(error_of(ErrorKind::file, [&] { read_records(folder / "none"); }), "cannot be read");
}

}  // namespace
}  // namespace convscope
