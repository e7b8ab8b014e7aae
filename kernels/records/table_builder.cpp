#include "kernels/records/table_builder.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>

#include "kernels/layers/shape_fields.h"
#include "kernels/method/former_names.h"
#include "kernels/records/cell.h"
#include "kernels/records/pad_cell.h"
#include "kernels/records/record_csv.h"

namespace convscope {
namespace {

std::vector<std::optional<std::size_t>> all_columns() {
    std::vector<std::optional<std::size_t>> all(csv_columns().size());
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
    return all;
}

constexpr double max_whole = 9007199254740992;  ///< 2^53: above it, doubles leave whole numbers out

}  // namespace

TableBuilder::TableBuilder(RecordTable& table, std::string_view file) : TableBuilder(table, file, all_columns()) {}

TableBuilder::TableBuilder(RecordTable& table, std::string_view file, std::vector<std::optional<std::size_t>> column)
    : table_(table), file_(file), column_(std::move(column)), columns_(table_columns().size()) {
    for (std::size_t i = 0; i < columns_.size(); ++i) {
        columns_[i].text = std::get_if<TextColumn>(&table.columns_[i]);
        columns_[i].numbers = std::get_if<NumberColumn>(&table.columns_[i]);
        columns_[i].whole = table_columns()[i].kind == CellKind::whole;
        columns_[i].value = empty_cell();
    }
    columns_.back().now = file_;
    // Where the file has no such columns.
    columns_[table_column("weight_sparsity_target")].value = 0;
    columns_[table_column("weight_pattern")].now = to_string(WeightPattern::uniform);
    const auto cell_of = [&](std::string_view name) {
        return static_cast<std::size_t>(std::ranges::find(column_, std::optional(table_column(name))) -
                                        column_.begin());
    };
    method_cell_ = cell_of("method");
    family_cell_ = cell_of("family");
    version_cell_ = cell_of("schema_version");
}

void TableBuilder::check_text(std::size_t column, std::string_view text) const {
    static const std::size_t status = table_column("status"), throttled = table_column("throttled"),
                             timestamp = table_column("timestamp_utc"), arithmetic = table_column("arithmetic"),
                             noise_from = table_column("noise_from"), weight_pattern = table_column("weight_pattern");
    cell::require_plain(text);
    if (column == timestamp) cell::require_timestamp(text);
    if (column == arithmetic) cell::require_arithmetic(text);
    if (column == noise_from) cell::require_noise_source(text);
    if (column == weight_pattern) cell::require_weight_pattern(text);
    if (column == status) {
        parse_status(std::string(text));
    } else if (column == throttled && !text.empty()) {
        bool value = false;
        cell::read(std::string(text), value);
    }
}

void TableBuilder::read(std::size_t at, std::string_view text) {
    Column& column = columns_[at];
    column.fresh = !column.known || column.last != text;
    column.now = text;
    if (!column.fresh) return;
    if (column.text) return check_text(at, text);
    column.value = empty_cell();
    if (text.empty()) return;
    const char* end = text.data() + text.size();
    double value = 0;
    const auto [stop, error] = std::from_chars(text.data(), end, value);
    if (error != std::errc() || stop != end)
        throw cell::BadCell(fmt::format("'{}' is not a number that fits this column", text));
    // Other programs write 3 as 3.0 where a column has empty cells.
    if (column.whole && (value != std::floor(value) || std::abs(value) > max_whole))
        throw cell::BadCell(fmt::format("'{}' is not a whole number", text));
    cell::require_sane(table_columns()[at].name, value);
    column.value = std::isnan(value) ? std::nan("") : value;
}

/// The number of a cell and what it adds for the far side, which has a column of its own.
void TableBuilder::read_pad(std::size_t at, std::size_t extra, std::string_view text) {
    const std::int64_t more = cell::read_pad_extra(text);
    read(at, cell::near_side(text));
    Column& column = columns_[extra];
    const double before = column.value;
    column.value = more == 0 ? empty_cell() : static_cast<double>(more);
    column.fresh = !column.known || std::bit_cast<std::uint64_t>(column.value) != std::bit_cast<std::uint64_t>(before);
}

/// The cells of the rejected row are not those of the last added row.
void TableBuilder::forget_row() {
    for (Column& column : columns_)
        if (column.fresh) column.known = false;
}

/// Plots and counts divide by a shape's sizes: a row with another shape than the one before is checked as the CSV's
/// reader does.
void TableBuilder::check_shape() {
    static const std::vector<std::size_t> places = [] {
        std::vector<std::size_t> list;
        for (const ShapeField& field : shape_fields) list.push_back(table_column(field.name));
        return list;
    }();
    if (std::ranges::none_of(places, [this](std::size_t at) { return columns_[at].fresh; })) return;
    ConvShape shape;
    for (std::size_t i = 0; i < places.size(); ++i)
        if (const double value = columns_[places[i]].value; !is_empty_cell(value))
            shape.*shape_fields[i].member = static_cast<std::int64_t>(value);
    try {
        require_countable(shape);
    } catch (const cell::BadCell&) {
        forget_row();
        throw;
    }
}

void TableBuilder::add(const std::vector<std::string_view>& cells) {
    if (cells.size() != column_.size())
        throw cell::BadCell(fmt::format("{} cells where the header has {}", cells.size(), column_.size()));
    const MethodAlias* alias = method_cell_ < cells.size() ? find_method_alias(cells[method_cell_]) : nullptr;
    const std::string_view version = version_cell_ < cells.size() ? cells[version_cell_] : std::string_view();
    for (std::size_t i = 0; i < cells.size(); ++i) {
        if (!column_[i]) continue;
        try {
            const std::string_view text =
                alias && i == method_cell_ ? alias->id
                : alias && i == family_cell_
                    ? alias->family
                    : cell::with_weights_as_they_are(table_columns()[*column_[i]].name,
                                                     cell::as_written_here(cells[i], false), version);
            if (const auto extra = pad_extra_of(*column_[i]))
                read_pad(*column_[i], *extra, text);
            else
                read(*column_[i], text);
        } catch (const std::runtime_error& error) {
            forget_row();
            throw cell::BadCell(fmt::format("{}: {}", table_columns()[*column_[i]].name, error.what()));
        }
    }
    check_shape();
    static const std::size_t tunables = table_column("tunables");
    for (std::size_t at = 0; at < columns_.size(); ++at) {
        Column& column = columns_[at];
        if (column.numbers) {
            column.numbers->push_back(column.value);
        } else if (column.fresh) {
            column.text->push_back(at == tunables ? current_tunables(column.now) : std::string(column.now));
        } else {
            column.text->repeat_last();
        }
        if (column.fresh) column.last = column.now;
        column.fresh = false;
        column.known = true;
    }
    ++table_.rows_;
}

}  // namespace convscope
