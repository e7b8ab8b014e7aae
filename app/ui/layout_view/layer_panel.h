// The layouts of a whole layer: which array, what its pixels show, and the view of it. Keeps what is on screen up to
// date with the workload.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "app/ui/layout_view/input_picture.h"
#include "app/ui/layout_view/layer_builder.h"
#include "app/ui/layout_view/layer_pin.h"
#include "app/ui/widgets/frame.h"
#include "visualizers/layers/layer_view.h"
#include "visualizers/style/view_style.h"

namespace convscope::app {

class LayerPanel {
public:
    LayerPanel(GridRenderer& renderer, std::function<void()> wake);
    /// Fills the rest of the present window with an array of this format. The path is that of scenes that begin from
    /// now on; its builder outlives release().
    void draw(Frame&, Format, const LayerPath&, const ViewStyle&);
    /// Frees the memory; the next draw() begins again.
    void release();

    /// The element that the latest frame pointed at, and where its cells were drawn.
    const LayerViewResult& result() const { return result_; }
    const LayerViewState& state() const { return state_; }
    /// The links of the element that is pointed at, or else pinned, for the inspector.
    LinkSet links() const { return scene_ ? pin_.links(result_.words) : LinkSet{}; }
    const Lead& lead() const { return lead_; }  ///< the sentence that the page leads with, of the latest draw()
    const LayerScene* scene() const { return scene_.get(); }
    std::int64_t frame_bytes() const { return frame_bytes_; }  ///< of the array, through the host in the latest frame
    /// Why the GPU could not write since the last call; empty when it could. The host writes then.
    std::string take_failure() { return std::exchange(failure_, {}); }
    /// Whether the next frame would show something new without any event.
    bool busy() const;

private:
    void choose(Frame&, const std::vector<LayerArray>&);
    void keep_up(const LayerRequest&, const LayerArraySpec&, const LayerPath&);
    void write(const LayerRequest&);
    void follow_selection(const Frame&, const LayerArraySpec&);
    void take_moves(Session&);
    void to_next_copy(const InputElement&);
    void take_pin(Session&);
    std::optional<InputElement> pointed_element() const;

    GridRenderer& renderer_;
    LayerBuilder builder_;
    LayerView view_;
    LayerViewState state_;
    std::optional<LayerRequest> shown_;
    std::unique_ptr<LayerScene> scene_;
    std::string problem_, failure_;  ///< problem_: why there is nothing to show
    Selection followed_;
    LayerPin pin_;
    InputPicture picture_;  ///< next to the maps
    Lead lead_;
    LayerViewResult result_;
    std::int64_t frame_bytes_ = 0;
};

}  // namespace convscope::app
