#include "kernels/measure/run_counts.h"

#include <algorithm>
#include <array>

#include "kernels/core/format_units.h"
#include "kernels/simt/summary.h"

namespace convscope {
namespace {

struct CountInfo {
    const char *symbol, *name, *meaning;  ///< of the quantity; without a symbol it follows from the row
};
constexpr std::array<CountInfo, run_count_count> counts{{
    {"multiplications", "multiplications", "Multiply-adds that threads did"},
    {nullptr, "of dense work",
     "Multiplications done, of those of dense data: 37 % where zeros are skipped, 2x where "
     "more is done than any output needs"},
    {"instructions", "instructions", "Loads, stores, atomics and multiply-adds of whole warps; no index arithmetic"},
    {"global_requests", "requests", "Loads, stores and atomics of warps on global memory"},
    {"global_sectors", "sectors", "Pieces of 32 bytes that the requests to global memory move"},
    {"bank_conflicts", "bank conflicts",
     "Passes over shared memory that would not be there if no lanes wanted different words of one bank"},
    {nullptr, "occupancy", "Theoretical, of the main kernel on the simulated GPU"},
}};

const CountInfo& info_of(RunCount count) {
    return counts[static_cast<std::size_t>(count)];
}

const Quantity* find(const Record& record, RunCount count) {
    const auto found = std::ranges::find(record.quantities, info_of(count).symbol, &Quantity::symbol);
    return found == record.quantities.end() ? nullptr : &*found;
}

}  // namespace

const char* to_string(RunCount count) {
    return info_of(count).name;
}

const char* meaning_of(RunCount count) {
    return info_of(count).meaning;
}

void add_counts(Record& record, const RunCost& cost) {
    const auto add = [&](RunCount count, std::int64_t value) {
        record.quantities.push_back({info_of(count).symbol, static_cast<double>(value), "", info_of(count).meaning});
    };
    if (!cost.on_tensor_cores) add(RunCount::multiplications, cost.multiplications);
    add(RunCount::instructions, cost.instructions);
    add(RunCount::requests, cost.requests);
    add(RunCount::sectors, cost.sectors);
    add(RunCount::bank_conflicts, cost.bank_conflicts);
}

bool has_counts(const Record& record) {
    return find(record, RunCount::instructions) != nullptr;
}

std::string why_not_counted(const Record& record) {
    if (record.device != "sim" || !record.status_reason.starts_with(counted_reason)) return record.status_reason;
    return "read from a CSV, which holds no counts: its run's JSON (--json) does, and a run without this CSV counts "
           "again";
}

std::optional<double> count_of(const Record& record, RunCount count) {
    if (!has_counts(record)) return {};
    if (count == RunCount::occupancy) return record.occupancy_pct;
    const bool of_dense = count == RunCount::of_dense;
    const Quantity* const quantity = find(record, of_dense ? RunCount::multiplications : count);
    if (quantity && of_dense) return quantity->value * 2 / record.shape.flops_dense();
    return quantity ? std::optional(quantity->value) : std::nullopt;
}

std::string count_text(const Record& record, RunCount count) {
    const std::optional<double> value = count_of(record, count);
    if (!value) return {};
    if (count == RunCount::of_dense) return simt::share_of_dense(*value, 1);
    if (count == RunCount::occupancy) return format_percent(*value / 100);
    return format_count(static_cast<std::int64_t>(*value));
}

}  // namespace convscope
