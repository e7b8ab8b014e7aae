// What the Formats page has pinned, and what the other pages of the Layout view have: the same element of x or w.
#pragma once

#include <optional>
#include <vector>

#include "app/ui/widgets/frame.h"
#include "kernels/formats/format_arrays.h"
#include "kernels/layers/format_matrix.h"
#include "visualizers/explain/layer_links.h"
#include "visualizers/explain/links.h"

namespace convscope::app {

/// The element of the shown map or filter at a place of the matrix of the shown image. Nothing where it is of another
/// channel or filter, or in padding.
std::optional<ElementRef> in_map(const Frame&, MatrixOf, const std::optional<FormatCell>&);
/// The element of x, of the group whose layouts the pages of the whole layer show. Nothing in w, in padding and where
/// it is of another group.
std::optional<InputElement> in_layer(const Frame&, MatrixOf, const std::optional<FormatCell>&);

/// Pins what is at a place of the matrix on the other pages, or nothing.
void pin_place(Frame&, MatrixOf, const std::optional<FormatCell>&);

class MatrixPins {
public:
    /// The places in the matrix of what the other pages have pinned, row by row: those of one map or those of the whole
    /// layer, whichever pinned something last.
    std::vector<FormatCell> places(const Frame&, MatrixOf);

private:
    std::optional<ElementRef> of_map_;
    std::optional<InputElement> of_layer_;
    bool layer_last_ = false;
};

}  // namespace convscope::app
