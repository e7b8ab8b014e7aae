#pragma once

#include <cuda_runtime_api.h>

namespace convscope::testing {

/// A method's state on the device, kept from run to run.
struct Kept {
    int changed;  ///< x, since the last run
    int runs;
};

/// Spins 200 us where x has changed.
void enqueue_work_if_changed(cudaStream_t, const Kept*);
/// Copies where x has changed, and in the first 2000 runs.
void enqueue_copy_if_changed(cudaStream_t, const Kept*, const float* from, float* to, int count);
/// Counts the run: x has not changed since.
void enqueue_end_of_run(cudaStream_t, Kept*);

}  // namespace convscope::testing
