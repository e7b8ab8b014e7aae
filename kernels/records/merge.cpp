#include "kernels/records/merge.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "kernels/core/error.h"
#include "kernels/records/read_records.h"
#include "kernels/records/record_csv.h"
#include "kernels/records/record_key.h"

namespace convscope {
namespace {

/// A column in which files that belong together agree.
struct Trait {
    const char* column;
    std::string Record::*value;
    bool Mix::*mixed;
    const char* flag;  ///< of --mix
};
constexpr Trait traits[] = {
    {"device_name", &Record::device_name, &Mix::device, "device"},
    {"compute_capability", &Record::compute_capability, &Mix::device, "device"},
    {"driver_version", &Record::driver_version, &Mix::versions, "versions"},
    {"cuda_version", &Record::cuda_version, &Mix::versions, "versions"},
    {"vendor_version", &Record::vendor_version, &Mix::versions, "versions"},
    {"app_version", &Record::app_version, &Mix::versions, "versions"},
    {"timing_scope", &Record::timing_scope, &Mix::scope, "scope"},
    {"cache_mode", &Record::cache_mode, &Mix::cache, "cache"},
};

using Values = std::set<std::string>;
using TraitValues = std::array<Values, std::size(traits)>;

/// The i and n of a run_id that ends in "-iofn".
std::optional<std::pair<std::size_t, std::size_t>> shard_of(const std::string& run_id) {
    const std::size_t dash = run_id.rfind('-');
    std::size_t index = 0, count = 0;
    int length = 0;
    if (dash == std::string::npos ||
        std::sscanf(run_id.c_str() + dash + 1, "%zuof%zu%n", &index, &count, &length) != 2 ||
        dash + 1 + static_cast<std::size_t>(length) != run_id.size() || index < 1 || index > count ||
        count > max_shards)
        return std::nullopt;
    return std::pair{index, count};
}

/// The values of each column in a file's rows, by device.
struct Profile {
    std::string path;
    std::map<std::string, TraitValues> devices;
    std::optional<std::size_t> shards;  ///< of the sweep that the file is a shard of
};

Profile profile_of(const RecordFile& file) {
    Profile profile{file.path.string(), {}, {}};
    std::set<std::size_t> shards;  // 0 for a row of none
    for (const Record& record : file.records) {
        TraitValues& values = profile.devices[record.device];
        for (std::size_t i = 0; i < std::size(traits); ++i) values[i].insert(record.*traits[i].value);
        shards.insert(shard_of(record.run_id).value_or(std::pair{0U, 0U}).second);
    }
    if (shards.size() == 1 && *shards.begin() > 0) profile.shards = *shards.begin();
    return profile;
}

/// The values over all its devices.
TraitValues together(const Profile& profile) {
    TraitValues all;
    for (const auto& [device, values] : profile.devices)
        for (std::size_t i = 0; i < std::size(traits); ++i) all[i].insert(values[i].begin(), values[i].end());
    return all;
}

std::string describe_values(const Values& values) {
    std::string text;
    for (const std::string& value : values)
        text += fmt::format("{}{}", text.empty() ? "" : " and ", value.empty() ? "nothing" : "'" + value + "'");
    return text;
}

bool contains(const Values& all, const Values& some) {
    return std::includes(all.begin(), all.end(), some.begin(), some.end());
}

/// "device_name is 'A' in the first and 'B' in the second", for each column that keeps two files apart.
struct Difference {
    std::string text;
    std::string flags;  ///< that --mix wants for it
};

void add_differences(Difference& found, const TraitValues& one, const TraitValues& other, const Mix& mix) {
    for (std::size_t i = 0; i < std::size(traits); ++i) {
        const Values &a = one[i], &b = other[i];
        if (mix.*traits[i].mixed || contains(a, b) || contains(b, a)) continue;
        found.text += fmt::format("{}{} is {} in the first and {} in the second", found.text.empty() ? "" : ", ",
                                  traits[i].column, describe_values(a), describe_values(b));
        if (found.flags.find(traits[i].flag) == std::string::npos)
            found.flags += fmt::format("{}{}", found.flags.empty() ? "" : ",", traits[i].flag);
    }
}

Difference difference(const Profile& one, const Profile& other, Mix mix) {
    Difference found;
    const bool one_sweep = one.shards && one.shards == other.shards;
    if (!one_sweep) {
        add_differences(found, together(one), together(other), mix);
        return found;
    }
    // A sweep may go over scopes, caches and devices; one device is the same in all of its shards.
    mix.scope = mix.cache = true;
    for (const auto& [device, values] : one.devices)
        if (const auto same = other.devices.find(device); same != other.devices.end())
            add_differences(found, values, same->second, mix);
    return found;
}

void require_alike(const std::vector<RecordFile>& files, const Mix& mix) {
    std::vector<Profile> profiles;
    for (const RecordFile& file : files) profiles.push_back(profile_of(file));
    for (std::size_t i = 0; i < profiles.size(); ++i)
        for (std::size_t j = i + 1; j < profiles.size(); ++j) {
            const Difference found = difference(profiles[i], profiles[j], mix);
            if (found.text.empty()) continue;
            throw Error(ErrorKind::usage,
                        fmt::format("'{}' and '{}' do not belong together: {}; --mix {} joins them all the same",
                                    profiles[i].path, profiles[j].path, found.text, found.flags));
        }
}

std::string describe(const Record& record) {
    return fmt::format("one of {} ({})", record.timestamp_utc, to_string(record.status));
}

/// Takes rows one after the other and keeps one for each point.
class Joined {
public:
    void add(const Record& record, const RecordFile& file) {
        const std::string key = fmt::format("{}|{}", record.device_name, point_key(record));
        const auto [entry, is_new] = places_.try_emplace(key, merged_.records.size());
        if (is_new) {
            merged_.records.push_back(record);
            files_.push_back(&file);
            return;
        }
        Record& there = merged_.records[entry->second];
        const RecordFile*& from = files_[entry->second];
        if (csv_row(there) == csv_row(record)) {
            ++merged_.repeated;
            return;
        }
        const bool next = supersedes(record, there);
        merged_.replaced.push_back(
            replacement(next ? record : there, next ? file : *from, next ? there : record, next ? *from : file));
        if (!next) return;
        there = record;
        from = &file;
    }

    Merged take() { return std::move(merged_); }

private:
    static std::string replacement(const Record& kept, const RecordFile& kept_in, const Record& gone,
                                   const RecordFile& gone_in) {
        return fmt::format("{}: {} in '{}' stays in place of {} in '{}'", point_text(kept), describe(kept),
                           kept_in.path.string(), describe(gone), gone_in.path.string());
    }

    std::map<std::string, std::size_t> places_;  // in merged_.records, by point
    std::vector<const RecordFile*> files_;       // of merged_.records
    Merged merged_;
};

std::string missing_shards(const std::vector<Record>& records) {
    std::map<std::size_t, std::set<std::size_t>> there;  // by n
    for (const Record& record : records)
        if (const auto shard = shard_of(record.run_id)) there[shard->second].insert(shard->first);
    std::string text;
    for (const auto& [count, indices] : there) {
        std::string missing;
        for (std::size_t i = 1; i <= count; ++i)
            if (!indices.contains(i)) missing += fmt::format("{}{}", missing.empty() ? "" : ", ", i);
        if (!missing.empty())
            text += fmt::format("{}no rows of shard {} of {}", text.empty() ? "" : "; ", missing, count);
    }
    return text;
}

}  // namespace

Merged merge_records(const std::vector<RecordFile>& files, const Mix& mix) {
    require_alike(files, mix);
    Joined joined;
    for (const RecordFile& file : files)
        for (const Record& record : file.records) joined.add(record, file);
    Merged merged = joined.take();
    merged.shards = missing_shards(merged.records);
    return merged;
}

}  // namespace convscope
