// Records and a figure of two layers, for what is computed of them.
#pragma once

#include <string>

#include "kernels/records/record.h"
#include "kernels/reproduce/figure.h"

namespace convscope::testing {

inline Record timed(const std::string& method, double us) {
    Record record;
    record.method = method;
    record.time_median_us = us;
    return record;
}

/// Two points; the second occurs three times.
inline PaperFigure two_points() {
    PaperFigure figure;
    figure.points.resize(2);
    figure.points[0].spec.shape.w = 10;
    figure.points[0].label = std::string("a");
    figure.points[1].label = "b, c";
    figure.points[1].weight = 3;
    return figure;
}

}  // namespace convscope::testing
