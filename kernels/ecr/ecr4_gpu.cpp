// ecr4's kernels, by what is compiled into them. Compiled once per dialect (kernels/simt/dialect.h).
#include "kernels/ecr/ecr4_program.h"
#include "kernels/ecr/ecr4_rows_kernel.h"
#include "kernels/ecr/ecr4_staged_kernel.h"

namespace convscope::CONVSCOPE_DIALECT {
namespace {

template <int R, int S, int V, int G>
Ecr4Kernel for_windows(const Ecr4Choice& choice) {
    return choice.windows_per_warp == 1 ? ecr4<R, S, V, G, 1> : ecr4<R, S, V, G, 2>;
}

template <int R, int S>
Ecr4Kernel for_filters(const Ecr4Choice& choice) {
    switch (choice.filters_per_lane) {
        case 1:
            return for_windows<R, S, 1, 1>(choice);
        case 2:
            return for_windows<R, S, 2, 1>(choice);
        case 4:
            return for_windows<R, S, 4, 1>(choice);
        case 8:
            return for_windows<R, S, 4, 2>(choice);
        default:
            return for_windows<R, S, 4, 4>(choice);
    }
}

template <int R, int S>
Ecr4Kernel rows_for_vector(const ConvShape& shape) {
    switch (ecr4_vector(shape)) {
        case 1:
            return ecr4_rows<R, S, 1>;
        case 2:
            return ecr4_rows<R, S, 2>;
        default:
            return ecr4_rows<R, S, 4>;
    }
}

template <int S>
Ecr4Kernel staged(const Ecr4Choice& choice) {
    return choice.filters_per_lane == 1 ? ecr4_staged<S, 1> : ecr4_staged<S, 2>;
}

}  // namespace

Ecr4Kernel choose_ecr4(const ConvShape& shape, const Ecr4Choice& choice) {
    if (choice.staged) return shape.r == 1 ? staged<1>(choice) : staged<3>(choice);
    if (choice.rows) return shape.r == 1 ? rows_for_vector<1, 1>(shape) : rows_for_vector<3, 3>(shape);
    if (shape.r == 1 && shape.s == 1) return for_filters<1, 1>(choice);
    if (shape.r == 3 && shape.s == 3) return for_filters<3, 3>(choice);
    return for_filters<0, 0>(choice);
}

}  // namespace convscope::CONVSCOPE_DIALECT
