#include "kernels/records/json_read.h"

#include <fmt/format.h>

#include <algorithm>

#include "kernels/core/error.h"
#include "kernels/files/text_file.h"
#include "kernels/method/former_names.h"
#include "kernels/records/cell.h"
#include "kernels/records/json_record.h"
#include "kernels/records/pad_cell.h"
#include "kernels/records/record_csv.h"

namespace convscope {
namespace {

/// A value as its cell in the CSV would be.
std::string cell_of(const Json& value) {
    if (value.is_null()) return {};
    if (value.is_string()) return value.get<std::string>();
    if (value.is_boolean()) return cell::print(value.get<bool>());
    if (value.is_number_unsigned()) return cell::print(value.get<std::uint64_t>());
    if (value.is_number_integer()) return cell::print(value.get<std::int64_t>());
    if (value.is_number()) return cell::print(value.get<double>());
    throw cell::BadCell("neither a number nor a text");
}

/// The cell of a column; of padding with what a key of its own says of the far side.
std::string cell_of(const Json& row, const std::string& column) {
    const std::string text = cell_of(row[column]);
    if (!cell::is_pad(column)) return text;
    const auto added = row.find(column == "pad_h" ? "pad_extra_h" : "pad_extra_w");
    if (added == row.end() || added->is_null()) return text;
    std::int64_t near = 0, extra = 0;
    cell::read(text, near);
    cell::read(cell_of(*added), extra);
    if (near < 0 || near > cell::max_pad || extra < -near || extra > cell::max_pad - near)
        throw cell::BadCell(
            fmt::format("{} and {} more are not a padding; each side is from 0 to {}", near, extra, cell::max_pad));
    return cell::print_pad(near, extra);
}

template <class T>
void read(const Json& row, const char* key, T& value) {
    const auto found = row.find(key);
    if (found == row.end() || found->is_null()) return;
    try {
        value = found->template get<T>();
        if constexpr (std::is_same_v<T, std::string>) cell::require_plain(value);
    } catch (const Json::exception&) {
        throw cell::BadCell(fmt::format("{}: not of the kind that it should be", key));
    }
}
template <class T>
void read(const Json& row, const char* key, std::optional<T>& value) {
    T plain{};
    if (!row.contains(key) || row[key].is_null()) return;
    read(row, key, plain);
    value = plain;
}

void read_what_fits_no_cell(const Json& row, Record& record) {
    read(row, "workload", record.workload);
    read(row, "samples_us", record.samples_us);
    read(row, "speedup_interval", record.speedup_interval);
    read(row, "weights_us", record.weights_us);
    read(row, "choice", record.choice);
    record.choice = current_method_id(record.choice);
    read(row, "tolerance", record.tolerance);
    std::vector<Json> stages, quantities;
    read(row, "stages_us", stages);
    for (const Json& stage : stages) {
        auto& [name, time_us] = record.stages_us.emplace_back();
        read(stage, "stage", name);
        read(stage, "median_us", time_us);
    }
    read(row, "quantities", quantities);
    for (const Json& entry : quantities) {
        Quantity& quantity = record.quantities.emplace_back();
        read(entry, "symbol", quantity.symbol);
        read(entry, "value", quantity.value);
        read(entry, "unit", quantity.unit);
        read(entry, "meaning", quantity.meaning);
    }
}

/// A row of a tuner's file: what all rows share, what is its own, and the times where that format keeps them.
Json tuner_row(const Json& common, const Json& own, const Json& timestamp, const Json& times_ms) {
    Json row = common;
    for (const auto& [key, value] : own.items()) row[key] = value;
    row["timestamp_utc"] = timestamp;
    row["samples_us"] = Json::array();
    for (const Json& time_ms : times_ms) row["samples_us"].push_back(1000 * time_ms.get<double>());
    return row;
}

std::vector<Json> rows_of_kernel_tuner(const Json& json) {
    std::vector<Json> rows;
    // The cache's own schema_version is not ours, which is among what the rows share.
    for (const auto& [key, entry] : json.at("cache").items())
        rows.push_back(tuner_row(json.at("convscope"), entry, entry.at("timestamp"), entry.at("times")));
    return rows;
}

std::vector<Json> rows_of_t4(const Json& json) {
    std::vector<Json> rows;
    for (const Json& result : json.at("results")) {
        Json own = result.at("configuration");
        for (const Json& entry : result.at("measurements"))
            own[entry.at("name").get<std::string>()] = entry.at("value");
        rows.push_back(tuner_row(json.at("metadata").at("convscope"), own, result.at("timestamp"),
                                 result.at("times").at("runtimes")));
    }
    return rows;
}

/// The rows of a tuner's file of ours as rows of our own; anything else stays what it is.
Json without_tuner(const std::filesystem::path& path, Json json) {
    const bool cache = json.contains("tune_params_keys") && json.contains("cache");
    const bool t4 = json.contains("results") && json.contains("schema_version");
    if (!cache && !t4) return json;
    const char* const name = cache ? "a Kernel Tuner cache" : "a T4 file";
    if (cache ? !json.contains("convscope") : !json.contains("metadata") || !json["metadata"].contains("convscope"))
        fail_on_file(path, fmt::format("is {} that convscope did not write; it does not say what was convolved", name));
    try {
        return cache ? rows_of_kernel_tuner(json) : rows_of_t4(json);
    } catch (const Json::exception&) {
        fail_on_file(path, fmt::format("is {} that another program has changed: its entries are not whole", name));
    }
}

/// Where the rows are: the array itself, or the arrays of network's layers.
std::vector<const Json*> rows_of(const std::filesystem::path& path, const Json& json) {
    std::vector<const Json*> rows;
    const auto add_all = [&](const Json& array) {
        for (const Json& row : array) rows.push_back(&row);
    };
    if (json.is_array()) {
        add_all(json);
    } else if (json.contains("layers") && json["layers"].is_array()) {
        for (const Json& layer : json["layers"])
            if (layer.contains("rows")) add_all(layer["rows"]);
    } else {
        fail_on_file(path, "is JSON, but holds no records of convscope");
    }
    return rows;
}

}  // namespace

Record record_of(const Json& row) {
    if (!row.is_object()) throw cell::BadCell("no object");
    std::vector<std::string> names, cells;
    for (const std::string& name : csv_columns()) {
        if (!row.contains(name)) continue;
        names.push_back(name);
        try {
            cells.push_back(cell_of(row, name));
        } catch (const cell::BadCell& error) {
            throw cell::BadCell(fmt::format("{}: {}", name, error.what()));
        }
    }
    Record record = record_from_cells(cells, map_columns(names));
    read_what_fits_no_cell(row, record);
    return record;
}

RecordFile read_json(const std::filesystem::path& path, const std::string& text) {
    Json json;
    try {
        json = without_tuner(path, Json::parse(text));
    } catch (const Json::parse_error& error) {
        fail_on_file(path, fmt::format("is not complete JSON: it ends or goes wrong at byte {} of {}",
                                       std::min(error.byte, text.size()), text.size()));
    } catch (const Json::out_of_range&) {
        fail_on_file(path, "has a number that is too large to be one of convscope's");
    }
    RecordFile file{path, {}, {}, {}};
    const std::vector<const Json*> rows = rows_of(path, json);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        try {
            file.records.push_back(record_of(*rows[i]));
        } catch (const cell::BadCell& error) {
            file.errors.push_back(fmt::format("{}: row {}: {}", path.string(), i + 1, error.what()));
        }
    }
    return file;
}

}  // namespace convscope
