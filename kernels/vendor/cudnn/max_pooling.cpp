#include "kernels/vendor/cudnn/max_pooling.h"

#include "kernels/cuda/scale_factors.h"

namespace convscope::cudnn {

MaxPooling::MaxPooling(const ConvShape& s, DType dtype, Layout layout) {
    const auto format = format_of(layout);
    const auto type = type_of(dtype);
    CONVSCOPE_CUDNN(
        cudnnSetTensor4dDescriptor(conv_.get(), format, type, narrow(s.n), narrow(s.k), narrow(s.p()), narrow(s.q())));
    CONVSCOPE_CUDNN(cudnnSetTensor4dDescriptor(y_.get(), format, type, narrow(s.n), narrow(s.k), narrow(s.out_h()),
                                               narrow(s.out_w())));
    // A NaN in the data must reach the result, as it does through the reference.
    CONVSCOPE_CUDNN(cudnnSetActivationDescriptor(relu_.get(), CUDNN_ACTIVATION_RELU, CUDNN_PROPAGATE_NAN, 0));
    CONVSCOPE_CUDNN(cudnnSetPooling2dDescriptor(pooling_.get(), CUDNN_POOLING_MAX, CUDNN_PROPAGATE_NAN,
                                                narrow(s.pool_h), narrow(s.pool_w), 0, 0, narrow(s.pool_stride),
                                                narrow(s.pool_stride)));
}

void MaxPooling::rectify(cudnnHandle_t handle, void* conv) const {
    CONVSCOPE_CUDNN(cudnnActivationForward(handle, relu_.get(), &one, conv_.get(), conv, &zero, conv_.get(), conv));
}

void MaxPooling::pool(cudnnHandle_t handle, const void* conv, void* y) const {
    CONVSCOPE_CUDNN(cudnnPoolingForward(handle, pooling_.get(), &one, conv_.get(), conv, &zero, y_.get(), y));
}

}  // namespace convscope::cudnn
