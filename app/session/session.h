// All state of a run of the app, as plain data: what a user chose and is pointing at. No ImGui, no OpenGL.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "app/session/desktop_state.h"
#include "app/session/layout_extras.h"
#include "app/session/lesson_choice.h"
#include "app/session/open_kernel.h"
#include "app/session/open_model.h"
#include "app/session/session_state.h"
#include "kernels/measure/worker.h"
#include "kernels/method/registry.h"
#include "visualizers/explain/element.h"

namespace convscope::app {

/// Layers and traces that take more of the host's memory than this are built once the user has agreed.
inline constexpr double max_unconfirmed_bytes = 1e9;

/// Preferences that are kept between runs of the app.
struct Appearance {
    bool dark = true;
    float scale = 1.0F;  ///< the user's own factor, on top of the display's; 0.5 .. 4
    float left_width = 272, right_width = 264, lesson_width = 376;  ///< in units of 1 px at scale 1
    float live_share = 0.29F;           ///< height of the live panel, as a share of the room between the bars
    float step_source_width = 0.5F;     ///< of the Step view's side, which has its source on the left of its arrays
    float step_source_height = 0.4F;    ///< where it is narrow: the source stands above them
    float kernel_source_width = 0.6F;   ///< of the Kernel view
    float kernel_source_height = 0.7F;  ///< the rest is the warp's steps
    bool left_open = true, right_open = true, live_open = true;
    bool operator==(const Appearance&) const = default;
};

/// A message that goes away by itself or on a click.
struct Notice {
    std::string text;
    bool problem = false;
    double age_s = 0;
    std::size_t number = 0;  ///< in the order in which they came
};

/// By a key, a button, the palette or a lesson; the view that it is for takes it when it is drawn next: in the same
/// frame where a key came before the panels are drawn.
struct Requests {
    std::optional<LayerMove> layer;
    std::optional<StepMove> step;
    std::optional<LineMove> line;
    std::optional<PlayMove> play;  ///< on a page of the Layout view
    std::optional<SweepMove> sweep;
    bool sweep_in_compare = false;  ///< the Compare view opens with the sweep's rows
    bool clear_rows = false;        ///< nothing stays brushed in Compare or Sweep
    std::string recorded;           ///< a recorded session to open in the Compare view
    std::string file;               ///< a file to open, as one that is dropped on the window
    bool run_model = false;         ///< the model is run again
    bool stop_model = false;
};

/// The line of a kernel's source that keys and menus of the Step view act on.
struct ChosenLine {
    std::size_t side = 0;        ///< whose source it is in
    std::optional<CodeLine> at;  ///< by a click or the arrows; unset: the line that runs now
};

/// The kept state, the requests, and the state of this run of the app alone.
struct Session : SessionState {
    Requests requested;
    WorkloadSpec good;                ///< the last workload that can be: what is on screen or being built
    std::string rejection;            ///< why choices.workload cannot be; empty when it can
    bool needs_consent = false;       ///< it can be, and takes much: the rejection is a question
    std::optional<ConvShape> agreed;  ///< the shape that was agreed to last, however much it takes
    bool plays_steps = false, plays_solution = false;
    MultiplicationChoice multiplication;
    ChosenLine line;
    std::optional<std::size_t> scene;           ///< that was shown last, as a place in 'scenes'
    std::optional<LitTerm> lit;                 ///< the formula's term that the pointer is on, in this frame
    SweepState sweep_state = SweepState::idle;  ///< of the sweep's run
    std::uint64_t kernel_runs = 0;              ///< grows when the open kernel is to be run once more
    std::set<std::string> trusted_kernels;  ///< files that the user has opened or agreed to; no session's, and not kept
    /// Files with a main() that the user has agreed to run, with their arguments; likewise.
    std::set<std::pair<std::string, std::string>> trusted_programs;
    OpenKernel open_kernel;        ///< the same kernel as a method
    OpenModel model;               ///< that network.model names
    bool exercise_solved = false;  ///< by the kernel on screen, as the Kernel view last saw it
    LessonChoice lesson;
    std::optional<ElementRef> hovered;  ///< the element under the pointer
    Appearance appearance;
    std::string csv_path = "convscope.csv", png_path = "convscope.png";
    std::vector<Notice> notices;
    std::size_t notices_so_far = 0;
    DesktopState desktop_state;
};

/// The first screen: the worked example of Xu's Fig. 4, on the best device there is.
Session make_session(const Registry&);
/// The network of the presets that is chosen first; empty: there is none.
std::string first_network();

// Commands. Each leaves a consistent session, whatever it is given.
void set_workload(Session&, const WorkloadSpec&);  ///< a preset, an undo: replaces the fields as a whole
void edit_workload(Session&);        ///< after a field of choices.workload changed: checks, clamps the selection
void reject(Session&, std::string);  ///< errors that only the builder finds: too large for memory, a bad file
void agree(Session&);                ///< to the layer that needs_consent
void choose_device(Session&, const Registry&, const std::string& id);
void choose_method(Session&, const std::string& id);
void compare_steps_with(Session&, const std::string& id);  ///< a second kernel in the Step view; empty: none
void step_through_slice(Session&, bool);                   ///< of the layer, or through the whole of it again
/// Compiles a kernel that the user chooses. One that a session, an autosave or an undo has put into session.kernel is
/// not compiled until the user trusts it.
void open_kernel_file(Session&, const std::string& path);
void trust_kernel(Session&);
bool may_compile(const Session&);
/// A whole program runs with the user's rights: only what the user has dropped on the window or asked to run does, with
/// the arguments that it has now.
void trust_program(Session&);
bool may_run_program(const Session&);
std::string untrusted_kernel(const std::string& file);  ///< why it is not compiled, as a sentence
void restore(Session&, const Choices&);
/// The kept state of a session; while its workload is rejected, with the last one that can be.
SessionState state_of(const Session&);
/// Puts a state into a session. The appearance, notices, open dialogs and what runs stay.
void put_state(Session&, const SessionState&);
void notify(Session&, std::string text, bool problem = false);
/// The surface of a window: its size in pixels, and the factor that the display asks for.
struct Screen {
    float width, height, scale;
};
/// The factor of sizes and letters: the display's and the user's own. In front of an audience it follows the window's
/// size alone, so that as much is shown, and as legible, on every screen.
float ui_scale(const Session&, const Screen&);
/// The view is shown as a slide: without controls. A lesson in front of an audience keeps them, for its tasks.
bool shows_slide(const Session&);
/// The panels as on the first day: open, of their first sizes, no view maximised.
void reset_arrangement(Session&);
/// Whether anything is open above the panels: an overlay, or the file dialog.
bool overlay_open(const Session&);
/// Whether a field of a layer that cannot be is to blame: with its last good value alone the layer could be. Where no
/// field is by itself, all that differ from the last layer that can be are.
bool is_rejected(const Session&, std::int64_t ConvShape::*field);

/// To the nearest map and filter that the layer has.
void clamp_selection(Session&);

inline std::optional<ElementRef>& pinned(Session& session) {
    return session.pinned[session.tab.index()];
}

DeviceKind device_kind(const Session&, const Registry&);
/// The limits that occupancy is computed with: the chosen model, else the device's own, else an H100's.
const DeviceModel& occupancy_model(const Session&, const Registry&);
/// The limits of the device itself, which decide whether a launch is rejected. As occupancy_model off the GPU.
const DeviceModel& launch_model(const Session&, const Registry&);
/// The launch configuration chosen for a method; default-constructed when none was.
LaunchConfig launch_of(const Session&, const std::string& method);
/// The network that is chosen; null when the presets hold none, or while a model that is chosen has not run.
const Network* chosen_network(const Session&);
/// The methods of the device that are ticked for networks.
std::vector<std::string> chosen_network_methods(const Session&, const Registry&);
void toggle_network_method(Session&, const Registry&, const std::string& id);
/// chosen_network() at the batch that the Network view has; empty where there is none.
Network batched_network(const Session&);
NetworkJob make_network_job(const Session&, const Registry&);
/// A live measurement of the ticked methods, each with its launch configuration.
MeasureJob make_job(const Session&, const Registry&);

}  // namespace convscope::app
