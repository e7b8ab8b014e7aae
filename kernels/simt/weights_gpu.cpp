// Compiled once per dialect (kernels/simt/dialect.h).
#include "kernels/simt/launch_plan.h"
#include "kernels/simt/shared_programs.h"
#include "kernels/simt/weights_kernel.h"

namespace convscope::CONVSCOPE_DIALECT {

void transpose_weights(Gpu& gpu, const ConvShape& shape, const GpuBuffers& buffers, WeightOrder order,
                       std::int64_t leading) {
    constexpr std::int64_t threads = 256;
    const KernelLaunch at = kernel_launch("transpose_weights_kernel", "weights",
                                          {ceil_div(shape.w_elements(), threads), 1, 1}, {threads, 1, 1});
    launch(gpu, transpose_weights_kernel, at, to_kernel_shape(shape), buffers.w, buffers.prepared_weights,
           order == WeightOrder::rsc_k, static_cast<int>(leading > 0 ? leading : shape.k));
}

}  // namespace convscope::CONVSCOPE_DIALECT
