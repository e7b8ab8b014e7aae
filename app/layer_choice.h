// What a person has chosen of a whole layer's layouts. Plain data.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "app/tab.h"
#include "kernels/core/layer_layout.h"
#include "visualizers/aggregate.h"
#include "visualizers/layer_links.h"

namespace convscope::app {

/// A way to move the camera, asked for by a key or the palette, and taken in the next frame.
enum class LayerMove { fit, one_to_one, values, closer, farther, next_copy };

struct LayerChoice {
    bool whole = false;  ///< the whole layer instead of one map
    /// The array that each of layer_tabs shows.
    std::array<LayerArray, layer_tabs.size()> array{LayerArray::F_data, LayerArray::Data, LayerArray::im2col,
                                                    LayerArray::y};
    Aggregate aggregate = Aggregate::share;        ///< of the whole layer
    Aggregate map_aggregate = Aggregate::largest;  ///< of one map, whose colours stand for values
    std::optional<LayerMove> asked;
    /// By a click: the element of the input behind it stays marked in every array.
    std::optional<InputElement> pinned;
    bool operator==(const LayerChoice&) const = default;
};

}  // namespace convscope::app
