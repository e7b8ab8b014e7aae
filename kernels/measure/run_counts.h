// What the simulated GPU counts where another device takes time: quantities of a record.
#pragma once

#include <optional>
#include <string>

#include "kernels/measure/record.h"
#include "kernels/simt/on_checked/count_run.h"

namespace convscope {

enum class RunCount { multiplications, of_dense, instructions, requests, sectors, bank_conflicts, occupancy };
inline constexpr int run_count_count = 7;

const char* to_string(RunCount);   ///< "bank conflicts", as tables and axes print it
const char* meaning_of(RunCount);  ///< one sentence

void add_counts(Record&, const RunCost&);
bool has_counts(const Record&);
/// What a counted row has of it; nothing for a row without counts. Of of_dense the ratio of multiplications done to
/// those of dense data.
std::optional<double> count_of(const Record&, RunCount);
/// The same as it is printed: "12 544", "37 %", "341x"; empty where there is none.
std::string count_text(const Record&, RunCount);

}  // namespace convscope
