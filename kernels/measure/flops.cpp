#include "kernels/measure/flops.h"

#include <algorithm>
#include <vector>

namespace convscope {
namespace {

/// For each position of one axis, how many windows cover it.
std::vector<std::int64_t> coverage(std::int64_t size, std::int64_t filter, std::int64_t stride, std::int64_t pad,
                                   std::int64_t outputs) {
    std::vector<std::int64_t> windows(static_cast<std::size_t>(size), 0);
    for (std::int64_t out = 0; out < outputs; ++out) {
        const std::int64_t first = std::max<std::int64_t>(out * stride - pad, 0);
        const std::int64_t end = std::min(out * stride - pad + filter, size);
        for (std::int64_t at = first; at < end; ++at) ++windows[static_cast<std::size_t>(at)];
    }
    return windows;
}

}  // namespace

double flops_effective(const Workload& workload, const std::stop_token& stop) {
    const ConvShape& shape = workload.spec.shape;
    const auto rows = coverage(shape.h, shape.r, shape.stride_h, shape.pad_h, shape.p());
    const auto cols = coverage(shape.w, shape.s, shape.stride_w, shape.pad_w, shape.q());
    std::int64_t products = 0;
    for (std::size_t i = 0; i < workload.x.data.size() && !stop.stop_requested();) {
        const std::size_t row = i / cols.size() % rows.size();
        std::int64_t in_row = 0;
        for (std::int64_t windows : cols) in_row += workload.x.data[i++] != 0.0F ? windows : 0;
        products += in_row * rows[row];
    }
    return 2.0 * static_cast<double>(products) * static_cast<double>(shape.k);
}

}  // namespace convscope
