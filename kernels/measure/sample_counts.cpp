#include "kernels/measure/sample_counts.h"

#include <fmt/format.h>

#include "kernels/measure/record_times.h"

namespace convscope {
namespace {

constexpr std::int64_t min_interval_samples = 6, waited_for_each_that_counts = 9;
constexpr const char* too_busy_words = "Too busy: ";

}  // namespace

bool SampleCounts::nearly_all_waited() const {
    return counted < min_settled_samples && waited > waited_for_each_that_counts * counted;
}

bool SampleCounts::too_busy() const {
    return nearly_all_waited() || (waited > 0 && counted < min_interval_samples);
}

std::string SampleCounts::describe() const {
    return fmt::format("{} of {} samples waited for a core", waited, counted + waited);
}

std::string SampleCounts::left_out() const {
    return waited > 0 ? fmt::format(" ({}, left out)", describe()) : std::string();
}

void set_too_busy(Record& record, const SampleCounts& counts) {
    clear_times(record);
    record.samples = counts.counted;
    record.status = Status::timeout;
    record.status_reason = too_busy_words + counts.describe();
}

bool is_too_busy(const Record& record) {
    return record.status == Status::timeout && record.status_reason.starts_with(too_busy_words);
}

}  // namespace convscope
