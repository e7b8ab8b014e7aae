// The fields of a layer's shape in one list: CSV, JSON, the wire, presets, session files, flags, lessons and the tables
// of docs are made from these two lists.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>

#include "kernels/layers/conv_shape.h"

namespace convscope {

using ShapeMember = std::int64_t ConvShape::*;

/// One field. A pooling field is 0 where no pooling layer follows.
struct ShapeField {
    const char* name;  ///< in CSV, JSON and session files
    ShapeMember member;
    std::int64_t min;  ///< accepted from
    const char* meaning;
    bool pooling = false;
    bool added = false;  ///< to what another field says, and so written only where it is not 0
};

inline constexpr std::array<ShapeField, 19> shape_fields{
    {{"n", &ConvShape::n, 1, "batch"},
     {"c", &ConvShape::c, 1, "input channels"},
     {"h", &ConvShape::h, 1, "height of the map"},
     {"w", &ConvShape::w, 1, "width of the map"},
     {"k", &ConvShape::k, 1, "filters"},
     {"r", &ConvShape::r, 1, "height of the filter"},
     {"s", &ConvShape::s, 1, "width of the filter"},
     {"stride_h", &ConvShape::stride_h, 1, "stride down"},
     {"stride_w", &ConvShape::stride_w, 1, "stride across"},
     {"pad_h", &ConvShape::pad_h, 0, "rows of zeros above the map, and below it but for pad_extra_h"},
     {"pad_w", &ConvShape::pad_w, 0, "columns of zeros left of the map, and right of it but for pad_extra_w"},
     {"dilation_h", &ConvShape::dilation_h, 1, "rows from one element under a filter to the next"},
     {"dilation_w", &ConvShape::dilation_w, 1, "columns from one element under a filter to the next"},
     {"groups", &ConvShape::groups, 1, "groups of channels and filters"},
     {"pool_h", &ConvShape::pool_h, 1, "height of the pooling window; 0 without pooling", true},
     {"pool_w", &ConvShape::pool_w, 1, "width of the pooling window; 0 without pooling", true},
     {"pool_stride", &ConvShape::pool_stride, 1, "stride of the pooling; 0 without pooling", true},
     {"pad_extra_h", &ConvShape::pad_extra_h, -2147483647, "rows of zeros more below the map than above it", false,
      true},
     {"pad_extra_w", &ConvShape::pad_extra_w, -2147483647, "columns of zeros more right of the map than left of it",
      false, true}}};
static_assert(sizeof(ConvShape) == shape_fields.size() * sizeof(std::int64_t), "a field of ConvShape is not listed");

constexpr bool is_written(const ShapeField& field, const ConvShape& shape) {
    return !field.added || shape.*field.member != 0;
}

/// The key that a user sets: one field, or two by one name, as one number for both directions or as height,width. Where
/// the sides of a direction may differ, also as top,bottom,left,right, or as the word 'same' (pad_same).
struct ShapeKey {
    const char* name;  ///< in presets and lessons
    const char* flag;
    ShapeMember first, second;  ///< no second: one number
    const char* help;           ///< of the flag
    /// The excess of the bottom and the right over the top and the left, which are 'first' and 'second'; null where the
    /// sides cannot differ.
    ShapeMember first_extra = nullptr, second_extra = nullptr;
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
     {"pad", "--pad", &ConvShape::pad_h, &ConvShape::pad_w,
      "zero padding on each side, or its height,width, or top,bottom,left,right, or same: an output as large as the "
      "map, divided by the stride (0)",
      &ConvShape::pad_extra_h, &ConvShape::pad_extra_w},
     {"dilation", "--dilation", &ConvShape::dilation_h, &ConvShape::dilation_w,
      "step from one element under a filter to the next, or its height,width (1)"},
     {"groups", "--groups", &ConvShape::groups, nullptr, "groups of channels and filters (1)"},
     {"pool", "--pool", &ConvShape::pool_h, &ConvShape::pool_w,
      "ReLU and max-pooling follow, with this window (0: none)"},
     {"pool_stride", "--pool-stride", &ConvShape::pool_stride, nullptr,
      "stride of the pooling (the window's height)"}}};

/// The keys that arrays in files determine, n to s, and the others.
inline constexpr std::span<const ShapeKey> size_keys = std::span(shape_keys).first(7);
inline constexpr std::span<const ShapeKey> layer_keys = std::span(shape_keys).subspan(7);

constexpr const ShapeField& field_of(ShapeMember member) {
    for (const ShapeField& field : shape_fields)
        if (field.member == member) return field;
    throw "no field of ConvShape";  // in a constant expression: does not compile
}

constexpr const ShapeKey& shape_key(ShapeMember first) {
    for (const ShapeKey& key : shape_keys)
        if (key.first == first) return key;
    throw "no key of a shape";  // in a constant expression: does not compile
}

/// The smallest value that a key accepts: 0 for a pooling window, which means none.
constexpr std::int64_t min_of(const ShapeKey& key) {
    return key.first == &ConvShape::pool_h ? 0 : field_of(key.first).min;
}
/// The most numbers that a key accepts.
constexpr std::size_t max_numbers(const ShapeKey& key) {
    return !key.second ? 1 : !key.first_extra ? 2 : 4;
}
/// Sets the key's fields: 1 number, 2 or 4, as many as the key accepts.
void set_numbers(ConvShape&, const ShapeKey&, std::span<const std::int64_t> numbers);
/// In the form of a flag or a list: "2", "2x1" where the directions differ, "0x1x0x1" where the sides do.
std::string text_of(const ShapeKey&, const ConvShape&, const char* between = "x");

/// All fields in a text: equal shapes, and only these, have equal texts.
std::string key_of(const ConvShape&);

}  // namespace convscope
