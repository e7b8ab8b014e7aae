// Where the panels are: their places, what is in them, the edges between them.
#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "app/lessons/player.h"
#include "app/ui/input/reader_report.h"
#include "app/ui/sessions/recovery_bar.h"
#include "app/ui/shell/shell.h"
#include "app/ui/widgets/split_edge.h"
#include "app/ui/widgets/text_capture.h"
#include "app/ui/widgets/widgets.h"
#include "visualizers/explain/math_text.h"
#include "visualizers/style/control_hook.h"

namespace convscope::app {
namespace {

constexpr float toolbar_height = 48, status_height = 28, folded_width = 20, live_line = 34;
constexpr float note_height = 36;
constexpr double busy_delay_s = 0.15;  ///< building that takes longer shows that it is under way
constexpr float min_centre = 440;      ///< narrower views are not legible
constexpr float min_beside_lesson = 320, presented_lesson = 304, presented_layer = 240;
constexpr float read_lesson = 640;  ///< of a lesson alone: longer lines are hard to read
constexpr float scene_height = 22;
constexpr float min_with_lesson = 660;  ///< of the height, for the line of the live timing

}  // namespace

void Shell::begin_panel(const char* name, const Box& box, float padding_x, float padding_y) {
    ImGui::SetNextWindowPos({box.x, box.y});
    ImGui::SetNextWindowSize({std::max(1.0F, box.w), std::max(1.0F, box.h)});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {px(padding_x), px(padding_y)});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowMinSize, {1, 1});
    app::begin_panel(name, ImGuiWindowFlags_NoBringToFrontOnFocus | ImGuiWindowFlags_NoBackground);
    ImGui::PopStyleVar(2);
}

void Shell::end_panel() {
    ImGui::End();
}

/// Where the views would be left with too little, the inspector folds away, then the panels on the left; these too
/// where a view does not use them.
void Shell::collapse_panels(float width) {
    Appearance& appearance = session_.appearance;
    // A lesson is to be read: it stays, and the panels on the left fold first.
    const bool lesson = guide_.player() != nullptr;
    const float both = appearance.left_width + right_width() + min_centre;
    right_collapse_.update(width < px(lesson ? right_width() + min_beside_lesson : both), appearance.right_open);
    const bool no_room = width < px(lesson ? both : appearance.left_width + view().min_width());
    left_collapse_.update(no_room || !view().uses_layer(), appearance.left_open);
}

/// The width of the column on the right, which is wider while it holds a lesson to read.
float Shell::right_width() const {
    return guide_.player() ? session_.appearance.lesson_width : session_.appearance.right_width;
}

void Shell::panels(Frame& frame, const ViewStyle& style, double frame_ms) {
    session_.lit.reset();  // the cards light it again, before the layouts are drawn
    const ImVec2 display = ImGui::GetIO().DisplaySize;
    if (session_.desktop_state.presenting) return present(frame, style, {0, 0, display.x, display.y});
    Appearance& look_of = session_.appearance;
    collapse_panels(display.x);
    const float bar = std::round(px(toolbar_height)), bottom = std::round(px(status_height));
    const float top = bar + recovery_bar_height(sessions_);
    const bool alone = session_.desktop_state.maximised;  // the view
    const float left = alone ? 0 : std::round(px(look_of.left_open ? look_of.left_width : folded_width));
    const float right = alone ? 0 : std::round(px(look_of.right_open ? right_width() : folded_width));
    const float middle = std::max(1.0F, display.y - top - bottom);
    const float width = display.x - left - right;
    // A lesson in a low window: its arrays have the room until something is measured.
    const bool short_of_room = guide_.player() && display.y < px(min_with_lesson) && !LivePanel::filled(frame);
    const bool has_live = view().has_live_panel() && !alone && !short_of_room;
    // One line until there are results to show.
    const bool live_open = look_of.live_open && LivePanel::filled(frame);
    const float live = !has_live ? 0 : std::round(live_open ? middle * look_of.live_share : px(live_line));
    const float line = 1;
    // Notices stand below the view and the live timing, which leave them their room.
    const float notices = std::max(0.0F, overlays_.notices().height() - bottom);
    edges({left, top, width, middle}, has_live && live_open ? live : 0, notices);
    const float end = top + middle - notices;
    regions_ = {{{0, 0}, {display.x, bar}},
                {{0, top}, {left, top + middle}},
                {{left, top}, {left + width, end - live}},
                {{left, end - live}, {left + width, end}},
                {{left + width, top}, {display.x, top + middle}},
                {{0, display.y - bottom}, display}};

    begin_panel("toolbar", {0, 0, display.x, bar - line}, 16, 9);
    toolbar_.draw(frame);
    end_panel();
    draw_recovery_bar(frame, bar);
    if (!alone) side_panels(frame, top, middle - line, left, right);
    centre(frame, style, {left + line, top, width - 2 * line, middle - line - notices}, live);
    begin_panel("status", {0, display.y - bottom, display.x, bottom}, 16, 6);
    status_.draw(frame, layouts_.traffic(), frame_ms);
    end_panel();
}

/// A slide: the view alone, or next to it the lesson that is given, and on the left what its tasks are done with; in
/// the view of lessons the open one alone.
void Shell::present(Frame& frame, const ViewStyle& style, const Box& box) {
    const lessons::Player* const lesson = guide_.player();
    const bool read = lesson && session_.view == "lessons";
    const float column = read     ? std::min(box.w, std::round(px(read_lesson)))
                         : lesson ? std::round(px(presented_lesson))
                                  : 0;
    const bool to_do = lesson && lesson->has_tasks() && view().uses_layer();
    session_.desktop_state.panels_open = to_do;
    const float left = to_do ? std::round(px(presented_layer)) : 0;
    const float line = session_.scenes.empty() || !session_.scene ? 0 : std::round(px(scene_height));
    const float note = building_height();
    const Box of_view{box.x + left, box.y, box.w - column - left, box.h - line - note};
    regions_ = {};
    regions_.view = {{of_view.x, of_view.y}, {of_view.x + of_view.w, of_view.y + of_view.h}};
    if (!read) {
        const bool timing = view().has_live_panel() && session_.desktop_state.timing_alone;
        begin_panel(timing ? "timing slide" : session_.view->id, of_view, column > 0 ? 12 : 24, 12);
        if (timing)
            live_panel_.draw_slide(frame, style);
        else
            view().draw(frame, style);
        picture_menu(frame, view().shows_layer() && !timing);
        end_panel();
        if (note > 0) building({of_view.x, of_view.y + of_view.h, of_view.w, note});
        if (line > 0) scene_line(frame, {box.x, box.y + box.h - line, box.w, line});
    }
    if (column == 0) return;
    const auto edge = [&](float x) {
        ImGui::GetBackgroundDrawList()->AddRectFilled({x - 1, box.y}, {x, box.y + box.h}, look().theme->hairline.u32());
    };
    if (to_do) {
        edge(box.x + left);
        begin_panel("left", {box.x, box.y, left, box.h}, 16, 8);
        layer_fields(frame);
        end_panel();
    }
    const float x = read ? box.x + std::round((box.w - column) / 2) : box.x + box.w - column;
    if (!read) edge(x);
    begin_panel("right", {x, box.y, column, box.h}, 16, 8);
    if (ReaderReport::active) ReaderReport::active->name_panel("Lesson");
    inspect(frame);
    end_panel();
}

/// Where in the talk this is, while the scene's view is shown; and the scene's title where it is the user's own and of
/// what is on screen.
void Shell::scene_line(const Frame& frame, const Box& box) {
    begin_panel("scene", box, 24, 0);
    ImGui::PushFont(look().fonts->small);
    const std::size_t index = std::min(*session_.scene, session_.scenes.size() - 1);
    const SavedScene& scene = session_.scenes.all()[index];
    const std::string place =
        scene.state.view == session_.view ? fmt::format("{} / {}", index + 1, session_.scenes.size()) : "";
    const float right = ImGui::GetContentRegionMax().x - ImGui::CalcTextSize(place.c_str()).x;
    if (is_as_kept(session_) && scene.title != plain_words(view().lead(frame).text())) {
        clipped_text(scene.title.c_str(), right - ImGui::GetCursorPosX() - px(16), look().theme->text_dim.u32());
        register_rect("scene/title");
        ImGui::SameLine();
    }
    ImGui::SetCursorPosX(right);
    if (!place.empty()) {
        ImGui::TextDisabled("%s", place.c_str());
        register_rect("scene/place");
        announce("scene/place", place);
    }
    ImGui::PopFont();
    end_panel();
}

/// The height of the line that says that the layer is being built; 0 where it says nothing.
float Shell::building_height() const {
    const bool late = view().shows_layer() && (session_.needs_consent || builder_.busy_seconds() >= busy_delay_s);
    return late ? std::round(px(note_height)) : 0;
}

/// The present view: the layouts share the centre with the live timing, every other view fills it.
void Shell::centre(Frame& frame, const ViewStyle& style, const Box& box, float live) {
    const bool waits = view().shows_layer() && session_.needs_consent;
    const float note = building_height();
    if (note > 0) building({box.x, box.y + box.h - live - note, box.w, note});
    const char* id = session_.view->id;
    begin_panel(id, {box.x, box.y, box.w, box.h - live - note}, 16, 8);
    view().draw(frame, style);
    picture_menu(frame, view().shows_layer());
    if (waits) shade("layer/shade", {box.x, box.y}, {box.w, box.h - live - note});
    end_panel();
    if (live > 0) live_timing(frame, style, {box.x, box.y + box.h - live + 1, box.w, live - 1});
}

/// Below the view, which it covers nothing of: that its layer is not there yet.
void Shell::building(const Box& box) {
    begin_panel("building", box, 16, 2);
    ImGui::AlignTextToFramePadding();
    const char* const before = snapshot_ ? "; what is shown is of the layer before" : "";
    if (session_.needs_consent) {
        ImGui::TextDisabled("This layer waits to be built%s", before);
        ImGui::SameLine();
        if (button("builder/agree", "Build it", true)) agree(session_);
    } else {
        ImGui::TextDisabled("Building the layer, %.1f s%s", builder_.busy_seconds(), before);
        ImGui::SameLine();
        if (button("builder/cancel", "Cancel")) builder_.cancel();
    }
    end_panel();
}

/// The live timing below the layouts, or the strip that is left of it when it is folded.
void Shell::live_timing(Frame& frame, const ViewStyle& style, const Box& box) {
    bool& open = session_.appearance.live_open;
    const bool filled = LivePanel::filled(frame);
    begin_panel("live", box, 16, open && filled ? 8 : 6);
    if (open && filled) {
        live_panel_.draw(frame, style);
    } else if (open) {
        live_panel_.draw_line(frame);
    } else {
        ImGui::PushStyleColor(ImGuiCol_Button, 0);
        ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {0, 0});
        WithFont font(look().fonts->small);
        if (button("fold live", "LIVE TIMING  ›")) open = true;
        ImGui::PopStyleVar();
        ImGui::PopStyleColor();
        tip("Unfold the live timing (F8)");
    }
    end_panel();
}

/// The column on the right: the open lesson, or else the present view's inspector.
void Shell::inspect(Frame& frame) {
    // A lesson takes the column; of what is pointed at it keeps the sentence.
    if (guide_.player()) {
        const bool pointed = session_.view == "layout" && layouts_.result().pointed;
        return lesson_column_.draw(frame, guide_, pointed ? layouts_.result().links.sentence : std::string());
    }
    view().inspect(frame);
}

/// The hairlines between the panels, and those that are dragged. 'live' is 0 where there is no live timing; 'below' it
/// are notices.
void Shell::edges(const Box& centre, float live, float below) {
    const ImVec2 display = ImGui::GetIO().DisplaySize;
    const float right = centre.x + centre.w, bottom = centre.y + centre.h, split = bottom - below - live;
    ImDrawList& draw = *ImGui::GetBackgroundDrawList();
    const ImU32 colour = look().theme->hairline.u32();
    draw.AddRectFilled({0, centre.y - 1}, {display.x, centre.y}, colour);
    draw.AddRectFilled({0, bottom - 1}, {display.x, bottom}, colour);
    draw.AddRectFilled({centre.x, centre.y}, {centre.x + 1, bottom}, colour);
    draw.AddRectFilled({right - 1, centre.y}, {right, bottom}, colour);
    if (live > 0) draw.AddRectFilled({centre.x, split - 1}, {right, split}, colour);

    // Windows that never come to the front are drawn in order, the first on top: these come before the panels.
    Appearance& appearance = session_.appearance;
    const float half = px(3);
    if (live > 0) {
        float live_units = live / look().scale;
        splitter("live splitter", {centre.x, split - half, centre.w, 2 * half}, false, live_units, -1, 96, 4096);
        if (live_units != live / look().scale)
            appearance.live_share = std::clamp(live_units * look().scale / centre.h, 0.15F, 0.6F);
    }
    if (appearance.left_open)
        splitter("left splitter", {centre.x - half, centre.y, 2 * half, centre.h}, true, appearance.left_width, 1, 240,
                 480);
    if (appearance.right_open)
        splitter("right splitter", {right - half, centre.y, 2 * half, centre.h}, true,
                 guide_.player() ? appearance.lesson_width : appearance.right_width, -1, guide_.player() ? 300 : 200,
                 guide_.player() ? 560 : 480);
}

/// The fields of the layer and of the launch.
void Shell::layer_fields(Frame& frame) {
    workload_.draw(frame);
    if (!view().uses_launch()) return;
    ImGui::Dummy({0, px(2)});
    hairline();
    launch_.draw(frame);
}

void Shell::side_panels(Frame& frame, float top, float height, float left, float right) {
    Appearance& appearance = session_.appearance;
    const float width = ImGui::GetIO().DisplaySize.x;
    auto fold_button = [](const char* name, const char* arrow, bool& open) {
        ImGui::PushStyleColor(ImGuiCol_Button, 0);
        ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {px(4), 0});
        if (button(name, arrow)) open = !open;
        ImGui::PopStyleVar();
        ImGui::PopStyleColor();
        tip(open ? "Fold this panel away" : "Unfold this panel");
    };
    begin_panel("left", {0, top, left, height}, appearance.left_open ? 16 : 0, 8);
    if (appearance.left_open) {
        layer_fields(frame);
        ImGui::SetCursorPos({left - px(32), px(14)});
    }
    fold_button("fold left", appearance.left_open ? "‹" : "›", appearance.left_open);
    end_panel();
    begin_panel("right", {width - right, top, right, height}, appearance.right_open ? 16 : 0, 8);
    if (ReaderReport::active) ReaderReport::active->name_panel(guide_.player() ? "Lesson" : "Inspector");
    if (appearance.right_open) {
        inspect(frame);
        picture_menu(frame, false);
        ImGui::SetCursorPos({right - px(32), px(14)});
    }
    fold_button("fold right", appearance.right_open ? "›" : "‹", appearance.right_open);
    end_panel();
}

/// Dims the panels behind an open overlay; a click there closes the overlay.
void Shell::dim_behind_overlays() {
    if (!overlay_open(session_)) return;
    const ImVec2 display = ImGui::GetIO().DisplaySize;
    ImGui::SetNextWindowPos({0, 0});
    ImGui::SetNextWindowSize(display);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
    ImGui::Begin("dim", nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                     ImGuiWindowFlags_NoBackground);
    ImGui::PopStyleVar();
    ImGui::GetWindowDrawList()->AddRectFilled({0, 0}, display, IM_COL32(0, 0, 0, 96));
    if (ImGui::InvisibleButton("outside", display)) {
        session_.desktop_state.overlay = Overlay::none;
        dialogs_.cancel();
    }
    ImGui::End();
}

/// An edge that is dragged. 'size' grows with the pointer times 'sign'.
void Shell::splitter(const char* name, const Box& box, bool vertical, float& size, float sign, float least,
                     float most) {
    begin_panel(name, box, 0, 0);
    split_edge(name, {box.x, box.y}, {box.w, box.h}, vertical, size, {sign, least, most});
    end_panel();
}

}  // namespace convscope::app
