// Lays out the letters of mathematics: the caller gives their sizes. No ImGui.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "visualizers/explain/math.h"

namespace convscope {

/// Sizes of a typeface in px, at its own size (level 0) and in scripts (level 1).
struct MathFace {
    std::function<float(std::string_view, int level)> width;
    float ascent[2] = {}, descent[2] = {};  ///< above and below the base line; both positive
    float line = 1;                         ///< thickness of a fraction's bar
    bool small_fractions = false;           ///< they are as small as scripts, where room is scarce
};

/// Something to draw, from a formula's top left corner.
struct MathPiece {
    enum class Kind { text, bar, bracket } kind = Kind::text;
    std::string text;  ///< of a bracket: which one
    float x = 0, y = 0, width = 0, height = 0;
    int level = 0;
    bool slanted = false, number = false;  ///< 'number': of the line of numbers
    int term = -1;                         ///< as Math::term
};

/// A term's symbol with its number: where it can be pointed at.
struct MathSpot {
    int term = -1;
    float x = 0, y = 0, width = 0, height = 0;
};

struct MathBox {
    float width = 0, height = 0;
    float baseline = 0;  ///< of the first line, from the top
    std::vector<MathPiece> pieces;
    std::vector<MathSpot> spots;
};

/// In lines of at most 'width' where it may be broken; where that is not enough, its fractions are written in the line,
/// and it is broken at its sums, in the end at its products. Each line of a formula with terms is two: the symbols, and
/// under them the numbers, brackets and signs repeated.
MathBox lay_out(const Math&, float width, const MathFace&);

}  // namespace convscope
