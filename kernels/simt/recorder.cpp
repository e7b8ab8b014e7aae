#include "kernels/simt/recorder.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "kernels/core/error.h"
#include "kernels/simt/checker.h"

namespace convscope::simt {
namespace {

bool same_place(const std::source_location& a, const std::source_location& b) {
    return a.line() == b.line() && std::strcmp(a.file_name(), b.file_name()) == 0;
}

}  // namespace

const char* to_string(EventKind kind) {
    constexpr const char* names[] = {"load",    "store",          "atomic",     "multiply_add",
                                     "barrier", "warp_operation", "basic_block"};
    return names[static_cast<int>(kind)];
}

Recorder::Recorder(std::string kernel, const Dim3& block, std::size_t max_events)
    : kernel_(std::move(kernel)), block_(block), max_events_(max_events) {}

bool Recorder::begin_block(const KernelLaunch& launch, const Dim3& block) {
    if (!wants(launch) || block != block_) return false;
    start(launch, block);
    return true;
}

void Recorder::start(const KernelLaunch& launch, const Dim3& block) {
    if (!trace_) trace_.emplace();
    trace_->launch = launch;
    trace_->block = block;
    trace_->arrays.clear();
    trace_->sources.clear();
    trace_->events.clear();
    trace_->more_values.clear();
}

void Recorder::add(TraceEvent event, const std::source_location& at, std::span<const double> more) {
    if (full())
        throw Error(ErrorKind::usage,
                    fmt::format("{} of {} takes more than {} steps, too many to trace (the last at {}): make the "
                                "workload or the block of threads smaller",
                                name_of_block(trace_->block), trace_->launch.kernel, max_events_, place(at)));
    event.source = source(at);
    event.more = static_cast<std::uint32_t>(trace_->more_values.size());
    trace_->more_values.insert(trace_->more_values.end(), more.begin(), more.end());
    trace_->events.push_back(event);
}

void Recorder::add_result(double value) {
    trace_->more_values.push_back(value);
}

void Recorder::add_basic_block(unsigned thread, std::uintptr_t position) {
    if (full()) return;
    trace_->events.push_back({.thread = static_cast<std::uint16_t>(thread), .position = position});
}

std::int16_t Recorder::find_array(std::string_view name, Space space) const {
    const auto& arrays = trace_->arrays;
    const auto known = std::find_if(arrays.begin(), arrays.end(), [&](const TraceArray& array) {
        return array.name == name && array.space == space;
    });
    return static_cast<std::int16_t>(known == arrays.end() ? -1 : known - arrays.begin());
}

std::int16_t Recorder::add_array(TraceArray array) {
    trace_->arrays.push_back(std::move(array));
    return static_cast<std::int16_t>(trace_->arrays.size() - 1);
}

std::uint16_t Recorder::source(const std::source_location& at) {
    auto& sources = trace_->sources;
    const auto known =
        std::find_if(sources.begin(), sources.end(), [&](const auto& place) { return same_place(place, at); });
    if (known != sources.end()) return static_cast<std::uint16_t>(known - sources.begin());
    sources.push_back(at);
    return static_cast<std::uint16_t>(sources.size() - 1);
}

}  // namespace convscope::simt

/// Called wherever a piece of straight code begins in what is compiled with -fsanitize-coverage=trace-pc: the kernels
/// of the checked dialect.
extern "C" void __sanitizer_cov_trace_pc() {
    convscope::simt::Checker* const watching = convscope::simt::checker;
    if (watching) watching->pass(reinterpret_cast<std::uintptr_t>(__builtin_return_address(0)));
}
