#include "kernels/core/flops.h"

#include <vector>

#include "kernels/core/covering_windows.h"

namespace convscope {
namespace {

/// How often each window along one axis is computed.
using Repeats = std::vector<std::int64_t>;

Repeats once(std::int64_t windows) {
    return Repeats(static_cast<std::size_t>(windows), 1);
}

/// In how many of 'results' pooling windows each window lies.
Repeats pooled(std::int64_t windows, std::int64_t results, std::int64_t pool, std::int64_t stride) {
    Repeats repeats(static_cast<std::size_t>(windows), 0);
    for (std::int64_t result = 0; result < results; ++result)
        for (std::int64_t at = 0; at < pool; ++at) ++repeats[static_cast<std::size_t>(result * stride + at)];
    return repeats;
}

struct Windows {
    Repeats rows, columns;
};

Windows every_window(const ConvShape& shape) {
    return {once(shape.p()), once(shape.q())};
}

Windows pooled_windows(const ConvShape& shape) {
    if (!shape.pooled()) return every_window(shape);
    return {pooled(shape.p(), shape.out_h(), shape.pool_h, shape.pool_stride),
            pooled(shape.q(), shape.out_w(), shape.pool_w, shape.pool_stride)};
}

/// For each position of one axis, how many of the computed windows cover it.
Repeats coverage(std::int64_t size, const Repeats& windows, const auto& windows_over) {
    Repeats covered;
    for (std::int64_t at = 0; at < size; ++at) {
        std::int64_t& times = covered.emplace_back(0);
        for (const Covering& over : windows_over(at)) times += windows[static_cast<std::size_t>(over.window)];
    }
    return covered;
}

double count_nonzero(const Workload& workload, const Windows& windows, const std::stop_token& stop) {
    const ConvShape& shape = workload.spec.shape;
    const Repeats rows = coverage(shape.h, windows.rows, [&](std::int64_t h) { return windows_over_row(shape, h); });
    const Repeats cols = coverage(shape.w, windows.columns, [&](std::int64_t w) { return windows_over_col(shape, w); });
    std::int64_t products = 0;
    for (std::size_t i = 0; i < workload.x.data.size() && !stop.stop_requested();) {
        const std::size_t row = i / cols.size() % rows.size();
        std::int64_t in_row = 0;
        for (std::int64_t covered : cols) in_row += workload.x.data[i++] != 0.0F ? covered : 0;
        products += in_row * rows[row];
    }
    return 2.0 * static_cast<double>(products) * static_cast<double>(shape.group_filters());
}

}  // namespace

double flops_effective(const Workload& workload, const std::stop_token& stop) {
    return count_nonzero(workload, every_window(workload.spec.shape), stop);
}

std::optional<double> dense_flops(const Workload& workload) {
    return workload.spec.shape.flops_dense();
}

std::optional<double> nonzero_flops(const Workload& workload) {
    return flops_effective(workload);
}

std::optional<double> dense_pooled_flops(const Workload& workload) {
    const ConvShape& shape = workload.spec.shape;
    if (!shape.pooled()) return shape.flops_dense();
    const std::int64_t windows = shape.y_elements() * shape.pool_h * shape.pool_w;
    return 2.0 * static_cast<double>(windows) * static_cast<double>(shape.reduction());
}

std::optional<double> nonzero_pooled_flops(const Workload& workload) {
    return count_nonzero(workload, pooled_windows(workload.spec.shape), {});
}

std::optional<double> unknown_flops(const Workload&) {
    return std::nullopt;
}

}  // namespace convscope
