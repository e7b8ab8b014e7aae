#include "kernels/vendor/cudnn/fused_method.h"

#include <fmt/format.h>

namespace convscope::cudnn {

Support FusedMethod::can_run(const ConvShape& shape) const {
    if (shape.pooled()) return choices_.supports(shape);
    return Support::no(
        fmt::format("{} fuses ReLU with the convolution, which only layers with pooling have; {} has none: take cudnn",
                    info_.id, to_string(shape)));
}

std::unique_ptr<Pipeline> FusedMethod::make_pipeline(Gpu& gpu, cudnnHandle_t handle, const std::string& device,
                                                     const ConvShape& shape) const {
    return choices_.make_pipeline(gpu, handle, device, shape);
}

}  // namespace convscope::cudnn
