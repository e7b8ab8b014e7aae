#include "kernels/layers/nonzero_multiply_adds.h"

namespace convscope {

std::int64_t nonzero_multiply_adds(const Workload& workload) {
    const ConvShape& shape = workload.spec.shape;
    std::int64_t count = 0;
    for (std::int64_t c = 0; c < shape.c; ++c)
        for (std::int64_t i = 0; i < shape.r; ++i)
            for (std::int64_t j = 0; j < shape.s; ++j) {
                const std::int64_t group = c / shape.group_channels(), channel = c % shape.group_channels();
                std::int64_t filters = 0, outputs = 0;
                for (std::int64_t k = 0; k < shape.group_filters(); ++k)
                    filters += workload.w.at(group * shape.group_filters() + k, channel, i, j) != 0.0F ? 1 : 0;
                for (std::int64_t n = 0; filters > 0 && n < shape.n; ++n)
                    for (std::int64_t p = 0; p < shape.p(); ++p) {
                        const std::int64_t h = shape.x_row(p, i);
                        if (h < 0 || h >= shape.h) continue;
                        for (std::int64_t q = 0; q < shape.q(); ++q) {
                            const std::int64_t w = shape.x_col(q, j);
                            outputs += w >= 0 && w < shape.w && workload.x.at(n, c, h, w) != 0.0F ? 1 : 0;
                        }
                    }
                count += filters * outputs;
            }
    return count;
}

}  // namespace convscope
