#include "app/ui/shell/shell.h"

#include <imgui.h>
#include <imgui_internal.h>

#include <cfloat>
#include <utility>

#include "app/ui/dialogs/drawn_figures.h"
#include "app/ui/input/focus.h"
#include "app/ui/input/item_registry.h"
#include "app/ui/input/keys.h"
#include "app/ui/widgets/byte_units.h"
#include "app/ui/widgets/widgets.h"
#include "visualizers/style/control_hook.h"
#include "visualizers/style/tooltip.h"

namespace convscope::app {
namespace {

constexpr int settle_ms = 6;  ///< small layers are built in less: the field and the picture change in one frame

/// Sets the preferences where they are used.
void follow_preferences(Session& session) {
    use_binary_bytes(session.desktop_state.preferences.binary_bytes);
}

/// For one frame: nothing is pointed at.
class PointerAway {
public:
    explicit PointerAway(bool away) : away_(away), at_(ImGui::GetIO().MousePos) {
        if (!away_) return;
        ImGui::GetIO().MousePos = {-FLT_MAX, -FLT_MAX};
        ImGui::GetCurrentContext()->HoveredWindow = nullptr;
    }
    ~PointerAway() {
        if (away_) ImGui::GetIO().MousePos = at_;
    }
    PointerAway(const PointerAway&) = delete;
    PointerAway& operator=(const PointerAway&) = delete;

private:
    const bool away_;
    const ImVec2 at_;
};

}  // namespace

Shell::Shell(Registry& registry, std::function<void()> wake)
    : registry_(registry),
      session_(make_session(registry)),
      builder_(wake),
      model_(wake),
      live_(registry),
      dialogs_(wake),
      sessions_(session_, registry, dialogs_),
      layouts_(wake),
      step_(wake),
      compare_(wake),
      sweep_(registry, live_.gate(), wake),
      kernel_(wake) {
    control_hook = [](const char* name, const char* meaning, const Control& control) {
        register_item(name, control);
        focus_order().explain(meaning);
    };
}

void Shell::frame(const Fonts& fonts, float scale, double frame_ms) {
    const PointerAway away(draws_for_a_file());
    follow_preferences(session_);
    const Theme& colours = theme();
    apply_theme(colours, scale, ImGui::GetStyle());
    const DesktopState& state = session_.desktop_state;
    look() = {{&colours, fonts.text, fonts.mono, scale, fonts.small, fonts.mono_small, fonts.mono_large,
               state.preferences.notation, fonts.script, state.presenting, state.presenting && state.spotlight},
              &fonts};
    const ViewStyle& style = look();

    if (ReaderReport::active)
        array_hook = [](const std::string& title, const std::string& values) {
            ReaderReport::active->array(title, values);
        };
    else
        array_hook = nullptr;
    begin_figures();
    live_.update(session_);
    if (const std::string file = std::exchange(session_.requested.file, {}); !file.empty()) drop({file});
    model_.update(session_);
    snapshot_ = builder_.latest();
    Frame frame{session_,    registry_, live_,    builder_, history_,
                navigation_, sessions_, dialogs_, views_,   snapshot_.get()};
    Selection& selection = session_.choices.selection;
    if (frame.shows_chosen_layer() && snapshot_->selection == selection)
        selection = snapshot_->selection;  // an automatic one is known now
    begin_tooltips();
    wheel_rests_s_ += ImGui::GetIO().DeltaTime;
    history_.observe(session_, in_a_gesture());  // before an event of this frame becomes part of the change before
    navigation_.observe(session_);
    if (any_input()) history_.note_input();
    if (ImGui::GetIO().MouseWheel != 0) wheel_rests_s_ = 0;
    focus_order().begin_frame();
    // The ring is drawn round every kind of control, not only round those that ImGui knows how to mark.
    if (!focus_order().name().empty()) ImGui::GetStyle().Colors[ImGuiCol_NavHighlight].w = 0;
    session_.desktop_state.dialog_open = dialogs_.builtin_open();
    if (!lead_first_tour(frame)) handle_keys(frame, history_);
    keep_panels_as_they_were();
    note_typing(ImGui::GetIO().WantTextInput);
    if (!session_.desktop_state.focus_requested.empty())
        focus_order().go_to(std::exchange(session_.desktop_state.focus_requested, std::string()));
    guide_.update(frame, step_);
    sweep_.set_available_rows(compare_.data());
    sweep_.update(frame);
    kernel_.update(session_);
    compare_.also_measured({sweep_.measured(), kernel_.measured()});
    if (std::exchange(session_.requested.sweep_in_compare, false)) open_sweep_in_compare();
    if (session_.view != "layout") session_.multiplication = {};
    layouts_.begin_frame(!session_.desktop_state.reduced_motion());
    panels(frame, style, frame_ms);
    row_link_.update(session_, compare_, sweep_);
    dim_behind_overlays();
    if (session_.desktop_state.copy == CopyRequest::text) copy_text(frame);
    if (session_.desktop_state.copy == CopyRequest::picture) {
        export_.take(frame, pointed_figure(), PictureRequest::copy);
        session_.desktop_state.copy.reset();
    }
    for (const DrawnFigure& figure : drawn_figures()) export_.take(frame, &figure, figure.request);
    export_.draw(frame);
    dialogs_.draw(session_);
    overlays_.draw(frame, history_, regions_);
    focus_order().end_frame(overlay_open(session_), colours.accent.u32(), scale);

    device_loss_.update(session_, registry_, live_, layouts_.take_failure());
    history_.observe(session_, in_a_gesture());
    sessions_.update(in_a_gesture(), guide_.own());
    clamp_selection(session_);
    if (session_.rejection.empty()) builder_.request(session_.good, session_.choices.selection);
    builder_.settle(settle_ms);
    if (std::string error = builder_.take_error(); !error.empty()) {
        reject(session_, std::move(error));
        if (snapshot_) session_.good = snapshot_->workload->spec;
    }
}

/// A slide has other windows, and its keys are the view's: after it, everything is where it was.
void Shell::keep_panels_as_they_were() {
    constexpr int frames = 4;  // the type's size follows a frame later, and what is in a window one more
    const bool presenting = session_.desktop_state.presenting;
    const ImVector<ImGuiWindow*>& windows = ImGui::GetCurrentContext()->Windows;
    if (presenting && !before_slide_) {
        before_slide_ = BeforeSlide{{}, focus_order().name(), frames};
        for (const ImGuiWindow* window : windows) before_slide_->scroll.emplace_back(window->ID, window->Scroll);
        focus_order().clear_focus();
    }
    if (presenting || !before_slide_) return;
    for (ImGuiWindow* window : windows)
        for (const auto& [id, scroll] : before_slide_->scroll)
            if (id == window->ID) {
                ImGui::SetScrollX(window, scroll.x);
                ImGui::SetScrollY(window, scroll.y);
            }
    if (--before_slide_->frames_left > 0) return;
    if (!before_slide_->focus.empty()) focus_order().go_to(before_slide_->focus);
    before_slide_.reset();
}

/// Whether what changes now goes on changing: all of it is one step of undo.
bool Shell::in_a_gesture() const {
    constexpr float rest_s = 0.4F;
    bool arrow = false;
    for (const Key key : {Key::up, Key::down, Key::left, Key::right}) arrow = arrow || held(key);
    return ImGui::IsAnyItemActive() || arrow || wheel_rests_s_ < rest_s || session_.plays_steps ||
           (session_.view == "layout" && session_.tab == "solutions" && session_.plays_solution);
}

bool Shell::busy() const {
    const bool notices = !session_.notices.empty() && !session_.desktop_state.presenting;  // there they wait
    return live_.wanted() || live_.running() || builder_.busy() || notices || requested_image_ ||
           guide_.busy(session_) || guide_.watches_a_file() || view().busy(session_) || sweep_.measures() ||
           (before_slide_ && !session_.desktop_state.presenting) || tooltip_pending();
}

}  // namespace convscope::app
