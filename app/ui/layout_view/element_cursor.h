// Walks over what is linked with an element, by Shift and the arrows: links are explored without a mouse.
#pragma once

#include <optional>

#include "visualizers/explain/links.h"

namespace convscope::app {

class ElementCursor {
public:
    /// Shift+Right and Shift+Left go to an element of the next and the previous array that is linked with the element
    /// at which the walk began; Shift+Down and Shift+Up to the next and the previous of its linked elements in the
    /// same array. 'links' are those of 'pinned'. Nothing when no such key was pressed, or there is nowhere to go.
    std::optional<ElementRef> move(const std::optional<ElementRef>& pinned, const LinkSet& links);

    /// The same for steps that are given: 'arrays' and 'cells' to go on, or back when negative.
    std::optional<ElementRef> step(const ElementRef& pinned, const LinkSet& links, int arrays, int cells);

private:
    LinkSet origin_;                ///< of the element at which the walk began
    std::optional<ElementRef> at_;  ///< where the walk has got to; elsewhere, a new one begins
};

}  // namespace convscope::app
