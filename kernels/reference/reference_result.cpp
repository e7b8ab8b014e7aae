#include "kernels/reference/reference_result.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "kernels/core/error.h"
#include "kernels/cpu/aligned_buffer.h"
#include "kernels/cpu/pool_cpu.h"
#include "kernels/reference/direct_double.h"

namespace convscope {
namespace {

Tensor convolve_group(const Workload& workload, const ConvShape& shape, bool magnitudes, const std::stop_token& stop) {
    const DirectDouble direct(shape);
    AlignedBuffer<double> x(direct.x_elements()), w(direct.w_elements());
    x.allocate();
    w.allocate();
    direct.sort_x(to_layout(workload.x, Layout::nchw).data.data(), x.data(), magnitudes);
    direct.pack_w(to_layout(workload.w, Layout::nchw).data.data(), w.data(), magnitudes);
    Tensor conv(shape.n, shape.k, shape.p(), shape.q());
    direct.multiply(x.data(), w.data(), conv.data.data(), stop);
    if (stop.stop_requested()) throw Error(ErrorKind::failed, "computing the reference was stopped");
    return conv;
}

/// 'shape' is the workload's, perhaps with more padding.
Tensor convolve(const Workload& workload, const ConvShape& shape, bool magnitudes, const std::stop_token& stop = {}) {
    if (shape.groups == 1) return convolve_group(workload, shape, magnitudes, stop);
    Tensor conv(shape.n, shape.k, shape.p(), shape.q());
    for (std::int64_t group = 0; group < shape.groups; ++group)
        put_group(conv, group, convolve_group(group_of(workload, group), one_group(shape), magnitudes, stop));
    return conv;
}

/// The layer's result for this convolution: itself, or ReLU and max-pooling of it.
Tensor finish(const ConvShape& shape, Tensor conv) {
    if (!shape.pooled()) return conv;
    Tensor y(shape.n, shape.k, shape.out_h(), shape.out_w());
    relu_max_pool(shape, Layout::nchw, conv.data.data(), y.data.data());
    return y;
}

/// Elements by which a filter hangs over the map where F(2x2, 3x3) multiplies the two (docs/measuring.md).
std::int64_t overhang(const ConvShape& shape) {
    return shape.r == 3 && shape.s == 3 && shape.stride_h == 1 && shape.stride_w == 1 ? 2 : 0;
}

/// A convolution without its outermost 'border' outputs on each side.
Tensor inner(const Tensor& conv, std::int64_t border) {
    if (border == 0) return conv;
    Tensor part(conv.n, conv.c, conv.h - 2 * border, conv.w - 2 * border);
    float* to = part.data.data();
    for (std::int64_t map = 0; map < conv.n * conv.c; ++map)
        for (std::int64_t row = border; row < conv.h - border; ++row, to += part.w)
            std::copy_n(conv.data.data() + (map * conv.h + row) * conv.w + border, part.w, to);
    return part;
}

double largest_magnitude(const Tensor& tensor) {
    double largest = 0;
    for (float value : tensor.data)
        if (std::isfinite(value)) largest = std::max(largest, std::abs(static_cast<double>(value)));
    return largest;
}

}  // namespace

Tensor reference_output(const Workload& workload) {
    return finish(workload.spec.shape, convolve(workload, workload.spec.shape, false));
}

Tensor reference_scale(const Workload& workload) {
    return finish(workload.spec.shape, convolve(workload, workload.spec.shape, true));
}

ReferenceResult reference_result(const Workload& workload, const std::stop_token& stop) {
    const std::int64_t border = overhang(workload.spec.shape);
    ConvShape wider = workload.spec.shape;
    wider.pad_h += border;
    wider.pad_w += border;
    const Tensor scale = convolve(workload, wider, true, stop);
    // A stride may leave out the products that a Fourier transform of the whole map has in it.
    const double largest =
        std::max(largest_magnitude(scale), largest_magnitude(workload.x) * largest_magnitude(workload.w));
    return {finish(workload.spec.shape, convolve(workload, workload.spec.shape, false, stop)),
            finish(workload.spec.shape, inner(scale, border)), largest};
}

}  // namespace convscope
