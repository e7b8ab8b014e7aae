// The centre: tabs, which map is shown, and the layout views. Keeps the arrays on screen up to date.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "app/panels/element_cursor.h"
#include "app/panels/frame.h"
#include "app/panels/map_selector.h"
#include "visualizers/layout_views.h"

namespace convscope::app {

class LayoutArea {
public:
    LayoutArea();
    /// Once per frame, before draw.
    void begin_frame() { views_.begin_frame(); }
    void draw(Frame&, const ViewStyle&);

    /// Of the latest frame: what is pointed at, with its sentence.
    const LayoutViewResult& result() const { return result_; }
    /// How the arrays got to the screen: "interop", "host upload (reason)".
    const std::string& path() const { return path_; }
    /// What building on the GPU failed with since the last call; empty when it did not. The host built instead.
    std::string take_failure() { return std::exchange(failure_, {}); }
    /// How CUDA is reached from OpenGL, for the index of a device; tests stand in for it.
    std::function<std::shared_ptr<CudaGl>(int)> open_cuda = CudaGl::open;

private:
    struct Held {
        std::unique_ptr<LayoutScene> scene;
        std::uint64_t snapshot = 0;  ///< the number of the one it was built from
        std::string problem;         ///< why it could not be built
        std::string gpu_failure;     ///< why the host built it, though there is a GPU
    };

    void tabs(Frame&);
    void content(Frame&, const ViewStyle&);
    void no_pooling(Frame&);
    void walk_links(Session&);
    void step_by_arrows(Session&, const LayoutScene&, const LayoutScene& second) const;
    void progress(Frame&);
    void open_device(Frame&);
    Held& scene(Frame&, Format);
    void build(Held&, Format, const Snapshot&);
    ThreadMap threads(const Frame&, const char* method) const;

    LayoutViews views_;
    MapSelector selector_;
    ElementCursor cursor_;
    std::array<LayoutViewState, tab_count> states_;
    std::shared_ptr<CudaGl> cuda_;
    std::string device_;
    std::unique_ptr<LayoutBuilder> builder_, host_builder_;  ///< builder_: null where the host builds
    std::array<Held, 4> scenes_;                             ///< by Format
    LayoutViewResult result_;
    std::string path_ = "host upload", failure_;
};

}  // namespace convscope::app
