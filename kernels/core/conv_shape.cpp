#include "kernels/core/conv_shape.h"

#include <fmt/format.h>

#include <initializer_list>
#include <limits>

#include "kernels/core/error.h"

namespace convscope {
namespace {

constexpr std::int64_t max_elements = std::numeric_limits<std::int32_t>::max();

void require_at_least(std::int64_t value, std::int64_t least, const char* field) {
    if (value < least)
        throw Error(ErrorKind::usage, fmt::format("{} is {}; it must be at least {}", field, value, least));
    if (value > max_elements)
        throw Error(ErrorKind::usage, fmt::format("{} is {}; it must be at most {}", field, value, max_elements));
}

void require_addressable(const char* what, std::initializer_list<std::int64_t> sizes) {
    std::int64_t product = 1;
    for (std::int64_t size : sizes) {
        // By division: a product of two sizes may pass 2^63.
        if (size > max_elements / product)
            throw Error(ErrorKind::usage,
                        fmt::format("{} has more than {} elements; make the shape smaller", what, max_elements));
        product *= size;
    }
}

void validate_pooling(const ConvShape& shape) {
    if (shape.pool_h == 0 && shape.pool_w == 0 && shape.pool_stride == 0) return;
    require_at_least(shape.pool_h, 1, "pool height");
    require_at_least(shape.pool_w, 1, "pool width");
    require_at_least(shape.pool_stride, 1, "pool-stride");
    if (shape.pool_h > shape.p() || shape.pool_w > shape.q())
        throw Error(ErrorKind::usage, fmt::format("a {}x{} pooling window does not fit the {}x{} convolution output",
                                                  shape.pool_h, shape.pool_w, shape.p(), shape.q()));
}

}  // namespace

void validate(const ConvShape& shape) {
    require_at_least(shape.n, 1, "n");
    require_at_least(shape.c, 1, "c");
    require_at_least(shape.h, 1, "h");
    require_at_least(shape.w, 1, "w");
    require_at_least(shape.k, 1, "k");
    require_at_least(shape.r, 1, "r");
    require_at_least(shape.s, 1, "s");
    require_at_least(shape.stride_h, 1, "stride (height)");
    require_at_least(shape.stride_w, 1, "stride (width)");
    require_at_least(shape.pad_h, 0, "pad (height)");
    require_at_least(shape.pad_w, 0, "pad (width)");
    if (shape.r > shape.padded_h() || shape.s > shape.padded_w())
        throw Error(ErrorKind::usage,
                    fmt::format("a {}x{} filter leaves no output on a {}x{} map (padding included); it must be at most "
                                "as large as the map",
                                shape.r, shape.s, shape.padded_h(), shape.padded_w()));
    require_addressable("x with its padding", {shape.n, shape.c, shape.padded_h(), shape.padded_w()});
    require_addressable("w", {shape.k, shape.c, shape.r, shape.s});
    require_addressable("the convolution output", {shape.n, shape.k, shape.p(), shape.q()});
    validate_pooling(shape);
}

std::string to_string(const ConvShape& shape) {
    auto pair = [](std::int64_t a, std::int64_t b) {
        return a == b ? fmt::format("{}", a) : fmt::format("{},{}", a, b);
    };
    std::string text =
        fmt::format("{}x{}x{}x{} * {}x{}x{}x{}, stride {}, pad {}", shape.n, shape.c, shape.h, shape.w, shape.k,
                    shape.c, shape.r, shape.s, pair(shape.stride_h, shape.stride_w), pair(shape.pad_h, shape.pad_w));
    if (shape.pooled()) text += fmt::format(", pool {} stride {}", pair(shape.pool_h, shape.pool_w), shape.pool_stride);
    return text;
}

}  // namespace convscope
