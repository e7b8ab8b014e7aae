#include "kernels/onnx/window_shape.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "kernels/core/error.h"

namespace convscope {
namespace {

void set_pads(const NodeCall& call, ConvShape& shape) {
    // Top, left, bottom, right.
    const std::vector<std::int64_t> pads = call.integers("pads", {0, 0, 0, 0}, 0);
    const std::string automatic = call.text("auto_pad", "NOTSET");
    if (automatic == "NOTSET") {
        shape.pad_h = pads[0];
        shape.pad_w = pads[1];
        shape.pad_extra_h = pads[2] - pads[0];
        shape.pad_extra_w = pads[3] - pads[1];
    } else if (automatic == "SAME_UPPER" || automatic == "SAME_LOWER") {
        pad_same(shape);
        if (automatic == "SAME_UPPER") return;
        // The odd row is above the map, the odd column left of it.
        shape.pad_h += shape.pad_extra_h;
        shape.pad_w += shape.pad_extra_w;
        shape.pad_extra_h = -shape.pad_extra_h;
        shape.pad_extra_w = -shape.pad_extra_w;
    } else if (automatic != "VALID") {
        call.reject("its auto_pad must be NOTSET, VALID, SAME_UPPER or SAME_LOWER");
    }
}

}  // namespace

ConvShape window_shape(const NodeCall& call, std::int64_t h, std::int64_t w, std::int64_t r, std::int64_t s) {
    constexpr std::int64_t max_span = std::numeric_limits<std::int32_t>::max();
    ConvShape shape;
    shape.h = h;
    shape.w = w;
    shape.r = r;
    shape.s = s;
    const std::vector<std::int64_t> strides = call.integers("strides", {1, 1}, 1);
    const std::vector<std::int64_t> dilations = call.integers("dilations", {1, 1}, 1);
    shape.stride_h = strides[0];
    shape.stride_w = strides[1];
    shape.dilation_h = dilations[0];
    shape.dilation_w = dilations[1];
    if (r < 1 || s < 1 || r - 1 > (max_span - 1) / dilations[0] || s - 1 > (max_span - 1) / dilations[1])
        call.reject(fmt::format("its window of {}x{} and dilation {}x{} must span 1 to {} rows and columns", r, s,
                                dilations[0], dilations[1], max_span));
    set_pads(call, shape);
    if (shape.span_h() > shape.padded_h() || shape.span_w() > shape.padded_w())
        call.reject(fmt::format("its window spans {}x{}, more than its map of {}x{} with padding", shape.span_h(),
                                shape.span_w(), shape.padded_h(), shape.padded_w()));
    return shape;
}

}  // namespace convscope
