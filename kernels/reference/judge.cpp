#include "kernels/reference/judge.h"

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
    if (!shape.pooled()) return conv;
    Tensor y(shape.n, shape.k, shape.out_h(), shape.out_w());
    relu_max_pool(shape, Layout::nchw, conv.data.data(), y.data.data());
    return y;
}

}  // namespace

Tensor judge_output(const Workload& workload) {
    return convolve(workload, false);
}

Tensor judge_scale(const Workload& workload) {
    return convolve(workload, true);
}

Judgement judge(const Workload& workload) {
    return {judge_output(workload), judge_scale(workload)};
}

}  // namespace convscope
