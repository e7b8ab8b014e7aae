// The papers' formulas with a layer's own numbers in them, as data for the cards. No ImGui.
#pragma once

#include <string>
#include <vector>

#include "kernels/core/conv_shape.h"
#include "visualizers/explain/lit_term.h"

namespace convscope::app {

/// A symbol of a formula with its number, or a sign between symbols (then the number is the sign again, and there is
/// no meaning).
struct FormulaTerm {
    std::string symbol, number;
    std::string meaning;         ///< what it is, with where its number comes from
    std::vector<LitPart> parts;  ///< what it is on screen; empty: nothing there
    bool may_break = false;      ///< a new line may begin before it
};

struct Formula {
    std::string key;     ///< "xu-1": names its terms in the item log
    std::string source;  ///< "Xu 2019, Eq. 1"
    std::vector<FormulaTerm> terms;
    double value = 0;  ///< of the terms as they are written, divisions rounded as the note says
    std::string note;  ///< where the formula as printed and what is right differ; empty: nowhere
};

/// Xu 2019, Eqs. 1 and 2: multiplications and additions of one map and one filter.
Formula xu_multiplications(const ConvShape&, bool pooled_page);
Formula xu_additions(const ConvShape&, bool pooled_page);
/// Xu 2019, Eq. 3: threads for each map, one for each pooling result. For a shape that is pooled.
Formula xu_threads(const ConvShape&);
/// Cho & Brand 2017, Eqs. 2 to 4, with input channels (slip 10 in the papers): elements of the im2col matrix, of L, and
/// what MEC saves.
Formula cho_im2col(const ConvShape&, bool pooled_page);
Formula cho_l(const ConvShape&, bool pooled_page);
Formula cho_saving(const ConvShape&, bool pooled_page);

}  // namespace convscope::app
