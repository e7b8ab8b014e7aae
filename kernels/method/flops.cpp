#include "kernels/method/flops.h"

#include "kernels/method/zero_boxes.h"

namespace convscope {
namespace {

/// flops_of() where each element is a box.
double count_nonzero(const Workload& workload, const ZeroBoxes& elements, const std::stop_token& stop) {
    const auto &rows = elements.row_weights, &cols = elements.column_weights;
    std::int64_t products = 0;
    for (std::size_t i = 0; i < workload.x.data.size() && !stop.stop_requested();) {
        const std::size_t row = i / cols.size() % rows.size();
        std::int64_t in_row = 0;
        for (std::int64_t covered : cols) in_row += workload.x.data[i++] != 0.0F ? covered : 0;
        products += in_row * rows[row];
    }
    return 2.0 * static_cast<double>(products) * static_cast<double>(elements.multiply_adds);
}

}  // namespace

double flops_effective(const Workload& workload, const std::stop_token& stop) {
    return count_nonzero(workload, nonzero_boxes(workload.spec.shape), stop);
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
    return count_nonzero(workload, nonzero_pooled_boxes(workload.spec.shape), {});
}

std::optional<double> unknown_flops(const Workload&) {
    return std::nullopt;
}

}  // namespace convscope
