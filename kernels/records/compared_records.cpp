#include "kernels/records/compared_records.h"

#include <algorithm>
#include <bit>
#include <functional>
#include <optional>
#include <utility>

#include "kernels/records/cell.h"
#include "kernels/records/record_csv.h"
#include "kernels/records/record_key.h"

namespace convscope {
namespace {

using TextMember = std::string Record::*;
using NumberMember = std::optional<double> Record::*;

/// Numbers of columns, each found by its name once.
struct ComparedColumns {
    struct Text {
        std::size_t column;
        TextMember member;
    };
    struct Number {
        std::size_t column;
        NumberMember member;
    };
    std::vector<Text> texts;
    std::vector<Number> times;
    std::array<std::size_t, shape_fields.size()> shape;
    std::array<std::size_t, 3> grid, block;
    std::size_t seed = table_column("seed"), sparsity = table_column("sparsity_target"),
                weight_sparsity = table_column("weight_sparsity_target"), samples = table_column("samples"),
                status = table_column("status");
    std::vector<std::size_t> kept;  ///< of the CSV's, in its order

    ComparedColumns();
};

ComparedColumns::ComparedColumns() {
    for (const auto& [name, member] : {std::pair<const char*, TextMember>{"timestamp_utc", &Record::timestamp_utc},
                                       {"app_version", &Record::app_version},
                                       {"device", &Record::device},
                                       {"device_name", &Record::device_name},
                                       {"driver_version", &Record::driver_version},
                                       {"cuda_version", &Record::cuda_version},
                                       {"vendor_version", &Record::vendor_version},
                                       {"method", &Record::method},
                                       {"dtype", &Record::dtype},
                                       {"source", &Record::source},
                                       {"tunables", &Record::tunables},
                                       {"timing_scope", &Record::timing_scope},
                                       {"cache_mode", &Record::cache_mode},
                                       {"noise_from", &Record::noise_from},
                                       {"weight_pattern", &Record::weight_pattern}})
        texts.push_back({table_column(name), member});
    for (const auto& [name, member] : {std::pair<const char*, NumberMember>{"time_median_us", &Record::time_median_us},
                                       {"time_q1_us", &Record::time_q1_us},
                                       {"time_q3_us", &Record::time_q3_us},
                                       {"noise_pct", &Record::noise_pct}})
        times.push_back({table_column(name), member});
    for (std::size_t i = 0; i < shape.size(); ++i) shape[i] = table_column(shape_fields[i].name);
    for (std::size_t i = 0; i < 3; ++i) {
        grid[i] = table_column(std::string("grid_size_") + "xyz"[i]);
        block[i] = table_column(std::string("block_size_") + "xyz"[i]);
    }
    std::vector<bool> has(table_columns().size());
    for (const Text& text : texts) has[text.column] = true;
    for (const Number& time : times) has[time.column] = true;
    for (const auto* list : {&grid, &block})
        for (const std::size_t column : *list) has[column] = true;
    for (const std::size_t column : shape) has[column] = true;
    for (const std::size_t column : {seed, sparsity, weight_sparsity, samples, status}) has[column] = true;
    for (std::size_t i = 0; i < csv_columns().size(); ++i)
        if (has[i]) kept.push_back(i);
}

const ComparedColumns& compared_columns() {
    static const ComparedColumns all;
    return all;
}

std::optional<Dim3> extents(const RecordTable& table, std::size_t row, const std::array<std::size_t, 3>& at) {
    const std::optional<double> x = table.number(row, at[0]), y = table.number(row, at[1]),
                                z = table.number(row, at[2]);
    if (!x || !y || !z) return std::nullopt;
    return Dim3{static_cast<std::int64_t>(*x), static_cast<std::int64_t>(*y), static_cast<std::int64_t>(*z)};
}

}  // namespace

ComparedRecords::ComparedRecords()
    : builder_(table_, "", ColumnMap(compared_columns().kept.begin(), compared_columns().kept.end())) {
    for (const char* name : point_columns())
        if (std::string_view(name) != "dtype")  // follows from the method
            (table_.is_text(table_column(name)) ? point_texts_ : point_numbers_).push_back(table_column(name));
}

void ComparedRecords::add(const Record& record) {
    std::vector<std::string> cells;
    cells.reserve(compared_columns().kept.size());
    for (const std::size_t column : compared_columns().kept) cells.push_back(csv_cell(record, column));
    builder_.add({cells.begin(), cells.end()});
}

Record ComparedRecords::record(std::size_t row) const {
    const ComparedColumns& c = compared_columns();
    Record record;
    for (const auto& [column, member] : c.texts) record.*member = table_.text(column)[row];
    for (const auto& [column, member] : c.times) record.*member = table_.number(row, column);
    for (std::size_t i = 0; i < c.shape.size(); ++i)
        if (const auto size = table_.number(row, c.shape[i]))
            record.shape.*shape_fields[i].member = static_cast<std::int64_t>(*size);
    record.grid = extents(table_, row, c.grid);
    record.block = extents(table_, row, c.block);
    cell::read(std::string(table_.text(c.seed)[row]), record.seed);
    record.sparsity_target = table_.numbers(c.sparsity)[row];
    record.weight_sparsity_target = table_.numbers(c.weight_sparsity)[row];
    record.samples = static_cast<std::int64_t>(table_.numbers(c.samples)[row]);
    record.status = parse_status(std::string(table_.text(c.status)[row]));
    return record;
}

std::string_view ComparedRecords::text(std::size_t row, std::string Record::*column) const {
    return table_.text(
        std::ranges::find(compared_columns().texts, column, &ComparedColumns::Text::member)->column)[row];
}

std::string_view ComparedRecords::kind(std::size_t row) const {
    const std::string_view device = text(row, &Record::device);
    return device.substr(0, device.find(':'));
}

bool ComparedRecords::same_point(std::size_t a, std::size_t b) const {
    return std::ranges::all_of(point_texts_,
                               [&](std::size_t at) { return table_.text(at).code(a) == table_.text(at).code(b); }) &&
           std::ranges::all_of(point_numbers_,
                               [&](std::size_t at) {
                                   return std::bit_cast<std::uint64_t>(table_.numbers(at)[a]) ==
                                          std::bit_cast<std::uint64_t>(table_.numbers(at)[b]);
                               }) &&
           kind(a) == kind(b);
}

std::size_t ComparedRecords::point_hash(std::size_t row) const {
    std::size_t hash = std::hash<std::string_view>()(kind(row));
    const auto mix = [&](std::uint64_t value) { hash = (hash ^ value) * 0x9e3779b97f4a7c15U ^ hash >> 29; };
    for (const std::size_t at : point_texts_) mix(table_.text(at).code(row));
    for (const std::size_t at : point_numbers_) mix(std::bit_cast<std::uint64_t>(table_.numbers(at)[row]));
    return hash;
}

bool ComparedRecords::supersedes(std::size_t next, std::size_t there) const {
    const TextColumn& status = table_.text(compared_columns().status);
    const auto ending = [&](std::size_t row) {
        Record record;
        record.status = parse_status(std::string(status[row]));
        record.timestamp_utc = text(row, &Record::timestamp_utc);
        return record;
    };
    return convscope::supersedes(ending(next), ending(there));
}

}  // namespace convscope
