// Summarises the cost of a block's run in plain words: the summary card.
#pragma once

#include <string>
#include <vector>

#include "kernels/core/device_model.h"
#include "kernels/simt/block_cost.h"
#include "kernels/simt/trace.h"

namespace convscope::simt {

/// One sentence each, without a full stop: work done and skipped, idle lanes, balance, sectors, bank conflicts,
/// occupancy; what a kernel has nothing of is left out. Threads are T1, T2, ... by their linear index, as in the
/// papers. 'multiplications_per_output' are those of dense data, 0 where they are not known. Of a block that did not
/// come to its end only memory and occupancy are told.
std::vector<std::string> describe(const BlockTrace&, const BlockCost&, const DeviceModel&,
                                  std::int64_t multiplications_per_output);

/// "37 %" of the dense work, or "341x" of a kernel that does more than that.
std::string share_of_dense(double done, double dense);

/// "T3", "T3 and T7", "T1 to T4 and T9", "T3, T7 and 5 more". The indices ascend, from 0.
std::string thread_names(const std::vector<unsigned>& threads);

}  // namespace convscope::simt
