#include "app/ui/layout_view/matrix_pins.h"

#include <utility>

#include "app/session/pin.h"
#include "app/ui/layout_view/layer_pin.h"
#include "visualizers/explain/matrix_links.h"

namespace convscope::app {
namespace {

/// The shown channel among those of its group.
std::int64_t channel_of_filter(const Snapshot& snapshot) {
    return snapshot.selection.channel % snapshot.workload->spec.shape.group_channels();
}

std::vector<FormatCell> places_of_map(const Frame& frame, MatrixOf of, const std::optional<ElementRef>& element) {
    if (!element) return {};
    const Snapshot& snapshot = *frame.snapshot;
    const ConvShape& s = snapshot.workload->spec.shape;
    const auto [row, col] = element->cell;
    // Until a new layer is built, what is pinned may be of another one.
    if (of == MatrixOf::w && element->array == ArrayId::w && row < s.r && col < s.s)
        return {{snapshot.selection.filter, (channel_of_filter(snapshot) * s.r + row) * s.s + col}};
    if (of == MatrixOf::w || element->array != ArrayId::x || row >= s.h || col >= s.w) return {};
    return copies_of({snapshot.selection.image, snapshot.selection.channel, row, col}, of, s, snapshot.selection.image);
}

std::vector<FormatCell> places_of_layer(const Frame& frame, MatrixOf of, std::optional<InputElement> element) {
    const Snapshot& snapshot = *frame.snapshot;
    if (!element || !has_element(snapshot.group->spec.shape, *element)) return {};
    element->c += snapshot.group_index * snapshot.group->spec.shape.c;
    return copies_of(*element, of, snapshot.workload->spec.shape, snapshot.selection.image);
}

}  // namespace

std::optional<ElementRef> in_map(const Frame& frame, MatrixOf of, const std::optional<FormatCell>& cell) {
    if (!cell) return {};
    const Snapshot& snapshot = *frame.snapshot;
    const ConvShape& s = snapshot.workload->spec.shape;
    if (of == MatrixOf::w) {
        const std::int64_t tap = cell->col % s.window();
        if (cell->row != snapshot.selection.filter || cell->col / s.window() != channel_of_filter(snapshot)) return {};
        return ElementRef{ArrayId::w, {tap / s.s, tap % s.s}};
    }
    const std::optional<InputElement> element = input_behind(of, s, snapshot.selection.image, *cell);
    if (!element || element->c != snapshot.selection.channel) return {};
    return ElementRef{ArrayId::x, {element->h, element->w}};
}

std::optional<InputElement> in_layer(const Frame& frame, MatrixOf of, const std::optional<FormatCell>& cell) {
    if (!cell) return {};
    const Snapshot& snapshot = *frame.snapshot;
    const std::int64_t channels = snapshot.group->spec.shape.c;
    std::optional<InputElement> element =
        input_behind(of, snapshot.workload->spec.shape, snapshot.selection.image, *cell);
    if (!element || element->c / channels != snapshot.group_index) return {};
    element->c %= channels;
    return element;
}

void pin_place(Frame& frame, MatrixOf of, const std::optional<FormatCell>& cell) {
    pin(frame.session, in_map(frame, of, cell));
    frame.session.layer.pinned = in_layer(frame, of, cell);
}

std::vector<FormatCell> MatrixPins::places(const Frame& frame, MatrixOf of) {
    const std::optional<ElementRef>& of_map = pinned(frame.session);
    const std::optional<InputElement>& of_layer = frame.session.layer.pinned;
    if (std::exchange(of_layer_, of_layer) != of_layer) layer_last_ = true;
    if (std::exchange(of_map_, of_map) != of_map) layer_last_ = false;
    std::vector<FormatCell> in_one = places_of_map(frame, of, of_map), in_all = places_of_layer(frame, of, of_layer);
    if (layer_last_) std::swap(in_one, in_all);
    return in_one.empty() ? in_all : in_one;
}

}  // namespace convscope::app
