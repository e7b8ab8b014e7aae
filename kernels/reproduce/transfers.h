// The cost of the copies between host and device in a chain of layers, and what would remain if each array were copied
// once (Xu 2019, Fig. 3 and Section IV).
#pragma once

#include <string>
#include <vector>

#include "kernels/reproduce/figure_values.h"

namespace convscope {

struct TransferRow {
    std::string point;
    double compute_us = 0;   ///< scope launch
    double transfer_us = 0;  ///< what scope copies takes more: x and w to the device, y back
    double once_us = 0;      ///< of that, by bytes: w, x of the first layer, y of the last
    double image_us = 0;  ///< of that, by bytes: x of the first layer and y of the last, with w on the device already
};

/// One row per point that passed in both scopes, for a figure of one method.
std::vector<TransferRow> transfer_rows(const PaperFigure&, const PointRecords& launch, const PointRecords& copies);

/// The sums over the rows.
TransferRow sum_of(const std::vector<TransferRow>&);

}  // namespace convscope
