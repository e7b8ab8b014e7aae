#include "kernels/records/ceiling_row.h"

#include <fmt/ranges.h>

#include "kernels/records/csv_text.h"
#include "kernels/records/json_record.h"

namespace convscope {
namespace {

/// The columns in their order, one of each: an empty number is null.
Json fields(const CeilingRow& row) {
    const auto sheet = [&](double Ceilings::*value) {
        return row.datasheet ? Json((*row.datasheet).*value) : Json(nullptr);
    };
    return {{"device", row.device},
            {"device_name", row.device_name},
            {"timestamp_utc", row.timestamp_utc},
            {"copy_gb_per_s", row.measured.copy_gb_per_s},
            {"fp32_tflops", row.measured.fp32_tflops},
            {"datasheet_gb_per_s", sheet(&Ceilings::copy_gb_per_s)},
            {"datasheet_fp32_tflops", sheet(&Ceilings::fp32_tflops)},
            {"processor_busy", row.measured.busy}};
}

std::string cell(const Json& value) {
    if (value.is_null()) return "";
    if (value.is_string()) return csv_quote(value.get<std::string>());
    return value.is_number() ? fmt::format("{}", value.get<double>()) : value.dump();
}

}  // namespace

std::string ceilings_csv(const std::vector<CeilingRow>& rows) {
    std::vector<std::string> cells;
    const Json columns = fields({});
    for (const auto& column : columns.items()) cells.push_back(column.key());
    std::string text = fmt::format("{}\r\n", fmt::join(cells, ","));
    for (const CeilingRow& row : rows) {
        cells.clear();
        for (const Json& value : fields(row)) cells.push_back(cell(value));
        text += fmt::format("{}\r\n", fmt::join(cells, ","));
    }
    return text;
}

std::string ceilings_json(const std::vector<CeilingRow>& rows) {
    Json array = Json::array();
    for (const CeilingRow& row : rows) array.push_back(fields(row));
    return array.dump(2) + "\n";
}

}  // namespace convscope
