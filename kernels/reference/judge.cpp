#include "kernels/reference/judge.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "kernels/cpu/aligned_buffer.h"
#include "kernels/cpu/pool_cpu.h"
#include "kernels/reference/direct_double.h"

namespace convscope {
namespace {

Tensor convolve(const Workload& workload, bool magnitudes) {
    const ConvShape& shape = workload.spec.shape;
    const DirectDouble direct(shape);
    AlignedBuffer<double> x(direct.x_elements()), w(direct.w_elements());
    x.allocate();
    w.allocate();
    direct.sort_x(to_layout(workload.x, Layout::nchw).data.data(), x.data(), magnitudes);
    direct.pack_w(to_layout(workload.w, Layout::nchw).data.data(), w.data(), magnitudes);
    Tensor conv(shape.n, shape.k, shape.p(), shape.q());
    direct.multiply(x.data(), w.data(), conv.data.data());
    return conv;
}

/// What the layer returns for this convolution: itself, or ReLU and max-pooling of it.
Tensor finish(const ConvShape& shape, Tensor conv) {
    if (!shape.pooled()) return conv;
    Tensor y(shape.n, shape.k, shape.out_h(), shape.out_w());
    relu_max_pool(shape, Layout::nchw, conv.data.data(), y.data.data());
    return y;
}

}  // namespace

Tensor judge_output(const Workload& workload) {
    return finish(workload.spec.shape, convolve(workload, false));
}

Tensor judge_scale(const Workload& workload) {
    return finish(workload.spec.shape, convolve(workload, true));
}

Judgement judge(const Workload& workload) {
    Tensor scale = convolve(workload, true);
    double largest = 0;
    for (float value : scale.data)
        if (std::isfinite(value)) largest = std::max(largest, static_cast<double>(value));
    return {judge_output(workload), finish(workload.spec.shape, std::move(scale)), largest};
}

}  // namespace convscope
