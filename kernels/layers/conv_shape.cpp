#include "kernels/layers/conv_shape.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <string>

#include "kernels/core/error.h"
#include "kernels/layers/fully_connected.h"
#include "kernels/layers/shape_fields.h"

namespace convscope {
namespace {

constexpr std::int64_t max_elements = std::numeric_limits<std::int32_t>::max();

void require(const ShapeField& field, std::int64_t value) {
    if (value < field.min)
        throw Error(ErrorKind::usage, fmt::format("{} is {}; it must be at least {}", field.name, value, field.min));
    if (value > max_elements)
        throw Error(ErrorKind::usage, fmt::format("{} is {}; it must be at most {}", field.name, value, max_elements));
}

bool has_pooling(const ConvShape& shape) {
    return shape.pool_h != 0 || shape.pool_w != 0 || shape.pool_stride != 0;
}

void validate_fields(const ConvShape& shape) {
    for (const ShapeField& field : shape_fields)
        if (!field.added && (has_pooling(shape) || !field.pooling)) require(field, shape.*field.member);
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

void require_side(const char* side, std::int64_t near, std::int64_t extra) {
    // By subtraction: the sum may pass 2^63.
    if (extra >= -near && extra <= max_elements - near) return;
    const std::string pad = extra < 0
                                ? std::to_string(near + extra)
                                : std::to_string(static_cast<std::uint64_t>(near) + static_cast<std::uint64_t>(extra));
    throw Error(ErrorKind::usage,
                fmt::format("the padding {} is {}; it must be at least 0 and at most {}", side, pad, max_elements));
}

void validate_groups(const ConvShape& shape) {
    if (shape.c % shape.groups == 0 && shape.k % shape.groups == 0) return;
    throw Error(ErrorKind::usage, fmt::format("groups is {}; it must divide the {} channels and the {} filters",
                                              shape.groups, shape.c, shape.k));
}

}  // namespace

void validate(const ConvShape& shape) {
    validate_fields(shape);
    require_side("below", shape.pad_h, shape.pad_extra_h);
    require_side("on the right", shape.pad_w, shape.pad_extra_w);
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
    if (has_pooling(shape)) validate_pooling(shape);
}

void pad_same(ConvShape& shape) {
    ConvShape bare = shape;
    bare.pad_h = bare.pad_w = bare.pad_extra_h = bare.pad_extra_w = 0;
    validate_fields(bare);
    // As many windows as the stride needs to pass over the map; the last of them ends with the padding.
    const auto total = [](std::int64_t size, std::int64_t stride, std::int64_t span) {
        return std::max<std::int64_t>(0, (size - 1) / stride * stride + span - size);
    };
    const std::int64_t rows = total(shape.h, shape.stride_h, shape.span_h());
    const std::int64_t columns = total(shape.w, shape.stride_w, shape.span_w());
    shape.pad_h = rows / 2;
    shape.pad_w = columns / 2;
    shape.pad_extra_h = rows % 2;
    shape.pad_extra_w = columns % 2;
}

ConvShape one_group(const ConvShape& shape) {
    ConvShape one = shape;
    one.c = shape.group_channels();
    one.k = shape.group_filters();
    one.groups = 1;
    return one;
}

std::string to_string(const ConvShape& shape) {
    if (is_fully_connected(shape)) return fully_connected_text(shape) + fmt::format(", batch {}", shape.n);
    const auto value = [&](ShapeMember first) { return text_of(shape_key(first), shape, ","); };
    std::string text =
        fmt::format("{}x{}x{}x{} * {}x{}x{}x{}, stride {}, pad {}", shape.n, shape.c, shape.h, shape.w, shape.k,
                    shape.group_channels(), shape.r, shape.s, value(&ConvShape::stride_h), value(&ConvShape::pad_h));
    if (shape.dilated()) text += fmt::format(", dilation {}", value(&ConvShape::dilation_h));
    if (shape.groups != 1) text += fmt::format(", {} groups", shape.groups);
    if (shape.pooled()) text += fmt::format(", pool {} stride {}", value(&ConvShape::pool_h), shape.pool_stride);
    return text;
}

void set_numbers(ConvShape& shape, const ShapeKey& key, std::span<const std::int64_t> numbers) {
    shape.*key.first = numbers[0];
    if (!key.second) return;
    shape.*key.second = numbers[numbers.size() / 2];
    if (!key.first_extra) return;
    const bool by_side = numbers.size() == 4;
    shape.*key.first_extra = by_side ? numbers[1] - numbers[0] : 0;
    shape.*key.second_extra = by_side ? numbers[3] - numbers[2] : 0;
}

std::string text_of(const ShapeKey& key, const ConvShape& shape, const char* between) {
    const std::int64_t first = shape.*key.first, second = key.second ? shape.*key.second : first;
    if (key.first_extra && (shape.*key.first_extra != 0 || shape.*key.second_extra != 0))
        return fmt::format("{1}{0}{2}{0}{3}{0}{4}", between, first, first + shape.*key.first_extra, second,
                           second + shape.*key.second_extra);
    return first == second ? fmt::format("{}", first) : fmt::format("{}{}{}", first, between, second);
}

std::string key_of(const ConvShape& shape) {
    std::string key;
    for (const ShapeField& field : shape_fields) key += fmt::format("{},", shape.*field.member);
    return key;
}

}  // namespace convscope
