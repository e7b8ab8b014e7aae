// The single multiplications of a convolution, and where each of them shows in the arrays of a format.
#pragma once

#include <algorithm>
#include <compare>
#include <cstdint>
#include <vector>

#include "visualizers/explain/element.h"
#include "visualizers/explain/map_values.h"

namespace convscope {

/// One multiplication: input under filter element (i, j) of convolution window (oy, ox). With pooling, one product
/// per pooling window (py, px) that the convolution window belongs to; -1 when it belongs to none.
struct Product {
    std::int64_t oy = 0, ox = 0, i = 0, j = 0, py = -1, px = -1;
    auto operator<=>(const Product&) const = default;
};

/// All products that an element takes part in, in the order of the windows. ECR and PECR keep those with a non-zero
/// input only; pointing at x or w does not change that. Stops after 'most' and then returns false.
bool products_of(Format, const MapValues&, const ElementRef&, std::int64_t most, std::vector<Product>& out);

/// The elements of all arrays of the format in which a product of it shows. Nothing for an input in the padding
/// where x itself is concerned.
void elements_of(Format, const MapValues&, const Product&, std::vector<ElementRef>& out);

/// Position of a product's input among the non-zero ones of its window.
std::int64_t slot_in_window(const MapValues&, const Product&);
/// Non-zero inputs of the convolution windows before 'window' (counted in row-major order) of a pooling window.
std::int64_t slots_before(const MapValues&, std::int64_t py, std::int64_t px, std::int64_t window);
/// First and last pooling window along one axis that hold convolution result 'at'; last < first when none does.
struct PoolRange {
    std::int64_t first, last;
};
inline PoolRange pools_over(std::int64_t at, std::int64_t size, std::int64_t stride, std::int64_t count) {
    return {at < size ? 0 : (at - size) / stride + 1, std::min(at / stride, count - 1)};
}
/// Calls f(py, px) for every pooling window that holds convolution result (oy, ox).
template <class F>
void for_each_pool(const ConvShape& s, std::int64_t oy, std::int64_t ox, F f) {
    const PoolRange rows = pools_over(oy, s.pool_h, s.pool_stride, s.out_h());
    const PoolRange cols = pools_over(ox, s.pool_w, s.pool_stride, s.out_w());
    for (std::int64_t py = rows.first; py <= rows.last; ++py)
        for (std::int64_t px = cols.first; px <= cols.last; ++px) f(py, px);
}
/// Whether a mec or im2col view is meant: no element is skipped.
inline bool keeps_zeros(Format format) {
    return format == Format::mec || format == Format::im2col;
}

}  // namespace convscope
