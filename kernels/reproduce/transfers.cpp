#include "kernels/reproduce/transfers.h"

#include <algorithm>

namespace convscope {

std::vector<TransferRow> transfer_rows(const PaperFigure& figure, const PointRecords& launch,
                                       const PointRecords& copies) {
    std::vector<TransferRow> rows;
    for (std::size_t i = 0; i < figure.points.size(); ++i) {
        const Record* alone = fastest_of(figure.methods, launch[i]);
        const Record* copied = fastest_of(figure.methods, copies[i]);
        if (!alone || !copied) continue;
        const ConvShape& shape = figure.points[i].spec.shape;
        const auto x = static_cast<double>(i == 0 ? shape.x_elements() : 0);
        const auto y = static_cast<double>(i + 1 == figure.points.size() ? shape.y_elements() : 0);
        const auto w = static_cast<double>(shape.w_elements());
        const auto all = static_cast<double>(shape.x_elements() + shape.w_elements() + shape.y_elements());
        // Noise can make a short copy look free, never less.
        const double transfer_us = std::max(0.0, *copied->time_median_us - *alone->time_median_us);
        rows.push_back({figure.points[i].label, *alone->time_median_us, transfer_us, transfer_us * (x + w + y) / all,
                        transfer_us * (x + y) / all});
    }
    return rows;
}

TransferRow sum_of(const std::vector<TransferRow>& rows) {
    TransferRow sum;
    for (const TransferRow& row : rows) {
        sum.compute_us += row.compute_us;
        sum.transfer_us += row.transfer_us;
        sum.once_us += row.once_us;
        sum.image_us += row.image_us;
    }
    return sum;
}

}  // namespace convscope
