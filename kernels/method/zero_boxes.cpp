#include "kernels/method/zero_boxes.h"

#include <algorithm>
#include <cmath>

#include "kernels/core/random.h"
#include "kernels/layers/covering_windows.h"
#include "kernels/method/flops.h"
#include "kernels/method/method.h"

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

/// For each position of one axis, how many of the computed windows cover it.
Repeats coverage(std::int64_t size, const Repeats& windows, const auto& windows_over) {
    Repeats covered;
    for (std::int64_t at = 0; at < size; ++at) {
        std::int64_t& times = covered.emplace_back(0);
        for (const Covering& over : windows_over(at)) times += windows[static_cast<std::size_t>(over.window)];
    }
    return covered;
}

ZeroBoxes element_boxes(const ConvShape& shape, const Repeats& rows, const Repeats& columns) {
    return {{shape.n},
            {shape.c},
            {shape.h},
            {shape.w},
            coverage(shape.h, rows, [&](std::int64_t h) { return windows_over_row(shape, h); }),
            coverage(shape.w, columns, [&](std::int64_t w) { return windows_over_col(shape, w); }),
            shape.group_filters()};
}

struct Range {
    std::int64_t begin, end;
    Range(const ZeroBoxes::Axis& axis, std::int64_t box, std::int64_t length)
        : begin(std::max<std::int64_t>(axis.first + box * axis.step, 0)),
          end(std::min(axis.first + box * axis.step + axis.size, length)) {}
};

/// Whether 'visit' said yes of an element in the box.
bool any_in(const Range& n, const Range& c, const Range& h, const Range& w, const auto& visit) {
    for (std::int64_t in = n.begin; in < n.end; ++in)
        for (std::int64_t ic = c.begin; ic < c.end; ++ic)
            for (std::int64_t ih = h.begin; ih < h.end; ++ih)
                for (std::int64_t iw = w.begin; iw < w.end; ++iw)
                    if (visit(in, ic, ih, iw)) return true;
    return false;
}

/// Calls visit(row of boxes, column of boxes, ranges in n, c, h and w) for each.
void for_each_box(const ZeroBoxes& boxes, const Tensor& x, const auto& visit) {
    for (std::int64_t in = 0; in < boxes.n.count; ++in) {
        const Range n(boxes.n, in, x.n);
        for (std::int64_t ic = 0; ic < boxes.c.count; ++ic) {
            const Range c(boxes.c, ic, x.c);
            for (std::int64_t ih = 0; ih < boxes.h.count; ++ih) {
                const Range h(boxes.h, ih, x.h);
                for (std::int64_t iw = 0; iw < boxes.w.count; ++iw)
                    visit(static_cast<std::size_t>(ih), static_cast<std::size_t>(iw), n, c, h, Range(boxes.w, iw, x.w));
            }
        }
    }
}

}  // namespace

double flops_of(const ZeroBoxes& boxes, const Tensor& x) {
    std::int64_t weights = 0;
    for_each_box(
        boxes, x,
        [&](std::size_t row, std::size_t column, const Range& n, const Range& c, const Range& h, const Range& w) {
            const auto nonzero = [&](auto... at) { return x.at(at...) != 0.0F; };
            if (any_in(n, c, h, w, nonzero)) weights += boxes.row_weights[row] * boxes.column_weights[column];
        });
    return 2.0 * static_cast<double>(weights) * static_cast<double>(boxes.multiply_adds);
}

void zero_boxes(Tensor& x, const ZeroBoxes& boxes, double share, std::uint64_t seed) {
    const Random random(seed, Stream::zeros);
    const double below = share * 0x1p53;
    std::uint64_t box = 0;
    for_each_box(boxes, x,
                 [&](std::size_t, std::size_t, const Range& n, const Range& c, const Range& h, const Range& w) {
                     if (static_cast<double>(random.at(box++) >> 11) >= below) return;
                     any_in(n, c, h, w, [&](auto... at) {
                         x.at(at...) = 0.0F;
                         return false;
                     });
                 });
}

ZeroBoxes nonzero_boxes(const ConvShape& shape) {
    return element_boxes(shape, once(shape.p()), once(shape.q()));
}

ZeroBoxes nonzero_pooled_boxes(const ConvShape& shape) {
    if (!shape.pooled()) return nonzero_boxes(shape);
    return element_boxes(shape, pooled(shape.p(), shape.out_h(), shape.pool_h, shape.pool_stride),
                         pooled(shape.q(), shape.out_w(), shape.pool_w, shape.pool_stride));
}

std::optional<ZeroBoxes> boxes_of(const Method& method, const ConvShape& shape) {
    if (const auto* skips = dynamic_cast<const SkipsBoxes*>(&method)) return skips->boxes(shape);
    const CountFlops flops = method.info().flops_executed;
    if (flops == nonzero_flops) return nonzero_boxes(shape);
    if (flops == nonzero_pooled_flops) return nonzero_pooled_boxes(shape);
    return std::nullopt;
}

}  // namespace convscope
