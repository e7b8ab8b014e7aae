// The small parts that every panel is put together from, so that they look the same everywhere. Sizes are in
// units of one pixel at scale 1; px() makes them pixels.
#pragma once

#include <imgui.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "app/ui/widgets/fonts.h"
#include "visualizers/explain/notation.h"
#include "visualizers/style/control_hook.h"
#include "visualizers/style/view_style.h"

namespace convscope::app {

/// The style of the present frame, which the shell sets: the one that views are handed, with the widgets' fonts.
struct Look : ViewStyle {
    const Fonts* fonts = nullptr;
};
Look& look();
inline float px(float units) {
    return units * look().scale;
}

/// Begins a window of the app's own, at the place that was set, which ImGui::End() ends. It never takes the keyboard by
/// appearing: who types in a field goes on typing. Every window does but what a user opens above the panels.
void begin_panel(const char* name, ImGuiWindowFlags more_flags = 0);

/// Pushes a font for a scope.
class WithFont {
public:
    explicit WithFont(ImFont* font) { ImGui::PushFont(font); }
    ~WithFont() { ImGui::PopFont(); }
    WithFont(const WithFont&) = delete;
    WithFont& operator=(const WithFont&) = delete;
};

/// Dims this rectangle of the present window, and keeps the pointer from it.
void shade(const char* id, ImVec2 at, ImVec2 size);
/// The heading of a section: small, letter-spaced capitals, with room above.
void heading(const char* text);
/// One hairline across the present region.
void hairline();
/// Text on one line, cut with an ellipsis where it would leave 'width'.
void clipped_text(const char* text, float width, ImU32 colour);
/// The text, or as much of its beginning as is at most 'width' px wide in the present font, and "...".
std::string shortened(const std::string& text, float width);
/// The text in lines of at most 'width' px in the present font, broken between words only.
/// Lines beyond 'max_lines' are left out, which three dots say.
std::string in_lines(const std::string& text, float width, std::size_t max_lines = static_cast<std::size_t>(-1));
/// Text that wraps between words only: never within a number, as ImGui does at its point.
void paragraph(const std::string& text, ImU32 colour);
/// Text that wraps, in the muted colour.
void note(const std::string& text);
/// Text that wraps, in the colour of problems.
void problem(const std::string& text);
/// A name on the left, a number in tabular figures on the right, or words below it where they are long, and what it
/// means on hover.
void fact(const char* name, const std::string& value, const char* meaning = nullptr);
/// Shown when the pointer rests on the last widget; wraps.
void tip(const std::string& text);

struct NumberField {
    const char* item_name;  ///< "workload/h": also its id
    const char* label;      ///< drawn before it, dim
    const char* meaning;    ///< on hover
    std::int64_t least, most;
    bool rejected = false;
    bool enabled = true;
    float label_width = 20;
    bool open = false;  ///< what is typed may be beyond the limits: whoever takes it says why it cannot be
};
/// An integer that can be typed (click), dragged, wheeled, and stepped with the arrow keys while it is pointed at. A
/// typed number is taken when typing ends. Beyond the limits it is red, with the limits next to it, and the nearest
/// limit is taken. True when it changed.
bool number_field(const NumberField&, std::int64_t& value, float width);

/// As ImGui::BeginCombo, with what is shown cut by an ellipsis where the field is too narrow. 'name': what it is
/// called, where what it is for says too much.
bool begin_list(const char* id, const char* item_name, const char* name, const std::string& shown, float width,
                ImGuiComboFlags flags);
/// A drop-down list of strings. Returns the index picked, or -1. 'why_not', by item: items with a reason are grey, show
/// it next to them, and can be picked all the same.
int choice(const char* item_name, const std::string& shown, const std::vector<std::string>& items, float width,
           const std::vector<std::string>* why_not = nullptr);
/// A flat button; 'accent' for the one that matters most. 'name': for those who do not see what stands next to it; else
/// the label.
bool button(const char* item_name, const char* label, bool accent = false, bool enabled = true,
            std::string_view name = {});
/// One of several values that stand side by side: the chosen one is raised.
bool segment(const char* item_name, const char* label, bool chosen, bool enabled = true);
/// 'name' as of a button.
bool check_box(const char* item_name, const char* label, bool& value, std::string_view name = {});
/// Makes the item that was just drawn a button.
bool press_here(const char* item_name, const Control&);
/// Names in a row, on as many lines as they need; those from 'first' on, 'count' of them, are underlined. Each is
/// logged as "PREFIX NAME". Returns the one that was clicked, or -1.
int text_tabs(const char* prefix, const std::vector<std::string>& names, std::size_t first, std::size_t count = 1);
/// A filled square in a method's colour, in the line of the text.
void swatch(ImU32 colour);

}  // namespace convscope::app
