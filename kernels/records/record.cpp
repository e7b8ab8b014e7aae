#include "kernels/records/record.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <string>

#include "kernels/core/error.h"
#include "kernels/core/text.h"

namespace convscope {
namespace {

struct StatusName {
    Status status;
    const char* name;
};
constexpr std::array<StatusName, 9> status_names{{{Status::passed, "passed"},
                                                  {Status::incorrect, "incorrect"},
                                                  {Status::not_supported, "not_supported"},
                                                  {Status::invalid_config, "invalid_config"},
                                                  {Status::out_of_memory, "out_of_memory"},
                                                  {Status::runtime_error, "runtime_error"},
                                                  {Status::timeout, "timeout"},
                                                  {Status::cancelled, "cancelled"},
                                                  {Status::suspicious, "suspicious"}}};

}  // namespace

const char* to_string(Status status) {
    for (const StatusName& entry : status_names)
        if (entry.status == status) return entry.name;
    return "?";
}

Status parse_status(const std::string& text) {
    std::string accepted;
    for (const StatusName& entry : status_names) {
        if (text == entry.name) return entry.status;
        accepted += (accepted.empty() ? "" : ", ") + std::string(entry.name);
    }
    throw Error(ErrorKind::usage, fmt::format("'{}' is not a status; accepted are {}", text, accepted));
}

bool is_wrong(Status status) {
    return status == Status::incorrect || status == Status::suspicious;
}

std::string vendor_baseline(const std::string& vendor_method, const std::string& dtype) {
    return vendor_method.empty() || dtype.empty() ? vendor_method : vendor_method + " " + upper_case(dtype);
}

std::map<std::string, std::int64_t> tunables_of(const Record& record) {
    std::map<std::string, std::int64_t> values;
    for (const std::string& setting : split(record.tunables, ';')) {
        const std::size_t sign = setting.find('=');
        std::int64_t value = 0;
        if (sign == std::string::npos) continue;
        const char* end = setting.data() + setting.size();
        if (std::from_chars(setting.data() + sign + 1, end, value).ec == std::errc())
            values[setting.substr(0, sign)] = value;
    }
    return values;
}

void set_stages(Record& record, const std::vector<std::pair<std::string, double>>& medians_us) {
    record.stages_us = medians_us;
    for (std::optional<double>* column : {&record.convert_us, &record.multiply_us, &record.pool_us}) column->reset();
    const auto add = [](std::optional<double>& column, double time_us) { column = column.value_or(0) + time_us; };
    for (const auto& [stage, time_us] : medians_us) {
        if (stage == "convert" || stage == "extend" || stage == "compress") add(record.convert_us, time_us);
        if (stage == "multiply" || stage == "invert") add(record.multiply_us, time_us);
        if (stage == "pool") add(record.pool_us, time_us);
    }
}

}  // namespace convscope
