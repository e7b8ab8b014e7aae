// The multiplication behind one element of y: the pairs of an input and a weight under its windows, and which of them a
// format skips. And the course of showing it: where window, pairs and products are at a time. No ImGui, no OpenGL.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "visualizers/explain/lead.h"
#include "visualizers/explain/links.h"

namespace convscope {

struct MultiplyPair {
    Cell x;  ///< in the padding it is outside the array
    Cell w;
    float input = 0, weight = 0;
    bool skipped = false;  ///< the input is zero, and the format does not multiply it
    double product() const { return static_cast<double>(input) * weight; }
};

/// One convolution window.
struct MultiplyWindow {
    Cell conv;      ///< its element of the convolution
    LinkArea in_x;  ///< may reach into the padding
    double sum = 0;
};

/// More pairs than these, as of a filter as large as its map, are counted and not listed.
inline constexpr std::int64_t max_multiply_pairs = 1024;

struct Multiplication {
    Format format = Format::ecr;
    ConvShape shape;
    Cell y;
    std::vector<MultiplyWindow> windows;  ///< one; with PECR those of the pooling window, row by row
    std::vector<MultiplyPair> pairs;      ///< r x s of each window, in their order; empty where they are too many
    std::int64_t products = 0, zeros = 0;
    bool whole_inputs = true, whole_weights = true;  ///< of the whole map: no value has a fraction
    double result = 0;
    std::optional<std::size_t> largest;  ///< with PECR: the window whose sum is y; unset: no sum is above 0

    bool pools() const { return format == Format::pecr; }
    /// Products that the format multiplies.
    std::int64_t multiplied() const;
};

/// The cell must exist in y.
Multiplication multiplication_of(Format, const MapValues&, const Cell& y);
/// "T2 of B1: 4 of 9 products are left, 5 have a zero input; y[0,1] = 38". The thread is named where it is known.
Lead lead_of(const Multiplication&, std::optional<std::int64_t> block, std::optional<std::int64_t> thread);

/// The shares of their ways, 0 to 1, at one time.
struct MultiplyMoment {
    std::size_t window = 0;  ///< that is multiplied now; the number of windows: all of them have been
    float slide = 1;         ///< of this window, from the one before
    float lift = 1;          ///< of its inputs and weights, out of their arrays
    float flight = 0;        ///< of the products, into the sum; at 1 they are in it
    float fall = 0;          ///< of the pairs that are skipped; at 1 they are gone
    float pooling = 0;       ///< of the largest sum, into y
    bool rests = false;      ///< nothing moves from here on
    bool operator==(const MultiplyMoment&) const = default;
};

/// How long it takes until everything rests.
double multiply_seconds(std::size_t windows, bool pools);
/// 'seconds' after the beginning.
MultiplyMoment multiply_moment(double seconds, std::size_t windows, bool pools);
/// The same at rest: the still frame, where motion is reduced.
MultiplyMoment multiply_at_rest(std::size_t windows);

}  // namespace convscope
