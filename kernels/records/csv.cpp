// The CSV's columns, each with how its cell is printed, in JSON too, and read back. Their order is a contract:
// docs/records.md.
#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "kernels/core/method.h"
#include "kernels/core/method_alias.h"
#include "kernels/core/shape_fields.h"
#include "kernels/records/cell.h"
#include "kernels/records/csv_parse.h"
#include "kernels/records/json_record.h"
#include "kernels/records/record.h"

namespace convscope {
namespace {

struct Column {
    const char* name;
    std::string (*print)(const Record&);
    Json (*json)(const Record&);
    void (*read)(const std::string&, Record&);
    bool real = false;  ///< a number of any size, or nothing
};

template <class T>
Json json_value(const T& value) {
    return value;
}
Json json_value(Status value) {
    return to_string(value);
}
template <class T>
Json json_value(const std::optional<T>& value) {
    return value ? Json(*value) : Json();
}

/// Sizes are never negative; a cell that is was written by somebody else.
void reject_negative(const std::string& text, double value) {
    if (value < 0) throw cell::BadCell(fmt::format("'{}' is below 0", text));
}

/// A column that is a member of Record, or of its shape.
template <auto member>
constexpr Column field(const char* name) {
    return {name, [](const Record& record) { return cell::print(record.*member); },
            [](const Record& record) { return json_value(record.*member); },
            [](const std::string& text, Record& record) { cell::read(text, record.*member); },
            std::is_same_v<decltype(member), std::optional<double> Record::*>};
}
/// Pooling sizes are empty when no pooling layer follows. Files of schema version 1 have no cells for the fields that
/// came later.
constexpr bool may_be_empty(ShapeMember member) {
    return field_of(member).pooling || member == &ConvShape::dilation_h || member == &ConvShape::dilation_w ||
           member == &ConvShape::groups;
}
bool is_none(ShapeMember member, const Record& record) {
    return field_of(member).pooling && !record.shape.pooled();
}
template <ShapeMember member>
constexpr Column shape_field() {
    return {field_of(member).name,
            [](const Record& record) {
                return is_none(member, record) ? std::string() : cell::print(record.shape.*member);
            },
            [](const Record& record) { return is_none(member, record) ? Json() : Json(record.shape.*member); },
            [](const std::string& text, Record& record) {
                if (text.empty() && may_be_empty(member)) return;
                cell::read(text, record.shape.*member);
                reject_negative(text, static_cast<double>(record.shape.*member));
            }};
}
/// A derived quantity: printed, and passed over when read.
template <auto function>
constexpr Column derived(const char* name) {
    return {name, [](const Record& record) { return cell::print((record.shape.*function)()); },
            [](const Record& record) { return Json((record.shape.*function)()); }, [](const std::string&, Record&) {}};
}
/// One extent of the grid or block: all three cells are empty, or none.
template <auto dim, auto extent>
constexpr Column extent_field(const char* name) {
    return {name, [](const Record& record) { return record.*dim ? cell::print((*(record.*dim)).*extent) : ""; },
            [](const Record& record) { return record.*dim ? Json((*(record.*dim)).*extent) : Json(); },
            [](const std::string& text, Record& record) {
                if (text.empty()) return;
                if (!(record.*dim)) (record.*dim).emplace();
                cell::read(text, (*(record.*dim)).*extent);
            }};
}

void read_timestamp(const std::string& text, Record& record) {
    cell::require_timestamp(text);
    record.timestamp_utc = text;
}

void read_arithmetic(const std::string& text, Record& record) {
    cell::require_arithmetic(text);
    record.arithmetic = text;
}

void read_schema_version(const std::string& text, Record&) {
    if (text != "1" && text != "2")
        throw cell::BadCell(fmt::format("version '{}' is not known; this program reads 1 and 2", text));
}

constexpr Column columns[] = {
    {"schema_version", [](const Record&) { return std::string("2"); }, [](const Record&) { return Json(2); },
     read_schema_version},
    field<&Record::run_id>("run_id"),
    {"timestamp_utc", [](const Record& record) { return record.timestamp_utc; },
     [](const Record& record) { return Json(record.timestamp_utc); }, read_timestamp},
    field<&Record::app_version>("app_version"),
    field<&Record::device>("device"),
    field<&Record::device_name>("device_name"),
    field<&Record::compute_capability>("compute_capability"),
    field<&Record::driver_version>("driver_version"),
    field<&Record::cuda_version>("cuda_version"),
    field<&Record::vendor_version>("vendor_version"),
    field<&Record::method>("method"),
    field<&Record::family>("family"),
    field<&Record::dtype>("dtype"),
    field<&Record::layout>("layout"),
    shape_field<&ConvShape::n>(),
    shape_field<&ConvShape::c>(),
    shape_field<&ConvShape::h>(),
    shape_field<&ConvShape::w>(),
    shape_field<&ConvShape::k>(),
    shape_field<&ConvShape::r>(),
    shape_field<&ConvShape::s>(),
    derived<&ConvShape::p>("p"),
    derived<&ConvShape::q>("q"),
    shape_field<&ConvShape::pad_h>(),
    shape_field<&ConvShape::pad_w>(),
    shape_field<&ConvShape::stride_h>(),
    shape_field<&ConvShape::stride_w>(),
    shape_field<&ConvShape::pool_h>(),
    shape_field<&ConvShape::pool_w>(),
    shape_field<&ConvShape::pool_stride>(),
    field<&Record::source>("source"),
    field<&Record::seed>("seed"),
    field<&Record::sparsity_target>("sparsity_target"),
    field<&Record::sparsity_measured>("sparsity_measured"),
    extent_field<&Record::grid, &Dim3::x>("grid_size_x"),
    extent_field<&Record::grid, &Dim3::y>("grid_size_y"),
    extent_field<&Record::grid, &Dim3::z>("grid_size_z"),
    extent_field<&Record::block, &Dim3::x>("block_size_x"),
    extent_field<&Record::block, &Dim3::y>("block_size_y"),
    extent_field<&Record::block, &Dim3::z>("block_size_z"),
    field<&Record::tunables>("tunables"),
    field<&Record::shared_bytes>("shared_bytes"),
    field<&Record::registers>("registers"),
    field<&Record::occupancy_pct>("occupancy_pct"),
    field<&Record::timing_scope>("timing_scope"),
    field<&Record::cache_mode>("cache_mode"),
    field<&Record::samples>("samples"),
    field<&Record::time_median_us>("time_median_us"),
    field<&Record::time_mean_us>("time_mean_us"),
    field<&Record::time_min_us>("time_min_us"),
    field<&Record::time_q1_us>("time_q1_us"),
    field<&Record::time_q3_us>("time_q3_us"),
    field<&Record::noise_pct>("noise_pct"),
    field<&Record::convert_us>("convert_us"),
    field<&Record::multiply_us>("multiply_us"),
    field<&Record::pool_us>("pool_us"),
    field<&Record::workspace_bytes>("workspace_bytes"),
    field<&Record::flops_dense>("flops_dense"),
    field<&Record::flops_effective>("flops_effective"),
    field<&Record::gflops>("gflops"),
    field<&Record::gb_per_s>("gb_per_s"),
    field<&Record::sm_clock_mhz>("sm_clock_mhz"),
    field<&Record::throttled>("throttled"),
    field<&Record::status>("status"),
    field<&Record::status_reason>("status_reason"),
    field<&Record::max_rel_err>("max_rel_err"),
    field<&Record::verified_against>("verified_against"),
    field<&Record::speedup_vs_vendor>("speedup_vs_vendor"),
    field<&Record::vendor_method>("vendor_method"),
    shape_field<&ConvShape::dilation_h>(),
    shape_field<&ConvShape::dilation_w>(),
    shape_field<&ConvShape::groups>(),
    field<&Record::library_workspace_bytes>("library_workspace_bytes"),
    field<&Record::flops_executed>("flops_executed"),
    {"arithmetic", [](const Record& record) { return record.arithmetic; },
     [](const Record& record) { return Json(record.arithmetic); }, read_arithmetic},
};

}  // namespace

const std::vector<std::string>& csv_columns() {
    static const std::vector<std::string> names = [] {
        std::vector<std::string> list;
        for (const Column& column : columns) list.emplace_back(column.name);
        return list;
    }();
    return names;
}

std::string csv_header() {
    std::string line;
    for (const std::string& name : csv_columns()) {
        if (!line.empty()) line += ',';
        line += name;
    }
    return line;
}

std::string csv_row(const Record& record) {
    std::string line;
    for (const Column& column : columns) {
        if (&column != columns) line += ',';
        line += csv_quote(column.print(record));
    }
    return line;
}

Json json_of_cells(const Record& record) {
    Json json = Json::object();
    for (const Column& column : columns) json[column.name] = column.json(record);
    return json;
}

namespace {

/// What p, q and the groups' sizes are quotients by, and what elements are products of, whatever else is wrong with a
/// shape.
void require_countable(const ConvShape& shape) {
    if (shape.stride_h < 1 || shape.stride_w < 1) throw cell::BadCell("a stride is below 1");
    if (shape.groups < 1) throw cell::BadCell("groups is below 1");
    if (shape.pooled() && shape.pool_stride < 1) throw cell::BadCell("pool_stride is below 1");
    constexpr double most = 0x1p61;
    const auto size = [](std::int64_t value) { return static_cast<double>(value); };
    const double h = size(shape.h) + 2 * size(shape.pad_h), w = size(shape.w) + 2 * size(shape.pad_w);
    const double window = size(shape.r) * size(shape.s);
    for (const double elements :
         {h * w * size(shape.n) * size(shape.c) * window, window * size(shape.c) * size(shape.k),
          h * w * size(shape.n) * size(shape.k), size(shape.stride_h) * size(shape.stride_w),
          size(shape.pool_h) * size(shape.pool_w), size(shape.pool_stride), size(shape.r) * size(shape.dilation_h),
          size(shape.s) * size(shape.dilation_w)})
        if (elements > most) throw cell::BadCell("its shape has more elements than can be counted");
}

/// What a row says nothing without.
constexpr const char* required_columns[] = {"schema_version",
                                            "device",
                                            "method",
                                            "n",
                                            "c",
                                            "h",
                                            "w",
                                            "k",
                                            "r",
                                            "s",
                                            "pad_h",
                                            "pad_w",
                                            "stride_h",
                                            "stride_w",
                                            "source",
                                            "seed",
                                            "sparsity_target",
                                            "timing_scope",
                                            "cache_mode",
                                            "samples",
                                            "status"};

/// "semicolons" when that is what this header's names stand between, in one cell.
std::string other_separator(const std::vector<std::string>& header) {
    for (const auto& [separator, name] : {std::pair{';', "semicolons"}, {'\t', "tabs"}})
        for (const std::string& cell : header)
            if (cell.find(fmt::format("timestamp_utc{}", separator)) != std::string::npos) return name;
    return {};
}

}  // namespace

ColumnMap map_columns(const std::vector<std::string>& header) {
    if (const std::string separator = other_separator(header); !separator.empty())
        throw cell::BadCell(
            fmt::format("has {} between its cells; save it with commas, and '.' in numbers", separator));
    const std::vector<std::string>& names = csv_columns();
    ColumnMap map;
    for (const std::string& name : header) {
        const auto found = std::find(names.begin(), names.end(), name);
        const auto place = static_cast<std::size_t>(found - names.begin());
        map.push_back(found == names.end() ? std::nullopt : std::optional(place));
        if (map.back() && std::count(map.begin(), map.end(), map.back()) > 1)
            throw cell::BadCell(fmt::format("has two columns '{}'", name));
    }
    for (const char* name : required_columns)
        if (std::find(header.begin(), header.end(), name) == header.end())
            throw cell::BadCell(fmt::format("is no CSV of convscope's records: it has no column '{}'", name));
    return map;
}

Record record_from_cells(const std::vector<std::string>& cells, const ColumnMap& map) {
    if (cells.size() != map.size())
        throw cell::BadCell(fmt::format("{} cells where the header has {}{}", cells.size(), map.size(),
                                        cells.size() > map.size() ? "; is there a decimal comma outside quotes?" : ""));
    Record record;
    for (std::size_t i = 0; i < cells.size(); ++i) {
        if (!map[i]) continue;
        const Column& column = columns[*map[i]];
        try {
            column.read(cells[i], record);
            if (column.real && !cells[i].empty()) {
                double value = 0;
                cell::read(cells[i], value);
                cell::require_sane(column.name, value);
            }
        } catch (const std::runtime_error& error) {
            throw cell::BadCell(fmt::format("{}: {}", column.name, error.what()));
        }
    }
    require_countable(record.shape);
    if (const MethodAlias* alias = find_method_alias(record.method)) {
        record.method = alias->id;
        record.family = alias->family;
    }
    return record;
}

Record record_of_line(const CsvLine& line, const ColumnMap& map) {
    if (line.complete) return record_from_cells(line.cells, map);
    std::vector<std::string> cells = line.cells;
    if (cells.back().ends_with('\r')) cells.back().pop_back();
    // Nothing tells an empty last cell from one that is cut off.
    if (cells.size() < map.size() || cells.back().empty()) throw cell::BadCell("the row ends early");
    return record_from_cells(cells, map);
}

Record record_from_cells(const std::vector<std::string>& cells) {
    static const ColumnMap map = map_columns(csv_columns());
    return record_from_cells(cells, map);
}

}  // namespace convscope
