#include "kernels/records/record_csv.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "kernels/method/former_names.h"
#include "kernels/method/method.h"
#include "kernels/records/cell.h"
#include "kernels/records/json_record.h"
#include "kernels/records/pad_cell.h"
#include "kernels/records/record_columns.h"

namespace convscope {
namespace {

/// Each column with how its cell is printed, in JSON too, and read back.
struct Column {
    const char* name;
    CellKind kind;
    std::string (*print)(const Record&);
    Json (*json)(const Record&);
    void (*read)(const std::string&, Record&);
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

/// The cell kind of a member's type. A double cannot hold all 64 bits of the seed.
template <class T>
constexpr CellKind kind_of(const T*) {
    if (std::is_floating_point_v<T>) return CellKind::real;
    const bool whole = std::is_integral_v<T> && !std::is_same_v<T, bool> && !std::is_same_v<T, std::uint64_t>;
    return whole ? CellKind::whole : CellKind::text;
}
template <class T>
constexpr CellKind kind_of(const std::optional<T>*) {
    return kind_of(static_cast<const T*>(nullptr));
}

constexpr Column column_of(SchemaVersion version) {
    return {version.name, CellKind::whole, [](const Record&) { return std::string("4"); },
            [](const Record&) { return Json(4); },
            [](const std::string& text, Record&) {
                if (text != "1" && text != "2" && text != "3" && text != "4")
                    throw cell::BadCell(fmt::format("version '{}' is not known; this program reads 1 to 4", text));
            }};
}
template <auto member>
constexpr Column column_of(Field<member> field) {
    using Member = std::remove_cvref_t<decltype(std::declval<Record>().*member)>;
    return {field.name, kind_of(static_cast<const Member*>(nullptr)),
            [](const Record& record) { return cell::print(record.*member); },
            [](const Record& record) { return json_value(record.*member); },
            [](const std::string& text, Record& record) {
                if constexpr (std::is_same_v<Member, std::string>) {
                    if (member == &Record::timestamp_utc) cell::require_timestamp(text);
                    if (member == &Record::arithmetic) cell::require_arithmetic(text);
                    if (member == &Record::noise_from) cell::require_noise_source(text);
                    if (member == &Record::weight_pattern) cell::require_weight_pattern(text);
                }
                cell::read(text, record.*member);
            }};
}
bool is_none(ShapeMember member, const Record& record) {
    return field_of(member).pooling && !record.shape.pooled();
}
template <ShapeMember member, bool may_be_empty>
constexpr Column column_of(ShapeSize<member, may_be_empty> size) {
    return {size.name, CellKind::whole,
            [](const Record& record) {
                return is_none(member, record) ? std::string() : cell::print(record.shape.*member);
            },
            [](const Record& record) { return is_none(member, record) ? Json() : Json(record.shape.*member); },
            [](const std::string& text, Record& record) {
                if (!text.empty() || !may_be_empty) cell::read(text, record.shape.*member);
            }};
}
template <ShapeMember member, ShapeMember extra>
constexpr Column column_of(PadSize<member, extra> size) {
    return {size.name, CellKind::whole,
            [](const Record& record) { return cell::print_pad(record.shape.*member, record.shape.*extra); },
            [](const Record& record) { return Json(record.shape.*member); },
            [](const std::string& text, Record& record) {
                record.shape.*extra = cell::read_pad_extra(text);
                cell::read(std::string(cell::near_side(text)), record.shape.*member);
            }};
}
template <auto function>
constexpr Column column_of(Derived<function> derived) {
    return {derived.name, CellKind::whole, [](const Record& record) { return cell::print((record.shape.*function)()); },
            [](const Record& record) { return Json((record.shape.*function)()); }, [](const std::string&, Record&) {}};
}
template <auto dim, auto extent>
constexpr Column column_of(Extent<dim, extent> one) {
    return {one.name, CellKind::whole,
            [](const Record& record) { return record.*dim ? cell::print((*(record.*dim)).*extent) : ""; },
            [](const Record& record) { return record.*dim ? Json((*(record.*dim)).*extent) : Json(); },
            [](const std::string& text, Record& record) {
                if (text.empty()) return;
                if (!(record.*dim)) (record.*dim).emplace();
                cell::read(text, (*(record.*dim)).*extent);
            }};
}

constexpr auto columns = std::apply([](const auto&... each) { return std::array{column_of(each)...}; }, record_columns);

}  // namespace

const std::vector<std::string>& csv_columns() {
    static const std::vector<std::string> names = [] {
        std::vector<std::string> list;
        for (const Column& column : columns) list.emplace_back(column.name);
        return list;
    }();
    return names;
}

CellKind csv_column_kind(std::size_t column) {
    return columns.at(column).kind;
}

std::string csv_header() {
    return csv_line(csv_columns());
}

std::string csv_cell(const Record& record, std::size_t column) {
    return columns.at(column).print(record);
}

std::vector<std::string> csv_cells(const Record& record) {
    std::vector<std::string> cells;
    for (const Column& column : columns) cells.push_back(column.print(record));
    return cells;
}

std::string csv_row(const Record& record) {
    return csv_line(csv_cells(record));
}

Json json_of_cells(const Record& record) {
    Json json = Json::object();
    for (const Column& column : columns) json[column.name] = column.json(record);
    for (const ShapeField& field : shape_fields)
        if (field.added && is_written(field, record.shape)) json[field.name] = record.shape.*field.member;
    return json;
}

void require_countable(const ConvShape& shape) {
    if (shape.stride_h < 1 || shape.stride_w < 1) throw cell::BadCell("a stride is below 1");
    if (shape.groups < 1) throw cell::BadCell("groups is below 1");
    if (shape.pooled() && shape.pool_stride < 1) throw cell::BadCell("pool_stride is below 1");
    constexpr double most = 0x1p61;
    const auto size = [](std::int64_t value) { return static_cast<double>(value); };
    const double h = size(shape.h) + 2 * size(shape.pad_h) + size(shape.pad_extra_h);
    const double w = size(shape.w) + 2 * size(shape.pad_w) + size(shape.pad_extra_w);
    const double window = size(shape.r) * size(shape.s);
    for (const double elements :
         {h * w * size(shape.n) * size(shape.c) * window, window * size(shape.c) * size(shape.k),
          h * w * size(shape.n) * size(shape.k), size(shape.stride_h) * size(shape.stride_w),
          size(shape.pool_h) * size(shape.pool_w), size(shape.pool_stride), size(shape.r) * size(shape.dilation_h),
          size(shape.s) * size(shape.dilation_w)})
        if (elements > most) throw cell::BadCell("its shape has more elements than can be counted");
}

namespace {

/// The columns that a row needs to mean anything.
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
            throw cell::BadCell(fmt::format("is not a CSV of convscope's records: it has no column '{}'", name));
    return map;
}

Record record_from_cells(const std::vector<std::string>& cells, const ColumnMap& map) {
    if (cells.size() != map.size())
        throw cell::BadCell(fmt::format("{} cells where the header has {}{}", cells.size(), map.size(),
                                        cells.size() > map.size() ? "; is there a decimal comma outside quotes?" : ""));
    static const auto schema_version = static_cast<std::size_t>(
        std::ranges::find(csv_columns(), std::string("schema_version")) - csv_columns().begin());
    const auto at = static_cast<std::size_t>(std::ranges::find(map, std::optional(schema_version)) - map.begin());
    const std::string version = at < cells.size() ? cells[at] : std::string();
    Record record;
    for (std::size_t i = 0; i < cells.size(); ++i) {
        if (!map[i]) continue;
        const Column& column = columns[*map[i]];
        try {
            const std::string text(cell::with_weights_as_they_are(
                column.name, cell::as_written_here(cells[i], column.kind == CellKind::whole), version));
            column.read(text, record);
            if (column.kind != CellKind::text && !text.empty()) {
                double value = 0;
                cell::read(std::string(cell::is_pad(column.name) ? cell::near_side(text) : text), value);
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
    record.tunables = current_tunables(record.tunables);
    return record;
}

Record record_of_line(const CsvLine& line, const ColumnMap& map) {
    if (line.cells.empty()) throw cell::BadCell("a quote is not closed, or its cell is longer than 65,536 bytes");
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
