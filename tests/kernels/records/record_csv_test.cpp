#include <gtest/gtest.h>

#include <algorithm>
#include <locale>
#include <utility>

#include "kernels/records/cell.h"
#include "kernels/records/record_csv.h"
#include "tests/kernels/records/full_record.h"

namespace convscope {
namespace {

using testing::full_record;

Record round_trip(const Record& record) {
    const std::string text = csv_row(record) + "\r\n";
    const auto lines = parse_csv(text);
    EXPECT_EQ(lines.size(), 1U);
    EXPECT_TRUE(lines[0].complete);
    return record_from_cells(lines[0].cells);
}

// The contract: names and order as every reader of these files knows them.
TEST(RecordCsv, header_is_schema_version_four) {
    EXPECT_EQ(csv_header(),
              "schema_version,run_id,timestamp_utc,app_version,device,device_name,compute_capability,driver_version,"
              "cuda_version,vendor_version,method,family,dtype,layout,n,c,h,w,k,r,s,p,q,pad_h,pad_w,stride_h,stride_w,"
              "pool_h,pool_w,pool_stride,source,seed,sparsity_target,sparsity_measured,grid_size_x,grid_size_y,"
              "grid_size_z,block_size_x,block_size_y,block_size_z,tunables,shared_bytes,registers,occupancy_pct,"
              "timing_scope,cache_mode,samples,time_median_us,time_mean_us,time_min_us,time_q1_us,time_q3_us,noise_pct,"
              "convert_us,multiply_us,pool_us,workspace_bytes,flops_dense,flops_effective,gflops,gb_per_s,sm_clock_mhz,"
              "throttled,status,status_reason,max_rel_err,verified_against,speedup_vs_vendor,vendor_method,"
              "dilation_h,dilation_w,groups,library_workspace_bytes,flops_executed,arithmetic,noise_from,"
              "weight_sparsity_target,weight_sparsity_measured,weight_pattern");
}

TEST(RecordCsv, a_full_row_reads_back_as_itself) {
    const Record record = full_record();
    const Record back = round_trip(record);
    EXPECT_EQ(csv_row(back), csv_row(record));
    EXPECT_EQ(back.shape, record.shape);
    EXPECT_EQ(back.seed, record.seed);
    EXPECT_EQ(back.sparsity_measured, record.sparsity_measured) << "to the last bit";
    EXPECT_EQ(back.status_reason, record.status_reason);
    EXPECT_EQ(*back.grid, *record.grid);
    EXPECT_EQ(back.throttled, record.throttled);
    EXPECT_EQ(back.library_workspace_bytes, record.library_workspace_bytes);
    EXPECT_EQ(back.flops_executed, record.flops_executed);
    EXPECT_EQ(back.arithmetic, record.arithmetic);
    EXPECT_EQ(back.noise_from, record.noise_from);
    EXPECT_EQ(back.weight_sparsity_target, record.weight_sparsity_target);
    EXPECT_EQ(back.weight_sparsity_measured, record.weight_sparsity_measured);
    EXPECT_EQ(back.weight_pattern, record.weight_pattern);
}

TEST(RecordCsv, a_row_of_before_has_its_weights_as_they_are) {
    std::vector<std::string> names = csv_columns(), cells = csv_cells(full_record());
    // As pandas has them where older rows stand next to later ones.
    std::fill(cells.end() - 3, cells.end(), "");
    cells[0] = "3";
    const auto expect_dense = [](const Record& record) {
        EXPECT_EQ(record.weight_sparsity_target, 0);
        EXPECT_EQ(record.weight_sparsity_measured, std::nullopt) << "nobody counted them";
        EXPECT_EQ(record.weight_pattern, "uniform");
    };
    expect_dense(record_from_cells(cells));
    names.resize(names.size() - 3);
    cells.resize(names.size());
    cells[0] = "3";
    expect_dense(record_from_cells(cells, map_columns(names)));
}

/// The cells of the two columns of padding.
std::pair<std::string, std::string> pad_cells(const Record& record) {
    const auto& names = csv_columns();
    const auto at = static_cast<std::size_t>(std::find(names.begin(), names.end(), "pad_h") - names.begin());
    const std::vector<std::string> cells = csv_cells(record);
    return {cells.at(at), cells.at(at + 1)};
}

TEST(RecordCsv, padding_by_side_is_in_the_cells_of_padding) {
    Record record = full_record();
    record.shape.pad_h = 2, record.shape.pad_w = 1;
    const std::string equal = csv_row(record);
    EXPECT_EQ(pad_cells(record), (std::pair<std::string, std::string>("2", "1")));
    record.shape.pad_extra_h = -2, record.shape.pad_extra_w = 3;
    EXPECT_EQ(pad_cells(record), (std::pair<std::string, std::string>("2+0", "1+4")));
    EXPECT_EQ(round_trip(record).shape, record.shape);
    EXPECT_EQ(csv_row(round_trip(record)), csv_row(record));
    record.shape.pad_extra_h = record.shape.pad_extra_w = 0;
    EXPECT_EQ(csv_row(record), equal);
}

TEST(RecordCsv, rejects_what_is_no_padding) {
    std::vector<std::string> cells = csv_cells(full_record());
    const auto& names = csv_columns();
    std::string& pad = cells[static_cast<std::size_t>(std::find(names.begin(), names.end(), "pad_w") - names.begin())];
    for (const char* bad : {"1+", "+1", "1+2+3", "0+-1", "-1+1", "1+x", "1+99999999999", "1,2", "1 + 2", ""}) {
        pad = bad;
        EXPECT_THROW(record_from_cells(cells), cell::BadCell) << bad;
    }
    pad = "1+1";
    EXPECT_EQ(record_from_cells(cells).shape.pad_extra_w, 0);
}

TEST(RecordCsv, a_suspicious_row_keeps_its_time) {
    Record record = full_record();
    record.status = Status::suspicious;
    const Record back = round_trip(record);
    EXPECT_EQ(back.status, Status::suspicious);
    EXPECT_EQ(back.time_median_us, record.time_median_us);
}

TEST(RecordCsv, what_does_not_apply_is_empty) {
    Record record;
    record.method = "onednn";
    record.status = Status::not_supported;
    const Record back = round_trip(record);
    EXPECT_FALSE(back.time_median_us || back.grid || back.block || back.throttled || back.max_rel_err);
    EXPECT_FALSE(back.shape.pooled());
    const auto cells = parse_csv(csv_row(record))[0].cells;
    const auto cell = [&](const std::string& name) {
        const auto& names = csv_columns();
        return cells.at(static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin()));
    };
    EXPECT_EQ(cell("pool_h"), "");
    EXPECT_EQ(cell("time_median_us"), "");
    EXPECT_EQ(cell("grid_size_x"), "");
    EXPECT_EQ(cell("throttled"), "");
    EXPECT_EQ(cell("status"), "not_supported");
}

/// Numbers as in German: 3.456,5.
class Commas : public std::numpunct<char> {
    char do_decimal_point() const override { return ','; }
    char do_thousands_sep() const override { return '.'; }
    std::string do_grouping() const override { return "\3"; }
};

TEST(RecordCsv, a_locale_with_commas_changes_nothing) {
    const Record record = full_record();
    const std::string before = csv_row(record);
    const std::locale old = std::locale::global(std::locale(std::locale::classic(), new Commas));
    const std::string after = csv_row(record);
    const Record back = round_trip(record);
    std::locale::global(old);
    EXPECT_EQ(after, before);
    EXPECT_EQ(back.sparsity_target, 0.85);
}

TEST(RecordCsv, bad_cells_name_their_column) {
    auto cells = parse_csv(csv_row(full_record()))[0].cells;
    const auto error_of = [](const std::vector<std::string>& row) -> std::string {
        try {
            record_from_cells(row);
        } catch (const cell::BadCell& error) {
            return error.what();
        }
        return "";
    };
    cells[15] = "3,5";
    EXPECT_EQ(error_of(cells), "c: '3,5' has a comma; numbers are written with '.' and without separators");
    cells[15] = "three";
    EXPECT_EQ(error_of(cells), "c: 'three' is not a number that fits this column");
    cells[15] = "99999999999999999999";
    EXPECT_NE(error_of(cells).find("c: "), std::string::npos);
    cells[15] = "-3";
    EXPECT_EQ(error_of(cells), "c: '-3' is below 0");
    cells[15] = "3";
    cells[0] = "5";
    EXPECT_EQ(error_of(cells), "schema_version: version '5' is not known; this program reads 1 to 4");
    cells[0] = "1";
    cells.back() = "un";
    EXPECT_EQ(error_of(cells), "weight_pattern: 'un' is not a weight pattern of convscope");
    cells[0] = "4";
    cells.back() = "";
    EXPECT_EQ(error_of(cells), "weight_pattern: the cell is empty; that of a row of schema version 4 is not");
    cells.back() = "uniform";
    const std::string share = std::exchange(*(cells.end() - 3), "");
    EXPECT_EQ(error_of(cells), "weight_sparsity_target: the cell is empty; that of a row of schema version 4 is not");
    *(cells.end() - 3) = share;
    const auto& names = csv_columns();
    auto& stride = cells[static_cast<std::size_t>(std::find(names.begin(), names.end(), "stride_h") - names.begin())];
    stride = "0";
    EXPECT_EQ(error_of(cells), "a stride is below 1") << "p is a quotient by it";
    stride = "1";
    const auto at = [&](const char* name) -> std::string& {
        return cells[static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin())];
    };
    at("stride_w") = "0";
    EXPECT_EQ(error_of(cells), "a stride is below 1");
    at("stride_w") = "1";
    at("pool_h") = at("pool_w") = "2";
    at("pool_stride") = "0";
    EXPECT_EQ(error_of(cells), "pool_stride is below 1");
    at("pool_stride") = "2";
    const auto median = std::find(names.begin(), names.end(), "time_median_us") - names.begin();
    const std::string time = std::exchange(cells[static_cast<std::size_t>(median)], "-0.5");
    EXPECT_EQ(error_of(cells), "time_median_us: '-0.5' is below 0");
    cells[static_cast<std::size_t>(median)] = time;
    const auto groups = std::find(names.begin(), names.end(), "groups") - names.begin();
    cells[static_cast<std::size_t>(groups)] = "0";
    EXPECT_EQ(error_of(cells), "groups is below 1");
    cells[static_cast<std::size_t>(groups)] = "1";
    cells.pop_back();
    EXPECT_NE(error_of(cells).find("cells where the header has"), std::string::npos);
}

TEST(RecordCsv, rows_of_version_one_read_without_its_later_columns) {
    auto cells = parse_csv(csv_row(full_record()))[0].cells;
    std::vector<std::string> names = csv_columns();
    names.erase(std::find(names.begin(), names.end(), "dilation_h"), names.end());
    cells.resize(names.size());
    cells[0] = "1";
    const Record record = record_from_cells(cells, map_columns(names));
    EXPECT_EQ(record.vendor_method, "cudnn");
    EXPECT_FALSE(record.library_workspace_bytes || record.flops_executed);
    EXPECT_EQ(record.arithmetic, "");
}

TEST(RecordCsv, a_renamed_method_reads_under_its_new_name) {
    Record record = full_record();
    for (const auto& [former, id] : {std::pair{"ecr6", "tensor1"}, {"pecr6", "tensor2"}, {"ocpa3", "tensor3"}}) {
        record.method = former;
        record.family = "ecr";
        const Record back = round_trip(record);
        EXPECT_EQ(back.method, id);
        EXPECT_EQ(back.family, "tensor");
    }
}

TEST(RecordCsv, a_renamed_tunable_reads_under_its_new_name) {
    Record record = full_record();
    for (const std::string former : {"parts", "slices", "split", "splits", "split_k"}) {
        record.tunables = "filters=64;" + former + "=4;flush=2";
        EXPECT_EQ(round_trip(record).tunables, "filters=64;split_k=4;promotion_interval=2");
    }
}

}  // namespace
}  // namespace convscope
