#include "kernels/cpu/threads.h"

#include <omp.h>

namespace convscope {

CpuThreads::CpuThreads(int threads) : before_(omp_get_max_threads()) {
    if (threads > 0) omp_set_num_threads(threads);
}

CpuThreads::~CpuThreads() {
    omp_set_num_threads(before_);
}

}  // namespace convscope
