// The two small kernels that several families use, each compiled once per dialect.
#pragma once

#include <memory>

#include "kernels/simt/dialect.h"
#include "kernels/simt/gpu_program.h"

namespace convscope::CONVSCOPE_DIALECT {

enum class WeightOrder { crs_k, rsc_k };
/// Enqueues kernels/simt/weights_kernel.h: buffers.w, KCRS, into buffers.prepared_weights. The k weights of one place
/// in the filters lie side by side, and begin 'leading' elements after those of the place before; 0: k, no gap.
void transpose_weights(Gpu&, const ConvShape&, const GpuBuffers&, WeightOrder, std::int64_t leading = 0);

/// The separate ReLU and max-pooling stage, from buffers.conv to buffers.y: kernels/pooling/pool_kernel.h.
std::unique_ptr<GpuProgram> make_nchw_pool(const GpuPlan&);
std::unique_ptr<GpuProgram> make_nhwc_pool(const GpuPlan&);

/// For GpuMethod's constructor: one program class's MakeGpuProgram.
template <class Program>
std::unique_ptr<GpuProgram> make_program(const GpuPlan& plan) {
    return std::make_unique<Program>(plan);
}

}  // namespace convscope::CONVSCOPE_DIALECT
