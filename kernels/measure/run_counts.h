// Quantities that the simulated GPU counts in a record, where another device takes time.
#pragma once

#include <optional>
#include <string>

#include "kernels/records/record.h"
#include "kernels/simt/on_checked/count_run.h"

namespace convscope {

enum class RunCount { multiplications, of_dense, instructions, requests, sectors, bank_conflicts, occupancy };
inline constexpr int run_count_count = 7;

/// The beginning of a counted row's status_reason.
inline constexpr const char* counted_reason = "simulated: verified and counted, not timed";
/// Follows the counts where they are those of the kernel as nvcc or clang compiled it.
inline constexpr const char* counted_on_ptx = "; counted on its PTX";

const char* to_string(RunCount);   ///< "bank conflicts", as tables and axes print it
const char* meaning_of(RunCount);  ///< one sentence

/// Adds the counts, without multiplications where tensor cores did them.
void add_counts(Record&, const RunCost&);
bool has_counts(const Record&);
/// Why a row has no counts. A row that was read from a CSV says itself that it was counted: a CSV does not hold them.
std::string why_not_counted(const Record&);
/// The count in a row; empty for a row without counts. of_dense is the ratio of multiplications done to those of dense
/// data.
std::optional<double> count_of(const Record&, RunCount);
/// The count as it is printed: "12 544", "37 %", "341x"; empty where there is none.
std::string count_text(const Record&, RunCount);

}  // namespace convscope
