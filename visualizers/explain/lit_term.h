// A term of a formula that stands for something on screen: while it is pointed at, that thing is lit.
#pragma once

#include <string>
#include <vector>

#include "visualizers/explain/element.h"

namespace convscope {

/// The rows, the columns or the whole of an array.
struct LitPart {
    enum class Along { rows, cols, all };
    ArrayId array = ArrayId::x;
    Along along = Along::all;
    bool operator==(const LitPart&) const = default;
};

struct LitTerm {
    std::string symbol;  ///< "o_w": written next to what is lit
    std::vector<LitPart> parts;
    bool operator==(const LitTerm&) const = default;
};

}  // namespace convscope
