#include "kernels/core/conv_shape.h"

#include <fmt/format.h>

#include <initializer_list>
#include <limits>

#include "kernels/core/error.h"
#include "kernels/core/shape_fields.h"

namespace convscope {
namespace {

constexpr std::int64_t max_elements = std::numeric_limits<std::int32_t>::max();

void require(const ShapeField& field, std::int64_t value) {
    if (value < field.min)
        throw Error(ErrorKind::usage, fmt::format("{} is {}; it must be at least {}", field.name, value, field.min));
    if (value > max_elements)
        throw Error(ErrorKind::usage, fmt::format("{} is {}; it must be at most {}", field.name, value, max_elements));
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
    if (shape.pool_h > shape.p() || shape.pool_w > shape.q())
        throw Error(ErrorKind::usage, fmt::format("a {}x{} pooling window does not fit the {}x{} convolution output",
                                                  shape.pool_h, shape.pool_w, shape.p(), shape.q()));
}

void validate_groups(const ConvShape& shape) {
    if (shape.c % shape.groups == 0 && shape.k % shape.groups == 0) return;
    throw Error(ErrorKind::usage, fmt::format("groups is {}; it must divide the {} channels and the {} filters",
                                              shape.groups, shape.c, shape.k));
}

}  // namespace

void validate(const ConvShape& shape) {
    const bool pooling = shape.pool_h != 0 || shape.pool_w != 0 || shape.pool_stride != 0;
    for (const ShapeField& field : shape_fields)
        if (pooling || !field.pooling) require(field, shape.*field.member);
    validate_groups(shape);
    // By division: a span of two such sizes may pass 2^63.
    const bool wide =
        (shape.r - 1) > max_elements / shape.dilation_h || (shape.s - 1) > max_elements / shape.dilation_w;
    if (wide || shape.span_h() > shape.padded_h() || shape.span_w() > shape.padded_w())
        throw Error(
            ErrorKind::usage,
            fmt::format("a {}x{} filter{} leaves no output on a {}x{} map (padding included); it must be at "
                        "most as large as the map",
                        shape.r, shape.s,
                        shape.dilated() ? fmt::format(" of dilation {},{}", shape.dilation_h, shape.dilation_w) : "",
                        shape.padded_h(), shape.padded_w()));
    require_addressable("x with its padding", {shape.n, shape.c, shape.padded_h(), shape.padded_w()});
    require_addressable("w", {shape.k, shape.group_channels(), shape.r, shape.s});
    require_addressable("the convolution output", {shape.n, shape.k, shape.p(), shape.q()});
    if (pooling) validate_pooling(shape);
}

ConvShape one_group(const ConvShape& shape) {
    ConvShape one = shape;
    one.c = shape.group_channels();
    one.k = shape.group_filters();
    one.groups = 1;
    return one;
}

std::string to_string(const ConvShape& shape) {
    auto pair = [](std::int64_t a, std::int64_t b) {
        return a == b ? fmt::format("{}", a) : fmt::format("{},{}", a, b);
    };
    std::string text = fmt::format("{}x{}x{}x{} * {}x{}x{}x{}, stride {}, pad {}", shape.n, shape.c, shape.h, shape.w,
                                   shape.k, shape.group_channels(), shape.r, shape.s,
                                   pair(shape.stride_h, shape.stride_w), pair(shape.pad_h, shape.pad_w));
    if (shape.dilated()) text += fmt::format(", dilation {}", pair(shape.dilation_h, shape.dilation_w));
    if (shape.groups != 1) text += fmt::format(", {} groups", shape.groups);
    if (shape.pooled()) text += fmt::format(", pool {} stride {}", pair(shape.pool_h, shape.pool_w), shape.pool_stride);
    return text;
}

std::string text_of(const ShapeKey& key, const ConvShape& shape) {
    const std::int64_t first = shape.*key.first, second = key.second ? shape.*key.second : first;
    return first == second ? fmt::format("{}", first) : fmt::format("{}x{}", first, second);
}

std::string key_of(const ConvShape& shape) {
    std::string key;
    for (const ShapeField& field : shape_fields) key += fmt::format("{},", shape.*field.member);
    return key;
}

}  // namespace convscope
