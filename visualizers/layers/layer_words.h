// The texts of the view of a whole layer's array, from numbers alone.
#pragma once

#include <optional>
#include <string>

#include "visualizers/explain/lead.h"
#include "visualizers/explain/notation.h"
#include "visualizers/layers/layer_view.h"

namespace convscope {

/// Rows of the spot are those of the whole array. "rows 1 024-2 047 \u00d7 cols 0-63: zeros 41 %, max |x| 3.2, mean
/// 0.71".
std::string region_words(const LayerSpot&, const LayerArraySpec&, const TileStats&);
/// The same. "im2col[225, 130] = 0.5".
std::string element_words(const LayerSpot&, const LayerArraySpec&, std::uint32_t bits);
/// "im2col takes 3.7 GB: 925.0 M elements", of all images. With the share of its elements, or of its slots, that hold a
/// value other than zero: "im2col is 72 % zeros: 3.7 GB for ...", "F_data uses 28 % of its slots: ...".
Lead layer_lead(const LayerArraySpec&, std::optional<double> nonzero = {});
/// "im2col $[n \cdot p \cdot q] \times [r \cdot s \cdot c]$: 200 704 \u00d7 576 = 115.6 M elements, 462 MB of
/// 3.7 GB".
std::string layer_summary(const LayerArraySpec&, const LayerPart&, Notation);
/// "Copying, 43 %: the rest is still being built."
std::string loading_words(std::int64_t written, std::int64_t rows, double aggregated);

}  // namespace convscope
