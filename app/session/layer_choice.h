// The user's choices for a whole layer's layouts. Plain data.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "app/session/tab_id.h"
#include "kernels/layers/layer_layout.h"
#include "visualizers/explain/aggregate.h"
#include "visualizers/explain/layer_links.h"

namespace convscope::app {

/// A way to move the camera.
enum class LayerMove { fit, one_to_one, values, closer, farther, next_copy };

struct LayerChoice {
    bool whole = false;  ///< the whole layer instead of one map
    /// The array that each of the first tabs shows.
    std::array<LayerArray, layer_tabs> array{LayerArray::F_data, LayerArray::Data, LayerArray::im2col, LayerArray::y};
    Aggregate aggregate = Aggregate::share;        ///< of the whole layer
    Aggregate map_aggregate = Aggregate::largest;  ///< of one map, whose colours stand for values
    /// By a click: the element of the input behind it stays marked in every array.
    std::optional<InputElement> pinned;
    bool operator==(const LayerChoice&) const = default;
};

}  // namespace convscope::app
