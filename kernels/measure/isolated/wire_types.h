// The structs that cross the pipe between a sweep and the process that measures for it. One list of fields serves both
// directions: 'wire' is a WireWriter or a WireReader.
#pragma once

#include "kernels/layers/shape_fields.h"
#include "kernels/measure/isolated/point_measurer.h"
#include "kernels/measure/isolated/user_run.h"
#include "kernels/measure/isolated/wire.h"
#include "kernels/records/record_columns.h"

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
    exchange_all(wire, spec.name, spec.shape, spec.source, spec.sparsity, spec.weight_pattern, spec.weight_sparsity,
                 spec.seed, spec.input_path, spec.weights_path, spec.example_x, spec.example_w);
}

template <class Wire>
void exchange(Wire& wire, MeasureOptions& o) {
    exchange_all(wire, o.scope, o.cache, o.min_samples, o.max_samples, o.max_noise_pct, o.timeout_s, o.min_time_s,
                 o.runs, o.recheck_share, o.stages, o.run_id);
}

template <class Wire>
void exchange(Wire& wire, Tensor& x) {
    exchange_all(wire, x.n, x.c, x.h, x.w, x.layout, x.data);
}

template <class Wire>
void exchange(Wire& wire, PointRequest& request) {
    exchange_all(wire, request.spec, request.device, request.candidates, request.options, request.chained_x,
                 request.own);
}

template <class Wire>
void exchange(Wire& wire, UserArgument::Pointer& pointer) {
    exchange_all(wire, pointer.argument, pointer.offset);
}

template <class Wire>
void exchange(Wire& wire, UserArgument& argument) {
    exchange_all(wire, argument.name, argument.role, argument.bytes, argument.pointer);
}

template <class Wire>
void exchange(Wire& wire, UserVariable& variable) {
    exchange_all(wire, variable.name, variable.symbol, variable.bytes);
}

template <class Wire>
void exchange(Wire& wire, UserLaunch& launch) {
    exchange_all(wire, launch.id, launch.tunables, launch.ptx, launch.symbol, launch.grid, launch.block,
                 launch.shared_bytes, launch.arguments, launch.rejected, launch.cluster, launch.variables,
                 launch.cooperative);
}

template <class Wire>
void exchange(Wire& wire, UserRunRequest& request) {
    exchange_all(wire, request.device, request.launch, request.options, request.timed);
}

template <class Wire>
void exchange(Wire& wire, UserRunResult& result) {
    exchange_all(wire, result.arrays, result.printed, result.registers, result.static_shared_bytes, result.local_bytes,
                 result.samples_us, result.note);
}

template <class Wire>
void exchange(Wire& wire, Progress& p) {
    exchange_all(wire, p.method, p.candidate, p.samples, p.waited, p.last_us, p.median_us, p.q1_us, p.q3_us,
                 p.noise_pct, p.fraction, p.phase);
}

template <class Wire, auto member>
void exchange_column(Wire& wire, Record& r, Field<member>) {
    exchange(wire, r.*member);
}
template <class Wire, class Other>
void exchange_column(Wire&, Record&, Other) {}  // of the shape, the grid and the block, or derived

template <class Wire>
void exchange(Wire& wire, Record& r) {
    std::apply([&](const auto&... each) { (exchange_column(wire, r, each), ...); }, record_columns);
    exchange_all(wire, r.shape, r.grid, r.block, r.workload, r.samples_us, r.stages_us, r.speedup_interval,
                 r.weights_us, r.choice, r.quantities, r.tolerance);
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

/// Serialises some values.
template <class... Values>
std::string packed(Values... values) {
    WireWriter wire;
    exchange_all(wire, values...);
    return wire.bytes();
}

/// Throws the Error that was serialised here.
[[noreturn]] void throw_error(std::string_view bytes);

/// Restores a value. Throws std::out_of_range where the bytes are cut short.
template <class Value>
Value unpacked(std::string_view bytes) {
    WireReader wire(bytes);
    Value value{};
    exchange(wire, value);
    return value;
}

}  // namespace convscope
