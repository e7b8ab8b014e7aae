// The centre: tabs, which map is shown, and the layout views. Keeps the arrays on screen up to date.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "app/ui/layout_view/balance_panel.h"
#include "app/ui/layout_view/element_cursor.h"
#include "app/ui/layout_view/formats_panel.h"
#include "app/ui/layout_view/inspector.h"
#include "app/ui/layout_view/layer_panel.h"
#include "app/ui/layout_view/layout_bar.h"
#include "app/ui/layout_view/map_selector.h"
#include "app/ui/layout_view/multiplication_player.h"
#include "app/ui/layout_view/solutions_panel.h"
#include "app/ui/widgets/view.h"
#include "visualizers/layouts/layout_views.h"
#include "visualizers/style/view_style.h"

namespace convscope::app {

class LayoutArea : public View {
public:
    /// 'wake' asks for a frame; it is called from another thread.
    explicit LayoutArea(std::function<void()> wake);
    /// Once per frame, before draw. 'animate': arrays glide to their places where the page changes.
    void begin_frame(bool animate);
    void draw(Frame&, const ViewStyle&) override;
    void inspect(Frame& frame) override { inspector_.draw(frame, result_); }
    Explanation explain(const Session&) const override;
    std::string status(const Frame&) const override { return "Space measures the ticked methods"; }
    Lead lead(const Frame&) const override { return result_.lead; }
    bool busy(const Session&) const override;
    bool shows_layer() const override { return true; }
    std::string held(const Frame&) const override;
    bool has_live_panel() const override { return true; }

    /// The element pointed at in the latest frame, with its sentence.
    const LayoutViewResult& result() const { return result_; }
    /// How the arrays got to the screen: "interop", "host upload (reason)".
    const std::string& path() const { return path_; }
    /// Why the GPU could not build since the last call; empty when it could. The host built instead.
    std::string take_failure() { return std::exchange(failure_, {}); }
    /// How CUDA is reached from OpenGL, for the index of a device; tests stand in for it.
    std::function<std::shared_ptr<CudaGl>(int)> open_cuda = CudaGl::open;
    /// The same with the bytes that it cost: "interop 0 B/frame", "host 3.2 MB upload, 0 B/frame".
    std::string traffic() const;
    std::int64_t frame_bytes() const { return frame_bytes_; }  ///< through the host in the latest frame
    const LayerPanel& layer() const { return layer_; }
    /// Whether the arrays are gliding or arriving, or something is multiplied.
    bool moves() const { return views_.busy() || layer_.busy() || balance_.busy() || formats_.busy(); }

private:
    struct CachedScene {
        std::unique_ptr<LayoutScene> scene;
        std::uint64_t snapshot = 0;  ///< the number of the one it was built from
        std::string problem;         ///< why it could not be built
        std::string gpu_failure;     ///< why the host built it, though there is a GPU
    };

    void follow_lesson(const LessonChoice&);
    void bars(Frame&);
    void tabs(Frame&);
    void scope_switch(Frame&);
    static float switch_width(bool wide);
    void content(Frame&, const ViewStyle&);
    void one_map(Frame&, Format, const ViewStyle&);
    void describe_place(Frame&);
    void whole_layer(Frame&, Format, const ViewStyle&);
    CompanionScene companion(Frame&);
    void no_pooling(Frame&);
    void walk_links(Session&);
    void step_by_arrows(Session&, const LayoutScene&, const LayoutScene& second) const;
    void open_device(Frame&);
    CachedScene& scene(Frame&, Format);
    LayoutBuilder* device_builder(const ConvShape&) const;
    void build(CachedScene&, Format, const Snapshot&);
    ThreadMap threads(const Frame&, const char* method) const;

    std::shared_ptr<CudaGl> cuda_;
    std::string device_;
    std::unique_ptr<LayoutBuilder> builder_, host_builder_;  ///< builder_: null where the host builds
    LayoutViews views_;
    GridRenderer layer_renderer_;
    LayerPanel layer_;
    MapSelector selector_;
    ElementCursor cursor_;
    LayoutBar bar_;
    MultiplicationPlayer multiplication_;
    Inspector inspector_;
    bool selector_fits_ = true, switch_fits_ = true;  ///< next to the tabs; else they are below them
    SolutionsPanel solutions_;
    BalancePanel balance_;
    FormatsPanel formats_;
    std::array<LayoutViewState, TabId::count> states_;
    std::optional<std::array<LayoutViewState, TabId::count>> own_states_;  ///< the user's, while a lesson is open
    int begun_ = 0;                      ///< LessonChoice::begun, as it was in the frame before
    std::optional<ConvShape> zoomed_;    ///< the layer that the cameras of the states are for
    std::array<CachedScene, 4> scenes_;  ///< by Format
    LayoutViewResult result_;
    std::string path_ = "host upload", failure_;
    bool interop_ = false;
    std::int64_t rebuild_bytes_ = 0;  ///< through the host, for what is on screen
    std::int64_t frame_bytes_ = 0;    ///< of them in the latest frame
};

}  // namespace convscope::app
