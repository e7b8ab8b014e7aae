// Which solution of Algorithm 2 fits a shape: the same rule on every device.
#pragma once

#include "kernels/layers/conv_shape.h"

namespace convscope {

/// The paper's threshold on q, 'around 100' (Cho & Brand 2017, Section 3.3).
constexpr std::int64_t mec_default_threshold = 100;

/// Solution A stores its output in L's memory while it puts the rows in order: |O| <= |L|.
inline bool mec_solution_a_fits(const ConvShape& shape) {
    return shape.conv_elements() <= shape.mec_elements();
}

/// Algorithm 2, line 8: Solution A when q <= T and |O| <= |L|, else Solution B.
inline bool mec_takes_solution_a(const ConvShape& shape, std::int64_t threshold) {
    return shape.q() <= threshold && mec_solution_a_fits(shape);
}

}  // namespace convscope
