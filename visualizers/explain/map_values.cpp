#include "visualizers/explain/map_values.h"

#include <algorithm>
#include <cmath>

namespace convscope {

MapValues::MapValues(const ConvShape& shape, const float* x, const float* w)
    : shape_(shape), x_(x, x + shape.h * shape.w), w_(w, w + shape.r * shape.s) {
    shape_.n = shape_.c = shape_.k = 1;
    needed_.reserve(static_cast<std::size_t>(shape_.p() * shape_.q()));
    for (std::int64_t oy = 0; oy < shape_.p(); ++oy)
        for (std::int64_t ox = 0; ox < shape_.q(); ++ox) {
            std::int32_t count = 0;
            for (std::int64_t i = 0; i < shape_.r; ++i)
                for (std::int64_t j = 0; j < shape_.s; ++j) count += under(oy, ox, i, j) != 0;
            needed_.push_back(count);
            needed_total_ += count;
        }
}

std::int64_t MapValues::needed_in_row(std::int64_t oy) const {
    std::int64_t sum = 0;
    for (std::int64_t ox = 0; ox < shape_.q(); ++ox) sum += needed(oy, ox);
    return sum;
}

double MapValues::result(std::int64_t oy, std::int64_t ox) const {
    double sum = 0;
    for (std::int64_t i = 0; i < shape_.r; ++i)
        for (std::int64_t j = 0; j < shape_.s; ++j) sum += static_cast<double>(under(oy, ox, i, j)) * w(i, j);
    return sum;
}

double MapValues::pooled(std::int64_t py, std::int64_t px) const {
    double best = 0;
    for (std::int64_t a = 0; a < shape_.pool_h; ++a)
        for (std::int64_t b = 0; b < shape_.pool_w; ++b) {
            const double value = result(py * shape_.pool_stride + a, px * shape_.pool_stride + b);
            if (std::isnan(value)) return value;
            best = std::max(best, value);
        }
    return best;
}

}  // namespace convscope
