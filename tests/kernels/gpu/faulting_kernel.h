#pragma once

#include <cuda_runtime_api.h>

namespace convscope::testing {

/// Writes to an address that is nobody's: from then on every call on this context fails.
void enqueue_illegal_write(cudaStream_t);

}  // namespace convscope::testing
