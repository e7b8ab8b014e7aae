#include "tests/kernels/gpu/faulting_kernel.h"

namespace convscope::testing {
namespace {

__global__ void write_to(int* address) {
    *address = 1;
}

}  // namespace

void enqueue_illegal_write(cudaStream_t stream) {
    write_to<<<1, 1, 0, stream>>>(reinterpret_cast<int*>(16));
}

}  // namespace convscope::testing
