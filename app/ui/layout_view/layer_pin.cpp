#include "app/ui/layout_view/layer_pin.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>

#include "app/session/pin.h"
#include "app/ui/widgets/widgets.h"

namespace convscope::app {

bool has_element(const ConvShape& s, const InputElement& e) {
    return e.n < s.n && e.c < s.c && e.h < s.h && e.w < s.w;
}

const LayerMarks& LayerPin::marks(const std::shared_ptr<const Workload>& workload, LayerArray array,
                                  const std::optional<InputElement>& pointed, const std::optional<InputElement>& pinned,
                                  std::int64_t first_channel) {
    const std::optional<InputElement> element = pointed                                                ? pointed
                                                : pinned && has_element(workload->spec.shape, *pinned) ? pinned
                                                                                                       : std::nullopt;
    if (workload_ == workload && array_ == array && element_ == element && first_channel_ == first_channel)
        return marks_;
    first_channel_ = first_channel;
    workload_ = workload;
    array_ = array;
    element_ = element;
    marks_ = {};
    sentence_.clear();
    if (!element) return marks_;
    marks_.linked = copies_of(*element, array, *workload);
    sentence_ = describe_copies(*element, *workload, first_channel_);
    return marks_;
}

LinkSet LayerPin::links(const std::string& words) const {
    LinkSet set;
    set.sentence = element_ ? sentence_ : words;
    if (!element_) return set;
    set.focus = {ArrayId::x, {element_->h, element_->w}};
    set.details.push_back(fmt::format("image {}, channel {}, row {}, column {} of x", element_->n,
                                      first_channel_ + element_->c, element_->h, element_->w));
    if (!words.empty()) set.details.push_back(words);
    return set;
}

std::optional<Cell> LayerPin::next_copy(const Workload& workload, LayerArray array, const InputElement& element,
                                        std::int64_t first_row, std::int64_t rows) {
    std::vector<Cell> copies = copies_of(element, array, workload);
    std::erase_if(copies, [&](const Cell& cell) { return cell.row < first_row || cell.row >= first_row + rows; });
    if (copies.empty()) return std::nullopt;
    const auto behind = std::ranges::upper_bound(copies, latest_);
    latest_ = behind == copies.end() ? copies.front() : *behind;
    return latest_;
}

void layer_pin_controls(Session& session, const Snapshot& snapshot) {
    const InputElement pin = *session.layer.pinned;
    const ConvShape& shape = snapshot.group->spec.shape;
    if (!has_element(shape, pin)) return;
    if (button("layer/next copy", "Next copy")) session.requested.layer = LayerMove::next_copy;
    tip("On to the next place that the shown array holds the pinned element at (N)");
    ImGui::SameLine();
    if (button("layer/its map", "Its map")) {
        session.choices.selection.image = pin.n;
        session.choices.selection.channel = snapshot.group_index * shape.c + pin.c;
        session.choices.selection.automatic = false;
        session.layer.whole = false;
        app::pin(session, ElementRef{ArrayId::x, {pin.h, pin.w}});
    }
    tip("The one map that the pinned element is of, with all links of this element");
    ImGui::SameLine();
    if (button("layer/clear", "Unpin")) session.layer.pinned.reset();
    tip("Nothing is pinned then (Esc)");
}

}  // namespace convscope::app
