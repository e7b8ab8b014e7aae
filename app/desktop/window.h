// The app in a window: GLFW, OpenGL and Dear ImGui's backends round the shell.
#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "app/accessibility/screen_reader.h"
#include "app/desktop/app.h"
#include "app/desktop/frame_times.h"
#include "app/desktop/image_clipboard.h"
#include "app/desktop/reduced_motion.h"
#include "app/session/settings/settings.h"
#include "app/ui/input/reader_report.h"
#include "app/ui/shell/shell.h"

struct GLFWwindow;

namespace convscope::app {

class Window {
public:
    /// Throws Error(failed) with one sentence when there is no display or no OpenGL 4.3.
    Window(Registry&, const AppOptions&);
    ~Window();  ///< keeps the settings
    Window(const Window&) = delete;
    Window& operator=(const Window&) = delete;

    /// Waits for something to draw, then draws it. False when the user closed the window.
    bool step();
    /// Whether input is left: fast input is spread over frames, a key's press in one and its release in the next.
    bool input_queued() const;
    Shell& shell() { return *shell_; }
    GLFWwindow* handle() { return window_; }

private:
    using Clock = std::chrono::steady_clock;

    void make_window();
    void start_imgui();
    void wait();
    void draw();
    void draw_frame();
    void follow_scale();
    void begin_report();
    void show_report();
    void save_image();
    Settings settings_now() const;
    void keep_settings(bool at_end);

    DesktopMotion motion_;
    ImageClipboard image_clipboard_;
    LoadedSettings loaded_;
    Settings kept_;               ///< as this window read or wrote them last
    Settings tried_;              ///< the same, or what could not be written
    Clock::time_point saved_;     ///< when that was
    bool settings_wait_ = false;  ///< they have changed, and are written in a moment
    std::filesystem::path settings_file_;
    GLFWwindow* window_ = nullptr;
    std::unique_ptr<ScreenReader> reader_;  ///< from the first frame on
    ReaderReport report_;
    ReaderScene scene_;  ///< as the screen reader has it
    std::unique_ptr<Shell> shell_;
    Fonts fonts_;
    float scale_ = 0;
    std::string title_ = "convscope";
    int frames_to_draw_ = 3;  ///< an event's effects settle over a few frames
    bool settles_ = false;    ///< something went on by itself, whose end does so too
    Clock::time_point last_frame_;
    FrameTimes frame_times_;  ///< from the first command to an empty GL queue
};

}  // namespace convscope::app
