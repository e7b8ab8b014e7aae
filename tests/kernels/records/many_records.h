// Made-up records in any number, as a long sweep writes them.
#pragma once

#include <vector>

#include "kernels/records/record.h"

namespace convscope::testing {

/// Layers by sparsities by methods by blocks, with times that no two rows share. Every 50th row is rejected.
std::vector<Record> many_records(std::size_t count);

}  // namespace convscope::testing
