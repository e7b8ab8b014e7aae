#include "app/cli/outputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "kernels/core/error.h"
#include "kernels/core/say.h"
#include "kernels/records/json.h"
#include "kernels/records/text_file.h"

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

/// The JSON replaces what its file holds, so that file must be none of the others.
void require_own_file(const FlagValues& flags) {
    const std::filesystem::path json = flags.get("--json");
    for (const char* other : {"--csv", "--input", "--weights"}) {
        if (!flags.has(other)) continue;
        std::error_code none;
        const std::filesystem::path path = flags.get(other);
        if (std::filesystem::absolute(json) == std::filesystem::absolute(path) ||
            std::filesystem::equivalent(json, path, none))
            throw Error(ErrorKind::usage,
                        fmt::format("--json and {} name the same file, '{}'; give the JSON a file of its own", other,
                                    json.string()));
    }
}

}  // namespace

std::span<const Flag> output_flags() {
    return output_list;
}

Outputs::Outputs(const FlagValues& flags) : json_path_(flags.get_or("--json", "")) {
    if (!json_path_.empty()) require_own_file(flags);
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

void Outputs::finish() const {
    if (wants_json()) finish(to_json(records_));
}

void Outputs::finish(const std::string& json) const {
    if (wants_json()) write_text_file(json_path_, json);
}

int Outputs::exit_status() const {
    const auto has = [&](auto&& property) { return std::any_of(records_.begin(), records_.end(), property); };
    if (has([](const Record& record) { return record.status == Status::incorrect; }))
        return static_cast<int>(ErrorKind::wrong);
    if (has(failed)) return static_cast<int>(ErrorKind::failed);
    const bool all_rejected = !records_.empty() && std::all_of(records_.begin(), records_.end(), rejected);
    return all_rejected ? static_cast<int>(ErrorKind::usage) : 0;
}

}  // namespace convscope::cli
