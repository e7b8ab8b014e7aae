#include "kernels/records/record_key.h"

#include <fmt/format.h>

#include <vector>

#include "kernels/layers/shape_fields.h"

namespace convscope {

namespace {

/// Zeros in w were requested, or their pattern was.
bool requests_weight_zeros(const Record& record) {
    return record.weight_sparsity_target != 0 || record.weight_pattern != to_string(WeightPattern::uniform);
}

}  // namespace

std::string point_key(const Record& record) {
    auto extent = [](const std::optional<Dim3>& dim) { return dim ? to_string(*dim) : std::string(); };
    const std::string key =
        fmt::format("{}|{}|{}|{},{},{}|{}|{}|{}|{}|{}", device_kind(record), record.method, key_of(record.shape),
                    record.source, record.seed, record.sparsity_target, extent(record.grid), extent(record.block),
                    record.tunables, record.timing_scope, record.cache_mode);
    if (!requests_weight_zeros(record)) return key;
    return key + fmt::format("|{},{}", record.weight_pattern, record.weight_sparsity_target);
}

std::span<const char* const> point_columns() {
    static const std::vector<const char*> columns = [] {
        std::vector<const char*> list{"method", "dtype"};
        for (const ShapeField& field : shape_fields) list.push_back(field.name);
        for (const char* name : {"source", "seed", "sparsity_target", "grid_size_x", "grid_size_y", "grid_size_z",
                                 "block_size_x", "block_size_y", "block_size_z", "tunables", "timing_scope",
                                 "cache_mode", "weight_sparsity_target", "weight_pattern"})
            list.push_back(name);
        return list;
    }();
    return columns;
}

std::string point_text(const Record& record) {
    std::string launch;
    if (record.block) launch += fmt::format(" [{}]", to_string(*record.block));
    if (!record.tunables.empty()) launch += fmt::format(" {}", record.tunables);
    const std::string weights = requests_weight_zeros(record) ? ", " + weights_text(record) : "";
    return fmt::format("{}{} on {}, {}, {} data, {:.4g} % zeros{}, seed {}, scope {}, cache {}", record.method, launch,
                       device_kind(record), to_string(record.shape), record.source, 100 * record.sparsity_target,
                       weights, record.seed, record.timing_scope, record.cache_mode);
}

std::string weights_text(const Record& record) {
    return fmt::format("weights {:.4g} % zeros ({})", 100 * record.weight_sparsity_target, record.weight_pattern);
}

bool supersedes(const Record& next, const Record& there) {
    const bool next_done = next.status != Status::cancelled, there_done = there.status != Status::cancelled;
    if (next_done != there_done) return next_done;
    return next.timestamp_utc >= there.timestamp_utc;
}

std::string device_kind(const Record& record) {
    return record.device.substr(0, record.device.find(':'));
}

std::string measurement_key(const Record& record) {
    return fmt::format("{}|{}|{}", record.device, record.device_name, point_key(record));
}

}  // namespace convscope
