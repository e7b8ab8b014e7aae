#include "app/desktop/window.h"

#define GLFW_INCLUDE_NONE  // epoxy declares OpenGL
#include <GLFW/glfw3.h>
#include <backends/imgui_impl_glfw.h>
#include <backends/imgui_impl_opengl3.h>
#include <epoxy/gl.h>
#include <fmt/format.h>
#include <imgui_internal.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "app/desktop/end_signals.h"
#include "app/desktop/imgui_setup.h"
#include "app/desktop/keep_in_sight.h"
#include "app/desktop/start_times.h"
#include "app/ui/input/item_registry.h"
#include "kernels/core/error.h"
#include "kernels/core/say.h"
#include "kernels/files/user_folders.h"
#include "visualizers/gl/framebuffer.h"
#include "visualizers/gl/image.h"

// Declared in <GLFW/glfw3native.h>, which would need X11's headers. Weak, since GLFW for Wayland alone lacks it.
extern "C" __attribute__((weak)) unsigned long glfwGetX11Window(GLFWwindow*);

namespace convscope::app {
namespace {

constexpr double live_frame_s = 1.0 / 60;   ///< no faster: a measurement wants the machine
constexpr double calm_frame_s = 1.0 / 4;    ///< the same where motion is reduced
constexpr double notice_frame_s = 1.0 / 4;  ///< only so that notices go away
constexpr std::chrono::milliseconds gate_timeout{25};

/// The parent's name for the portal, where this is X11.
std::string name_for_portal(GLFWwindow* window) {
    const unsigned long id = glfwGetX11Window ? glfwGetX11Window(window) : 0;
    return id == 0 ? std::string() : fmt::format("x11:{:x}", id);
}

/// Whether the window is an X client's: before 3.4, GLFW was built for one kind of desktop.
bool on_x11() {
#if GLFW_VERSION_MAJOR > 3 || GLFW_VERSION_MINOR >= 4
    return glfwGetPlatform() == GLFW_PLATFORM_X11;
#else
    return std::string(glfwGetVersionString()).find("X11") != std::string::npos;
#endif
}

std::string last_glfw_error() {
    const char* text = nullptr;
    glfwGetError(&text);
    return text ? text : "no reason given";
}

void on_drop(GLFWwindow* window, int count, const char** paths) {
    auto* shell = static_cast<Shell*>(glfwGetWindowUserPointer(window));
    shell->drop(std::vector<std::filesystem::path>(paths, paths + count));
}

#if IMGUI_VERSION_NUM < 18700
// Dear ImGui looks at the keys once a frame; from 1.87 on it keeps a queue. Before that, this one: in a frame no key
// goes both down and up, and once a key is down none goes up and no modifier comes, so that neither a key nor a chord
// is lost that was held for no time at all, whichever of its keys is let go first.
struct KeyEvent {
    int key, scancode, action, mods;
    unsigned letter;  ///< instead of a key, where it is not 0
};
std::deque<KeyEvent> waiting_keys;

void on_key(GLFWwindow*, int key, int scancode, int action, int mods) {
    waiting_keys.push_back({key, scancode, action, mods, 0});
}

void on_letter(GLFWwindow*, unsigned letter) {
    waiting_keys.push_back({0, 0, 0, 0, letter});
}

bool is_modifier(int key) {
    return key >= GLFW_KEY_LEFT_SHIFT && key <= GLFW_KEY_RIGHT_SUPER;
}

void feed_keys(GLFWwindow* window) {
    std::vector<int> changed;
    bool down = false;  // another key than a modifier
    while (!waiting_keys.empty()) {
        const KeyEvent event = waiting_keys.front();
        const bool chord = ImGui::GetIO().KeyCtrl && !changed.empty();  // which would swallow the letter
        if (event.letter ? chord : std::ranges::find(changed, event.key) != changed.end()) return;
        if (!event.letter && down && (event.action == GLFW_RELEASE || is_modifier(event.key))) return;
        waiting_keys.pop_front();
        if (event.letter) {
            ImGui_ImplGlfw_CharCallback(window, event.letter);
        } else {
            ImGui_ImplGlfw_KeyCallback(window, event.key, event.scancode, event.action, event.mods);
            if (event.action != GLFW_REPEAT) changed.push_back(event.key);
            down |= event.action == GLFW_PRESS && !is_modifier(event.key);
        }
    }
}
#endif

/// The desktop's factor in units of framebuffer pixels: 1 where the desktop scales the window itself.
float display_scale(GLFWwindow* window) {
    float x = 1, y = 1;
    glfwGetWindowContentScale(window, &x, &y);
    int width = 1, height = 1, pixels_w = 1, pixels_h = 1;
    glfwGetWindowSize(window, &width, &height);
    glfwGetFramebufferSize(window, &pixels_w, &pixels_h);
    return width > 0 && pixels_w > 0 ? x * static_cast<float>(width) / static_cast<float>(pixels_w) : x;
}

/// Every view works from this size on: the window manager makes the window no smaller, unless the screen is.
void set_smallest_size(GLFWwindow* window, float scale) {
    constexpr float width = 800, height = 600;  // at scale 1
    int x = 0, y = 0, screen_w = 0, screen_h = 0;
    if (GLFWmonitor* const monitor = glfwGetPrimaryMonitor())
        glfwGetMonitorWorkarea(monitor, &x, &y, &screen_w, &screen_h);
    const auto within = [](float wanted, int screen) {
        const int pixels = static_cast<int>(wanted);
        return screen > 0 ? std::min(pixels, screen) : pixels;
    };
    glfwSetWindowSizeLimits(window, within(width * scale, screen_w), within(height * scale, screen_h), GLFW_DONT_CARE,
                            GLFW_DONT_CARE);
}

}  // namespace

Window::Window(Registry& registry, const AppOptions& options)
    : loaded_(load_settings(settings_file())), settings_file_(settings_file()) {
    const char* otherwise = "without one, use a subcommand or 'convscope tour'";
    // Asked first: GLFW 3.4's libraries would print complaints of their own.
    if (!std::getenv("DISPLAY") && !std::getenv("WAYLAND_DISPLAY"))
        throw Error(
            ErrorKind::failed,
            std::string("the app needs a display, and neither DISPLAY nor WAYLAND_DISPLAY is set; ") + otherwise);
    note_start("settings");
    if (!glfwInit())
        throw Error(ErrorKind::failed, "the app needs a display (" + last_glfw_error() + "); " + otherwise);
    try {
        make_window();
        note_start("window and OpenGL");
        start_imgui();
        shell_ = std::make_unique<Shell>(registry, [] { glfwPostEmptyEvent(); });
        note_start("shell");
    } catch (...) {
        glfwTerminate();
        throw;
    }
    if (on_x11()) shell_->image_clipboard = [this](std::string png) { return image_clipboard_.offer(std::move(png)); };
    Session& session = shell_->session();
    shell_->lessons().keep_progress_in(lessons::progress_file(), session);
    session.appearance = loaded_.settings.appearance;
    session.desktop_state.preferences = loaded_.settings.preferences;
    if (!loaded_.settings.csv_path.empty()) session.csv_path = loaded_.settings.csv_path;
    if (!loaded_.settings.png_path.empty()) session.png_path = loaded_.settings.png_path;
    // Someone who has settings knows the app: the tour is for the first run. It would cover a file that was asked for.
    std::error_code unreadable;
    if (options.files.empty() && !session.desktop_state.preferences.tour_seen &&
        !std::filesystem::exists(settings_file_, unreadable))
        session.desktop_state.tour_stop = 0;
    if (!loaded_.problem.empty()) notify(session, loaded_.problem, true);
    std::string problem;
    shell_->dialogs().set_asking(asking_of_environment(problem));
    shell_->dialogs().set_window(name_for_portal(window_));
    if (!problem.empty()) notify(session, problem, true);
    shell_->sessions().keep_state_in(user_folder(UserFolder::state));
    glfwSetWindowUserPointer(window_, shell_.get());
    glfwSetDropCallback(window_, on_drop);
    kept_ = tried_ = loaded_.settings;
    keep_in_sight(window_);
    shell_->open(options.files);
}

Window::~Window() {
    keep_settings(true);
    // The measuring thread may still have a long sample to end: no dead window meanwhile.
    glfwHideWindow(window_);
    ReaderReport::active = nullptr;
    reader_.reset();
    keep_in_sight(nullptr);
    shell_.reset();
    ImGui_ImplOpenGL3_Shutdown();
    ImGui_ImplGlfw_Shutdown();
    ImGui::DestroyContext();
    glfwDestroyWindow(window_);
    glfwTerminate();
}

void Window::make_window() {
    glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 4);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
    glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
    glfwWindowHint(GLFW_SCALE_TO_MONITOR, GLFW_TRUE);
    // The window's name in packaging/convscope.desktop, so that the desktop shows its icon.
    glfwWindowHintString(GLFW_X11_CLASS_NAME, "convscope");
    glfwWindowHintString(GLFW_X11_INSTANCE_NAME, "convscope");
    const WindowState& state = loaded_.settings.window;
    glfwWindowHint(GLFW_MAXIMIZED, state.maximised ? GLFW_TRUE : GLFW_FALSE);
    window_ = glfwCreateWindow(state.width, state.height, "convscope", nullptr, nullptr);
    if (!window_) throw Error(ErrorKind::failed, "the app needs OpenGL 4.3 (" + last_glfw_error() + ")");
    glfwMakeContextCurrent(window_);
    glfwSwapInterval(1);
}

void Window::start_imgui() {
    ImGui::CreateContext();
    set_up_imgui(ImGui::GetIO());
    ImGui_ImplGlfw_InitForOpenGL(window_, true);
    ImGui_ImplOpenGL3_Init("#version 430 core");
#if IMGUI_VERSION_NUM < 18700
    glfwSetKeyCallback(window_, on_key);
    glfwSetCharCallback(window_, on_letter);
#endif
}

bool Window::input_queued() const {
#if IMGUI_VERSION_NUM < 18700
    return !waiting_keys.empty();
#else
    return !ImGui::GetCurrentContext()->InputEventsQueue.empty();
#endif
}

bool Window::step() {
    wait();
    if (glfwWindowShouldClose(window_)) return false;
    if (!glfwGetWindowAttrib(window_, GLFW_ICONIFIED)) draw();
    return true;
}

/// Sleeps until there is something to draw. While a measurement runs, frames come at a steady pace.
void Window::wait() {
    if (glfwGetWindowAttrib(window_, GLFW_ICONIFIED)) return glfwWaitEventsTimeout(notice_frame_s);
    const double since = std::chrono::duration<double>(Clock::now() - last_frame_).count();
    const bool moving =
        shell_->live().wanted() || shell_->live().running() || shell_->builder().busy() || shell_->layout_moves();
    if (moving) {
        const double pace = shell_->session().desktop_state.reduced_motion() ? calm_frame_s : live_frame_s;
        if (const double left = pace - since; left > 0)
            glfwWaitEventsTimeout(left);
        else
            glfwPollEvents();
        frames_to_draw_ = 3;
    } else if (frames_to_draw_ > 0 || input_queued()) {
        frames_to_draw_ = std::max(0, frames_to_draw_ - 1);
        glfwPollEvents();
    } else if (shell_->busy() || settings_wait_) {
        glfwWaitEventsTimeout(notice_frame_s);
        settles_ = true;
    } else if (std::exchange(settles_, false)) {
        frames_to_draw_ = 3;  // what ended shows in all panels, also in those that were drawn before it was known
        glfwPollEvents();
    } else {
        glfwWaitEvents();
        frames_to_draw_ = 3;
    }
}

void Window::follow_scale() {
    // Beyond these nothing is legible, or the letters do not fit into a texture.
    int width = 0, height = 0;
    glfwGetFramebufferSize(window_, &width, &height);
    const Screen screen{static_cast<float>(width), static_cast<float>(height), display_scale(window_)};
    const float wanted = std::clamp(ui_scale(shell_->session(), screen), 0.5F, 8.0F);
    if (wanted == scale_) return;
    set_smallest_size(window_, screen.scale * shell_->session().appearance.scale);
    const bool first = scale_ == 0;
    scale_ = wanted;
    fonts_ = load_fonts(scale_);
    if (first && !fonts_.note.empty()) notify(shell_->session(), fonts_.note, true);
    ImGui_ImplOpenGL3_DestroyFontsTexture();
    ImGui_ImplOpenGL3_CreateFontsTexture();
    note_start("fonts");
}

void Window::draw() {
    follow_scale();
    shell_->session().desktop_state.desktop_reduces_motion = motion_.less_motion();
    const bool for_a_file = shell_->draws_for_a_file();
    draw_frame();
    if (const std::string title = shell_->sessions().title(); title != title_) {
        title_ = title;
        glfwSetWindowTitle(window_, title_.c_str());
    }
    keep_settings(false);
    if (for_a_file)
        frames_to_draw_ = 3;
    else
        glfwSwapBuffers(window_);
    note_first_frame();
    if (!reader_) reader_ = std::make_unique<ScreenReader>([] { glfwPostEmptyEvent(); });
}

void Window::draw_frame() {
    const QuietFrame turn(shell_->live().gate(), gate_timeout);
    const Clock::time_point start = Clock::now();
    ImGui_ImplOpenGL3_NewFrame();
    ImGui_ImplGlfw_NewFrame();
#if IMGUI_VERSION_NUM < 18700
    feed_keys(window_);
#endif
    ImGui::NewFrame();
    if (ItemRegistry::active) ItemRegistry::active->clear();
    begin_report();
    shell_->frame(fonts_, scale_, frame_times_.median());
    show_report();
    ImGui::Render();
    int width = 0, height = 0;
    glfwGetFramebufferSize(window_, &width, &height);
    glViewport(0, 0, width, height);
    const Rgba& background = shell_->background();
    glClearColor(background.r, background.g, background.b, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
    glFinish();
    last_frame_ = Clock::now();
    frame_times_.add(std::chrono::duration<double, std::milli>(last_frame_ - start).count());
    save_image();
}

/// Nothing is collected, and nothing is done, while no screen reader listens.
void Window::begin_report() {
    ReaderReport::active = reader_ && reader_->link().listens() ? &report_ : nullptr;
    if (!ReaderReport::active) return report_.cancel();
    for (ReaderRequest& request : reader_->link().take_requests()) report_.request(std::move(request));
    if (report_.busy()) frames_to_draw_ = 3;  // what is done shows in the frames after
    report_.begin_frame();
}

void Window::show_report() {
    if (!ReaderReport::active) return;
    const std::vector<ReaderNode>& nodes = report_.finish();
    ReaderScene now;
    glfwGetWindowPos(window_, &now.x, &now.y);
    glfwGetWindowSize(window_, &now.width, &now.height);
    now.active = glfwGetWindowAttrib(window_, GLFW_FOCUSED) != 0;
    const auto about = [](const ReaderScene& of) { return std::tie(of.x, of.y, of.width, of.height, of.active); };
    if (scene_.nodes == nodes && about(scene_) == about(now)) return;
    now.nodes = nodes;
    scene_ = std::move(now);
    reader_->link().show(scene_);
}

void Window::save_image() {
    const std::optional<ImageRequest> request = shell_->take_image_request();
    if (!request) return;
    int width = 0, height = 0;
    glfwGetFramebufferSize(window_, &width, &height);
    shell_->save_image(*request, width, height);
}

Settings Window::settings_now() const {
    Settings settings = loaded_.settings;
    const Session& session = shell_->session();
    settings.appearance = session.appearance;
    settings.appearance.left_open = shell_->left_open_by_choice();
    settings.preferences = session.desktop_state.preferences;
    settings.appearance.right_open = shell_->right_open_by_choice();
    settings.csv_path = session.csv_path;
    settings.png_path = session.png_path;
    settings.window.maximised = glfwGetWindowAttrib(window_, GLFW_MAXIMIZED) != 0;
    if (!settings.window.maximised) glfwGetWindowSize(window_, &settings.window.width, &settings.window.height);
    return settings;
}

/// When they have changed, at most once a second and not while something is dragged: whatever ends the program, they
/// are kept.
void Window::keep_settings(bool at_end) {
    Settings settings = settings_now();
    const Clock::time_point now = Clock::now();
    const bool changed = settings != tried_;
    settings_wait_ = changed && !at_end && (now - saved_ < std::chrono::seconds(1) || ImGui::IsAnyMouseDown());
    const bool again = at_end && tried_ != kept_;
    if ((!changed && !again) || settings_wait_) return;
    saved_ = now;
    const std::string problem = save_settings(settings_file_, settings, kept_);
    if (!problem.empty() && at_end) say("convscope: {}\n", problem);
    if (problem.empty()) kept_ = settings;
    tried_ = std::move(settings);
}

}  // namespace convscope::app

namespace convscope {

int run_app(Registry& registry, const AppOptions& options) {
    app::Window window(registry, options);
    const app::EndSignals signals([] { glfwPostEmptyEvent(); });
    while (!signals.came() && window.step()) {
    }
    return 0;
}

}  // namespace convscope
