// The fields of a layer's shape, written down once: CSV, JSON, the wire, presets, session files, flags, lessons and the
// tables of docs are made from these two lists.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>

#include "kernels/core/conv_shape.h"

namespace convscope {

using ShapeMember = std::int64_t ConvShape::*;

/// One field. A pooling field is 0 where no pooling layer follows.
struct ShapeField {
    const char* name;  ///< in CSV, JSON and session files
    ShapeMember member;
    std::int64_t min;  ///< accepted from
    const char* meaning;
    bool pooling = false;
};

inline constexpr std::array<ShapeField, 17> shape_fields{
    {{"n", &ConvShape::n, 1, "batch"},
     {"c", &ConvShape::c, 1, "input channels"},
     {"h", &ConvShape::h, 1, "height of the map"},
     {"w", &ConvShape::w, 1, "width of the map"},
     {"k", &ConvShape::k, 1, "filters"},
     {"r", &ConvShape::r, 1, "height of the filter"},
     {"s", &ConvShape::s, 1, "width of the filter"},
     {"stride_h", &ConvShape::stride_h, 1, "stride down"},
     {"stride_w", &ConvShape::stride_w, 1, "stride across"},
     {"pad_h", &ConvShape::pad_h, 0, "zeros added above and below"},
     {"pad_w", &ConvShape::pad_w, 0, "zeros added left and right"},
     {"dilation_h", &ConvShape::dilation_h, 1, "rows from one element under a filter to the next"},
     {"dilation_w", &ConvShape::dilation_w, 1, "columns from one element under a filter to the next"},
     {"groups", &ConvShape::groups, 1, "groups of channels and filters"},
     {"pool_h", &ConvShape::pool_h, 1, "height of the pooling window; 0 without pooling", true},
     {"pool_w", &ConvShape::pool_w, 1, "width of the pooling window; 0 without pooling", true},
     {"pool_stride", &ConvShape::pool_stride, 1, "stride of the pooling; 0 without pooling", true}}};
static_assert(sizeof(ConvShape) == shape_fields.size() * sizeof(std::int64_t), "a field of ConvShape is not listed");

/// What a user gives: one field, or two by one name, as one number for both directions or as height,width.
struct ShapeKey {
    const char* name;  ///< in presets and lessons
    const char* flag;
    ShapeMember first, second;  ///< no second: one number
    const char* help;           ///< of the flag
};

inline constexpr std::array<ShapeKey, 13> shape_keys{
    {{"n", "--n", &ConvShape::n, nullptr, "batch (1)"},
     {"c", "--c", &ConvShape::c, nullptr, "input channels (1)"},
     {"h", "--h", &ConvShape::h, nullptr, "input height"},
     {"w", "--w", &ConvShape::w, nullptr, "input width (as --h)"},
     {"k", "--k", &ConvShape::k, nullptr, "filters (1)"},
     {"r", "--r", &ConvShape::r, nullptr, "filter height"},
     {"s", "--s", &ConvShape::s, nullptr, "filter width (as --r)"},
     {"stride", "--stride", &ConvShape::stride_h, &ConvShape::stride_w, "stride, or its height,width (1)"},
     {"pad", "--pad", &ConvShape::pad_h, &ConvShape::pad_w, "zero padding on each side, or its height,width (0)"},
     {"dilation", "--dilation", &ConvShape::dilation_h, &ConvShape::dilation_w,
      "step from one element under a filter to the next, or its height,width (1)"},
     {"groups", "--groups", &ConvShape::groups, nullptr, "groups of channels and filters (1)"},
     {"pool", "--pool", &ConvShape::pool_h, &ConvShape::pool_w,
      "ReLU and max-pooling follow, with this window (0: none)"},
     {"pool_stride", "--pool-stride", &ConvShape::pool_stride, nullptr,
      "stride of the pooling (the window's height)"}}};

/// Those that arrays in files have, n to s, and those that no file says.
inline constexpr std::span<const ShapeKey> size_keys = std::span(shape_keys).first(7);
inline constexpr std::span<const ShapeKey> layer_keys = std::span(shape_keys).subspan(7);

constexpr const ShapeField& field_of(ShapeMember member) {
    for (const ShapeField& field : shape_fields)
        if (field.member == member) return field;
    throw "no field of ConvShape";  // in a constant expression: does not compile
}

/// What a key accepts at least: of a pooling window, 0 for none.
constexpr std::int64_t min_of(const ShapeKey& key) {
    return key.first == &ConvShape::pool_h ? 0 : field_of(key.first).min;
}
/// As a flag or a list of them takes it: "2", or "2x1" where the directions differ.
std::string text_of(const ShapeKey&, const ConvShape&);

/// All fields in a text that differs where one of them does.
std::string key_of(const ConvShape&);

}  // namespace convscope
