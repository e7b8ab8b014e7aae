// The structs that cross the pipe between a sweep and the process that measures for it. One list of fields serves both
// directions: 'wire' is a WireWriter or a WireReader.
#pragma once

#include "kernels/core/shape_fields.h"
#include "kernels/measure/isolated/point_measurer.h"
#include "kernels/measure/isolated/wire.h"

namespace convscope {

template <class Wire, class T>
requires(std::is_arithmetic_v<T> || std::is_enum_v<T> || std::is_same_v<T, std::string>) void exchange(Wire& wire,
                                                                                                       T& value) {
    wire(value);
}

template <class Wire, class T>
void exchange(Wire& wire, std::optional<T>& optional);
template <class Wire, class T>
void exchange(Wire& wire, std::vector<T>& values);
template <class Wire, class A, class B>
void exchange(Wire& wire, std::pair<A, B>& pair);

template <class Wire, class... Fields>
void exchange_all(Wire& wire, Fields&... fields) {
    (exchange(wire, fields), ...);
}

template <class Wire>
void exchange(Wire& wire, Dim3& dim) {
    exchange_all(wire, dim.x, dim.y, dim.z);
}

template <class Wire>
void exchange(Wire& wire, ConvShape& shape) {
    for (const ShapeField& field : shape_fields) wire(shape.*field.member);
}

template <class Wire>
void exchange(Wire& wire, Quantity& quantity) {
    exchange_all(wire, quantity.symbol, quantity.value, quantity.unit, quantity.meaning);
}

template <class Wire>
void exchange(Wire& wire, LaunchConfig& launch) {
    std::vector<std::pair<std::string, std::int64_t>> tunables(launch.tunables.begin(), launch.tunables.end());
    exchange_all(wire, launch.block, launch.grid, tunables);
    launch.tunables = {tunables.begin(), tunables.end()};
}

template <class Wire>
void exchange(Wire& wire, Candidate& candidate) {
    exchange_all(wire, candidate.method, candidate.launch);
}

template <class Wire>
void exchange(Wire& wire, WorkloadSpec& spec) {
    exchange_all(wire, spec.name, spec.shape, spec.source, spec.sparsity, spec.seed, spec.input_path, spec.weights_path,
                 spec.example_x, spec.example_w);
}

template <class Wire>
void exchange(Wire& wire, MeasureOptions& o) {
    exchange_all(wire, o.scope, o.cache, o.min_samples, o.max_samples, o.max_noise_pct, o.timeout_s, o.stages,
                 o.run_id);
}

template <class Wire>
void exchange(Wire& wire, Tensor& x) {
    exchange_all(wire, x.n, x.c, x.h, x.w, x.layout, x.data);
}

template <class Wire>
void exchange(Wire& wire, PointRequest& request) {
    exchange_all(wire, request.spec, request.device, request.candidates, request.options, request.chained_x);
}

template <class Wire>
void exchange(Wire& wire, Progress& p) {
    exchange_all(wire, p.method, p.candidate, p.samples, p.last_us, p.median_us, p.q1_us, p.q3_us, p.noise_pct,
                 p.fraction, p.phase);
}

template <class Wire>
void exchange(Wire& wire, Record& r) {
    exchange_all(wire, r.run_id, r.timestamp_utc, r.app_version, r.device, r.device_name, r.compute_capability,
                 r.driver_version, r.cuda_version, r.vendor_version, r.method, r.family, r.dtype, r.layout, r.shape,
                 r.source, r.seed, r.sparsity_target, r.sparsity_measured, r.grid, r.block, r.tunables, r.shared_bytes,
                 r.registers, r.occupancy_pct, r.timing_scope, r.cache_mode, r.samples);
    exchange_all(wire, r.time_median_us, r.time_mean_us, r.time_min_us, r.time_q1_us, r.time_q3_us, r.noise_pct,
                 r.convert_us, r.multiply_us, r.pool_us, r.workspace_bytes, r.flops_dense, r.flops_effective, r.gflops,
                 r.gb_per_s, r.sm_clock_mhz, r.throttled, r.status, r.status_reason, r.max_rel_err, r.verified_against,
                 r.speedup_vs_vendor, r.vendor_method, r.library_workspace_bytes, r.flops_executed, r.arithmetic);
    exchange_all(wire, r.workload, r.samples_us, r.stages_us, r.speedup_interval, r.weights_us, r.choice, r.quantities,
                 r.tolerance);
}

template <class Wire, class T>
void exchange(Wire& wire, std::optional<T>& optional) {
    bool there = optional.has_value();
    wire(there);
    if (!there) return optional.reset();
    if (!optional) optional.emplace();
    exchange(wire, *optional);
}

template <class Wire, class T>
void exchange(Wire& wire, std::vector<T>& values) {
    std::size_t size = values.size();
    wire.count(size);
    values.resize(size);
    for (T& value : values) exchange(wire, value);
}

template <class Wire, class A, class B>
void exchange(Wire& wire, std::pair<A, B>& pair) {
    exchange_all(wire, pair.first, pair.second);
}

/// The bytes of some values.
template <class... Values>
std::string packed(Values... values) {
    WireWriter wire;
    exchange_all(wire, values...);
    return wire.bytes();
}

/// The value behind such bytes. Throws std::out_of_range where they are cut short.
template <class Value>
Value unpacked(std::string_view bytes) {
    WireReader wire(bytes);
    Value value{};
    exchange(wire, value);
    return value;
}

}  // namespace convscope
