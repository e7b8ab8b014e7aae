// The papers' formulas with a layer's own numbers in them, as data for the cards. No ImGui.
#pragma once

#include <string>
#include <vector>

#include "kernels/layers/conv_shape.h"
#include "visualizers/explain/lit_term.h"
#include "visualizers/explain/math.h"
#include "visualizers/explain/notation.h"

namespace convscope::app {

/// A symbol of a formula with its number.
struct FormulaTerm {
    std::string symbol, number;
    std::string meaning;         ///< what it is, with where its number comes from
    std::vector<LitPart> parts;  ///< what it is on screen; empty: nothing there
};

struct Formula {
    std::string key;     ///< "xu-1": names its terms in the item registry
    std::string source;  ///< "Xu 2019, Eq. 1"
    Math math;           ///< its terms are indices into 'terms'; ends with the value, among the numbers alone
    std::vector<FormulaTerm> terms;
    double value = 0;  ///< of the terms as they are written, divisions rounded as the note says
    std::string note;  ///< where the formula as printed and what is right differ; empty: nowhere
};

/// Whose symbols, and whether the page shows the convolution apart from the pooled output.
struct FormulaStyle {
    bool pooled_page = false;
    Notation notation = Notation::paper;
};

/// Xu 2019, Eqs. 1 and 2: multiplications and additions of one map and one filter.
Formula xu_multiplications(const ConvShape&, const FormulaStyle&);
Formula xu_additions(const ConvShape&, const FormulaStyle&);
/// Xu 2019, Eq. 3: threads for each map, one for each pooling result. For a shape that is pooled.
Formula xu_threads(const ConvShape&, Notation);
/// Cho & Brand 2017, Eqs. 2 to 4, with input channels (slip 10 in the papers): elements of the im2col matrix, of L, and
/// what MEC saves.
Formula cho_im2col(const ConvShape&, const FormulaStyle&);
Formula cho_l(const ConvShape&, const FormulaStyle&);
Formula cho_saving(const ConvShape&, const FormulaStyle&);

}  // namespace convscope::app
