// How the work of a method that skips zeros follows from x: x is covered with boxes, and a box that is not all zero
// costs its multiply-adds. Single elements are boxes, and so are a pixel in all channels or a channel under a tile.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "kernels/core/tensor.h"
#include "kernels/layers/conv_shape.h"

namespace convscope {

class Method;

struct ZeroBoxes {
    /// Along one axis: box i covers the 'size' places from first + i * step on, as far as they lie in x.
    struct Axis {
        std::int64_t count = 1, size = 1, step = 1, first = 0;
        bool operator==(const Axis&) const = default;
    };
    Axis n, c, h, w;
    /// A box costs multiply_adds times the weights of its row and its column of boxes: h.count and w.count of them.
    std::vector<std::int64_t> row_weights, column_weights;
    std::int64_t multiply_adds = 0;

    std::int64_t count() const { return n.count * c.count * h.count * w.count; }
    bool operator==(const ZeroBoxes&) const = default;
};

/// The FLOPs of the boxes that hold anything but zeros; NaN is not zero.
double flops_of(const ZeroBoxes&, const Tensor& x);

/// Fills about this share of the boxes with zeros, each or none of them as the seed says.
void zero_boxes(Tensor& x, const ZeroBoxes&, double share, std::uint64_t seed);

/// Each element is a box, which costs every window that covers it and every filter: nonzero_flops().
ZeroBoxes nonzero_boxes(const ConvShape&);
/// The same where a window is computed once for each pooling window that contains it: nonzero_pooled_flops().
ZeroBoxes nonzero_pooled_boxes(const ConvShape&);

/// A method that skips other boxes than elements derives from this as well.
class SkipsBoxes {
public:
    virtual ~SkipsBoxes() = default;
    virtual ZeroBoxes boxes(const ConvShape&) const = 0;
};

/// The boxes that a method skips. Empty where its work does not follow from zeros, or it does not say how.
std::optional<ZeroBoxes> boxes_of(const Method&, const ConvShape&);

}  // namespace convscope
