#include "app/cli/outputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <utility>

#include "app/cli/own_file.h"
#include "app/cli/record_files.h"
#include "kernels/core/error.h"
#include "kernels/core/say.h"
#include "kernels/files/text_file.h"
#include "kernels/records/json.h"
#include "kernels/records/record_key.h"

namespace convscope::cli {
namespace {

constexpr Flag output_list[] = {
    {"--csv", "FILE", "append one row per measurement, each on disk before the next begins (docs/records.md)"},
    {"--json", "FILE", "write all rows with their raw samples when done"},
};

bool rejected(const Record& record) {
    return record.status == Status::not_supported || record.status == Status::invalid_config;
}

bool failed(const Record& record) {
    return record.status == Status::runtime_error || record.status == Status::out_of_memory;
}

}  // namespace

std::span<const Flag> output_flags() {
    return output_list;
}

Outputs::Outputs(const FlagValues& flags) : json_path_(flags.get_or("--json", "")) {
    const auto given = [&](const char* flag) { return GivenFile{flag, flags.get_or(flag, "")}; };
    require_own_files({given("--json"), given("--csv")}, {given("--input"), given("--weights")});
    require_json_or_nothing(given("--json"));
    if (!json_path_.empty()) require_writable(json_path_);
    if (!flags.has("--csv")) return;
    const std::string& path = flags.get("--csv");
    csv_.emplace(path);
    if (csv_->repaired_bytes() > 0)
        say("convscope: '{}' ended in the middle of a row; {} bytes were cut off\n", path, csv_->repaired_bytes());
}

void Outputs::add(const Record& record) {
    if (csv_) csv_->append(record);
    records_.push_back(record);
    // Raw samples only go into the JSON; without one a long sweep would hold them for nothing.
    if (json_path_.empty()) records_.back().samples_us.clear();
}

void Outputs::keep(std::vector<Record> earlier) {
    if (!wants_json()) return;
    std::map<std::pair<std::string, std::string>, Record> with_samples;
    std::error_code none;
    if (std::filesystem::is_regular_file(json_path_, none) && std::filesystem::file_size(json_path_, none) > 0)
        for (Record& record : read_and_report(json_path_).records)
            with_samples.insert_or_assign({measurement_key(record), record.timestamp_utc}, std::move(record));
    for (Record& record : earlier)
        if (const auto found = with_samples.find({measurement_key(record), record.timestamp_utc});
            found != with_samples.end())
            record = found->second;
    earlier_ = std::move(earlier);
}

void Outputs::finish() const {
    if (!wants_json()) return;
    std::set<std::string> again;
    for (const Record& record : records_) again.insert(measurement_key(record));
    std::vector<Record> rows;
    for (const Record& record : earlier_)
        if (!again.contains(measurement_key(record))) rows.push_back(record);
    rows.insert(rows.end(), records_.begin(), records_.end());
    finish(to_json(rows));
}

void Outputs::finish(const std::string& json) const {
    if (wants_json()) write_text_file(json_path_, json);
}

int Outputs::exit_status() const {
    const auto has = [&](auto&& property) { return std::any_of(records_.begin(), records_.end(), property); };
    if (found_wrong_ || has([](const Record& record) { return is_wrong(record.status); }))
        return static_cast<int>(ErrorKind::wrong);
    if (has(failed)) return static_cast<int>(ErrorKind::failed);
    const bool all_rejected = !records_.empty() && std::all_of(records_.begin(), records_.end(), rejected);
    return all_rejected ? static_cast<int>(ErrorKind::usage) : 0;
}

}  // namespace convscope::cli
