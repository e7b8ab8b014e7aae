#include "kernels/records/record_key.h"

#include <fmt/format.h>

#include <array>

namespace convscope {

std::string point_key(const Record& record) {
    auto extent = [](const std::optional<Dim3>& dim) { return dim ? to_string(*dim) : std::string(); };
    const ConvShape& s = record.shape;
    return fmt::format("{}|{}|{},{},{},{},{},{},{}|{},{},{},{}|{},{},{}|{},{},{}|{}|{}|{}|{}|{}", device_kind(record),
                       record.method, s.n, s.c, s.h, s.w, s.k, s.r, s.s, s.stride_h, s.stride_w, s.pad_h, s.pad_w,
                       s.pool_h, s.pool_w, s.pool_stride, record.source, record.seed, record.sparsity_target,
                       extent(record.grid), extent(record.block), record.tunables, record.timing_scope,
                       record.cache_mode);
}

std::span<const char* const> point_columns() {
    static constexpr std::array columns{"method",
                                        "dtype",
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
                                        "pool_h",
                                        "pool_w",
                                        "pool_stride",
                                        "source",
                                        "seed",
                                        "sparsity_target",
                                        "grid_size_x",
                                        "grid_size_y",
                                        "grid_size_z",
                                        "block_size_x",
                                        "block_size_y",
                                        "block_size_z",
                                        "tunables",
                                        "timing_scope",
                                        "cache_mode"};
    return columns;
}

std::string point_text(const Record& record) {
    std::string launch;
    if (record.block) launch += fmt::format(" [{}]", to_string(*record.block));
    if (!record.tunables.empty()) launch += fmt::format(" {}", record.tunables);
    return fmt::format("{}{} on {}, {}, {} data, {:.4g} % zeros, seed {}, scope {}, cache {}", record.method, launch,
                       device_kind(record), to_string(record.shape), record.source, 100 * record.sparsity_target,
                       record.seed, record.timing_scope, record.cache_mode);
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
