#include "kernels/core/fully_connected.h"

#include <fmt/format.h>

namespace convscope {

bool is_fully_connected(const ConvShape& shape) {
    ConvShape layer;
    layer.n = shape.n;
    layer.c = shape.c;
    layer.k = shape.k;
    return shape == layer;
}

std::string fully_connected_text(const ConvShape& shape) {
    return fmt::format("fully connected, {} -> {}", shape.c, shape.k);
}

}  // namespace convscope
