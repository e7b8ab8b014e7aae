// The pin of a whole layer: an element of the input, marked wherever the shown array holds it.
#pragma once

#include <memory>
#include <optional>

#include "app/session/session.h"
#include "app/session/snapshot.h"
#include "visualizers/explain/links.h"
#include "visualizers/layers/layer_view.h"

namespace convscope::app {

/// The links of one element at a time, kept while it and the array stay the same.
class LayerPin {
public:
    /// Marks of the element under the pointer, or else of the pinned one, in the array. 'first_channel': of the
    /// workload in its layer, where it is one group of it.
    const LayerMarks& marks(const std::shared_ptr<const Workload>&, LayerArray,
                            const std::optional<InputElement>& pointed, const std::optional<InputElement>& pinned,
                            std::int64_t first_channel);
    /// The same in words; without an element 'words' of the view stand for it.
    LinkSet links(const std::string& words) const;
    /// The copy in the part after the one of the latest call; unset where the part has none.
    std::optional<Cell> next_copy(const Workload&, LayerArray, const InputElement&, std::int64_t first_row,
                                  std::int64_t rows);

private:
    std::shared_ptr<const Workload> workload_;
    LayerArray array_ = LayerArray::x;
    std::optional<InputElement> element_;
    std::int64_t first_channel_ = 0;
    LayerMarks marks_;
    std::string sentence_;
    Cell latest_{-1, -1};  ///< copy that was gone to
};

/// Whether the layer has the element: one that was pinned on another may be gone.
bool has_element(const ConvShape&, const InputElement&);

/// The ways on from a pinned element of what is on screen, in the inspector.
void layer_pin_controls(Session&, const Snapshot&);

}  // namespace convscope::app
