// One window: puts the panels in their places, and keeps session, snapshot and measurement in step. Knows nothing
// of where it is drawn to: a window, an image and a test drive the same frames.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/session/jobs/device_loss_monitor.h"
#include "app/session/jobs/model_runner.h"
#include "app/session/navigation.h"
#include "app/ui/commands/commands.h"
#include "app/ui/compare_view/compare_view.h"
#include "app/ui/dialogs/file_dialogs.h"
#include "app/ui/kernel_view/kernel_view.h"
#include "app/ui/layout_view/layout_area.h"
#include "app/ui/lessons_view/lesson_column.h"
#include "app/ui/lessons_view/lesson_guide.h"
#include "app/ui/lessons_view/lessons_view.h"
#include "app/ui/live_timing/live_panel.h"
#include "app/ui/network_view/network_view.h"
#include "app/ui/overlays/overlays.h"
#include "app/ui/sessions/session_manager.h"
#include "app/ui/shell/export_dialog.h"
#include "app/ui/shell/launch_panel.h"
#include "app/ui/shell/row_link.h"
#include "app/ui/shell/status_line.h"
#include "app/ui/shell/toolbar.h"
#include "app/ui/shell/workload_panel.h"
#include "app/ui/step_view/step_view.h"
#include "app/ui/sweep_view/sweep_view.h"
#include "app/ui/widgets/auto_collapse.h"
#include "app/ui/widgets/fonts.h"
#include "visualizers/gl/image.h"
#include "visualizers/style/view_style.h"

namespace convscope::app {

class Shell {
public:
    /// 'wake' asks for a frame; it is called from other threads. A GL context must be current.
    Shell(Registry&, std::function<void()> wake);

    /// Everything between ImGui::NewFrame and ImGui::Render.
    void frame(const Fonts&, float scale, double frame_ms);
    /// A session (.convscope.toml), a preset (.toml), x (.npy, .npz, .safetensors), a model (.onnx), its input (.png,
    /// .ppm, .pgm), records (.csv, .json), a lesson (.md) or a kernel (.cu). A file that cannot be read becomes a
    /// notice.
    void open(const std::filesystem::path&);
    /// Several, in this order but sessions first: they replace what is open.
    void open(std::vector<std::filesystem::path>);
    /// Opens files that the user drops on the window or chooses in the dialog: as open(), and a .cu file that has a
    /// main() is run.
    void drop(const std::vector<std::filesystem::path>&);
    /// After the frame was drawn: an image that was requested in the frame before, so that the dialog or menu that
    /// asked is no longer in it.
    std::optional<ImageRequest> take_image_request();
    /// The present frame is drawn for a picture alone, with other edges and colours: nobody need see it.
    bool draws_for_a_file() const { return requested_image_ && requested_image_->drawn_anew(); }
    /// Writes what was requested from the framebuffer that is bound, width x height pixels, and says so in a notice;
    /// where it cannot be written, asks where to once more.
    void save_image(const ImageRequest&, int width, int height);
    /// Takes the bytes of a PNG file to the clipboard; false when it cannot. Unset: there is none for images.
    std::function<bool(std::string png)> image_clipboard;
    /// Whether the next frame would show something new without any event.
    bool busy() const;
    /// The layouts are gliding, or arriving: a frame at a steady pace.
    bool layout_moves() const { return session_.view == "layout" && layouts_.moves(); }

    /// Whether the side panels are open but for want of room.
    bool left_open_by_choice() const { return left_collapse_.open_by_choice(session_.appearance.left_open); }
    bool right_open_by_choice() const { return right_collapse_.open_by_choice(session_.appearance.right_open); }

    /// The colour to clear the framebuffer with: the panels draw no background of their own.
    const Rgba& background() const { return theme().panel; }

    Session& session() { return session_; }
    Live& live() { return live_; }
    SnapshotBuilder& builder() { return builder_; }
    const LayoutArea& layouts() const { return layouts_; }
    const History& history() const { return history_; }
    LayoutArea& layouts() { return layouts_; }
    SessionManager& sessions() { return sessions_; }
    FileDialogs& dialogs() { return dialogs_; }
    const KernelView& kernel() const { return kernel_; }
    const StepView& step() const { return step_; }
    const NetworkView& network() const { return network_; }
    CompareView& compare() { return compare_; }
    SweepView& sweep() { return sweep_; }
    LessonGuide& lessons() { return guide_; }

private:
    struct Box {
        float x, y, w, h;
    };
    const Theme& theme_of(bool dark) const { return theme_with(dark, session_.desktop_state.preferences.map); }
    /// The theme of the frame that is drawn: light where an image for paper is requested.
    const Theme& theme() const {
        return theme_of(session_.appearance.dark && !(draws_for_a_file() && requested_image_->paper));
    }
    void begin_panel(const char* name, const Box&, float padding_x, float padding_y);
    void end_panel();
    void panels(Frame&, const ViewStyle&, double frame_ms);
    void collapse_panels(float width);
    float right_width() const;
    void edges(const Box& centre, float live, float below);
    void splitter(const char* name, const Box&, bool vertical, float& size, float sign, float least, float most);
    void present(Frame&, const ViewStyle&, const Box&);
    void scene_line(const Frame&, const Box&);
    void keep_panels_as_they_were();
    float building_height() const;
    void layer_fields(Frame&);
    void side_panels(Frame&, float top, float height, float left, float right);
    void centre(Frame&, const ViewStyle&, const Box&, float live);
    void building(const Box&);
    void live_timing(Frame&, const ViewStyle&, const Box&);
    void inspect(Frame&);
    void open_sweep_in_compare();
    void copy_text(Frame&);
    void copy_picture(const ImageRequest&, int height);
    void write_image(const ImageRequest&, int width, int height);
    void write_picture(const ImageRequest&, const std::filesystem::path&, int height);
    void picture_menu(Frame&, bool of_view);
    View& view() const { return *views_[session_.view.index()]; }
    void dim_behind_overlays();
    void open_preset(const std::filesystem::path&);
    void open_user_kernel(const std::filesystem::path&);
    bool in_a_gesture() const;

    Registry& registry_;
    Session session_;
    SnapshotBuilder builder_;
    ModelRunner model_;
    Live live_;
    History history_;
    Navigation navigation_;
    FileDialogs dialogs_;
    SessionManager sessions_;
    float wheel_rests_s_ = 1;
    /// The state to restore after a slide: the windows' scroll positions and the focused control.
    struct BeforeSlide {
        std::vector<std::pair<ImGuiID, ImVec2>> scroll;
        std::string focus;
        int frames_left = 0;  ///< until the windows have their sizes again
    };
    std::optional<BeforeSlide> before_slide_;
    DeviceLossMonitor device_loss_;
    std::shared_ptr<const Snapshot> snapshot_;
    AutoCollapse left_collapse_, right_collapse_;
    std::optional<ImageRequest> requested_image_;

    Toolbar toolbar_;
    WorkloadPanel workload_;
    LaunchPanel launch_;
    LayoutArea layouts_;
    LivePanel live_panel_;
    StepView step_;
    CompareView compare_;
    SweepView sweep_;
    RowLink row_link_;
    NetworkView network_;
    LessonGuide guide_;
    LessonsView lessons_view_{guide_};
    KernelView kernel_;
    /// A new view is a class, a row in view_table, and its place here.
    Views views_ = all_views(layouts_, step_, compare_, sweep_, network_, lessons_view_, kernel_);
    LessonColumn lesson_column_;
    StatusLine status_;
    Overlays overlays_;
    Regions regions_;
    ExportDialog export_;
    std::string menu_figure_;  ///< the title of the one whose menu is open; empty: that of the view alone
};

}  // namespace convscope::app
