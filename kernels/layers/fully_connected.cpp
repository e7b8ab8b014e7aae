#include "kernels/layers/fully_connected.h"

#include <fmt/format.h>

namespace convscope {

bool is_fully_connected(const ConvShape& shape) {
    ConvShape layer;
    layer.n = shape.n;
    layer.c = shape.c;
    layer.k = shape.k;
    return shape == layer;
}

Support takes_fully_connected(const std::string& id, const ConvShape& shape) {
    if (is_fully_connected(shape)) return {};
    return Support::no(
        fmt::format("{} computes fully connected layers: maps and filters of 1x1, stride 1, no padding, no pooling; "
                    "this shape is {}",
                    id, to_string(shape)));
}

std::string fully_connected_text(const ConvShape& shape) {
    return fmt::format("fully connected, {} -> {}", shape.c, shape.k);
}

}  // namespace convscope
