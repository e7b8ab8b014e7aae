#include "visualizers/style/tooltip.h"

#include <imgui_internal.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace convscope {
namespace {

constexpr float text_width = 320, gap = 6, near_click = 4;  ///< at scale 1
constexpr int max_lines = 3;                                ///< of what explains a control

/// The item under a resting pointer, and since when.
struct Rest {
    ImRect box;
    double since = 0;
    int frame = -2;
};

Rest& rest() {
    static Rest present;
    return present;
}

/// An area without tooltips, since the pointer has been used there.
struct Hush {
    bool on = false;
    ImRect box;
};
Hush& hush() {
    static Hush present;
    return present;
}

/// Areas that tooltips must not cover, of the frame before and of this one so far.
struct KeptOff {
    struct Part {
        ImRect box;
        const ImGuiWindow* in;
    };
    std::vector<Part> before, now;
    int frame = -1;
};
KeptOff& kept_off() {
    static KeptOff present;
    if (const int frame = ImGui::GetFrameCount(); present.frame != frame) {
        present.before = std::exchange(present.now, {});
        present.frame = frame;
    }
    return present;
}

/// Panels lie side by side; all other windows lie over them.
bool lies_over(const ImGuiWindow* window) {
    return (window->Flags & ImGuiWindowFlags_NoBringToFrontOnFocus) == 0;
}

/// Whether words here would cover the control itself, or what is looked at next to it.
bool covers(const ImRect& words, const ImRect& control) {
    if (words.Overlaps(control)) return true;
    const ImGuiWindow* const root = ImGui::GetCurrentWindow()->RootWindow;
    ImRect own = control;
    own.Expand(1);
    return std::ranges::any_of(kept_off().before, [&](const KeptOff::Part& part) {
        const bool beside = lies_over(root) ? part.in == root : !lies_over(part.in);
        return beside && part.box.Overlaps(words) && !own.Contains(part.box);
    });
}

/// A bar along the screen has no room next to its controls: what stands across it is covered before words go far away.
bool is_bar(const ImGuiWindow* window) {
    return window->Rect().GetHeight() < ImGui::GetIO().DisplaySize.y / 6;
}

ImVec2 on_screen(ImVec2 at, ImVec2 size) {
    const ImVec2 display = ImGui::GetIO().DisplaySize;
    return {std::clamp(at.x, 0.0f, std::max(0.0f, display.x - size.x)),
            std::clamp(at.y, 0.0f, std::max(0.0f, display.y - size.y))};
}

ImVec2 below_or_above(const ImRect& box, ImVec2 size, float space) {
    const float below = box.Max.y + space;
    const bool fits = below + size.y <= ImGui::GetIO().DisplaySize.y;
    return on_screen({box.Min.x, fits ? below : box.Min.y - space - size.y}, size);
}

/// A position next to 'box' where a text of this size covers nothing.
ImVec2 place_of(const ImRect& box, ImVec2 size, float space) {
    const ImVec2 display = ImGui::GetIO().DisplaySize;
    const ImRect panel = ImGui::GetCurrentWindow()->RootWindow->Rect();
    const ImGuiTable* const table = ImGui::GetCurrentContext()->CurrentTable;
    for (const ImRect& holder : {panel, table ? table->OuterRect : panel}) {
        if (holder.GetWidth() >= display.x / 2) continue;
        const float right = holder.Max.x + space, left = holder.Min.x - space - size.x;
        if (right + size.x <= display.x) return on_screen({right, box.Min.y}, size);
        if (left >= 0) return on_screen({left, box.Min.y}, size);
    }
    if (is_bar(ImGui::GetCurrentWindow()->RootWindow))
        return below_or_above({{box.Min.x, panel.Min.y}, panel.Max}, size, space);
    // In a table as wide as the screen, the next row's numbers stay in sight.
    ImRect rows = box;
    if (table) rows.Expand({0, box.GetHeight()});
    return below_or_above(rows, size, space);
}

/// Text in lines of at most 'width'.
struct Words {
    const std::string& text;
    ImFont* font;
    float width;
    ImVec2 padding = ImGui::GetStyle().WindowPadding;

    ImVec2 size() const {
        const ImVec2 words = font->CalcTextSizeA(font->FontSize, 1e9f, width, text.c_str());
        return {words.x + 2 * padding.x, words.y + 2 * padding.y};
    }
    void show(ImVec2 at) const {
        ImGui::PushFont(font);
        ImGui::SetNextWindowPos(at);
        ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, padding);
        ImGui::BeginTooltip();
        ImGui::PushTextWrapPos(width + padding.x);
        ImGui::TextUnformatted(text.c_str());
        ImGui::PopTextWrapPos();
        ImGui::EndTooltip();
        ImGui::PopStyleVar();
        ImGui::PopFont();
    }
};

/// At the lower edge of the screen, level with the control; next to it where that is at the edge itself.
ImVec2 at_the_edge(const ImRect& control, ImVec2 size, float space) {
    const ImVec2 display = ImGui::GetIO().DisplaySize;
    const ImVec2 at = on_screen({control.Min.x, display.y - size.y}, size);
    if (!ImRect(at, {at.x + size.x, at.y + size.y}).Overlaps(control)) return at;
    const float right = control.Max.x + space;
    return {right + size.x <= display.x ? right : std::max(0.0F, control.Min.x - space - size.x), at.y};
}

void explain(const ImRect& control, const std::string& text, ImFont* font, float scale) {
    const float space = gap * scale;
    const Words words{text, font, text_width * scale};
    const ImVec2 size = words.size();
    if (std::ranges::count(text, '\n') >= max_lines) return words.show(place_of(control, size, space));
    const ImVec2 panel = place_of(control, size, space);
    for (const ImVec2& wanted :
         {panel, ImVec2{control.Min.x, control.Max.y + space}, ImVec2{control.Min.x, control.Min.y - space - size.y},
          ImVec2{control.Max.x - size.x, control.Max.y + space}}) {
        const ImVec2 at = on_screen(wanted, size);
        if (!covers({at, {at.x + size.x, at.y + size.y}}, control)) return words.show(at);
    }
    const ImGuiWindow* const root = ImGui::GetCurrentWindow()->RootWindow;
    if (lies_over(root) || is_bar(root)) return words.show(panel);
    // There is one line's room, and all of the width.
    std::string one_line = text;
    for (std::size_t at = 0; (at = one_line.find('\n', at)) != std::string::npos;) one_line.replace(at, 1, " \u00b7 ");
    const Words wide{one_line, font, ImGui::GetIO().DisplaySize.x * 0.95F, {8 * scale, 4 * scale}};
    wide.show(at_the_edge(control, wide.size(), space));
}

}  // namespace

void tooltip(ImVec2 min, ImVec2 max, const std::string& text, ImFont* font, float scale) {
    Rest& now = rest();
    const int frame = ImGui::GetFrameCount();
    const ImRect box(min, max);
    const bool same = now.box.Min.x == min.x && now.box.Min.y == min.y && now.frame + 1 >= frame;
    if (!same && now.frame == frame) return;  // the first of two that overlap
    if (!same) now.since = ImGui::GetTime();
    now.box = box;
    now.frame = frame;
    if (Hush& hushed = hush(); hushed.on) {
        if (box.Contains(ImGui::GetIO().MousePos)) hushed.box.Add(box);
        now.since = ImGui::GetTime();
        return;
    }
    if (ImGui::GetTime() - now.since < tooltip_after_s) return;
    explain(box, text, font, scale);
}

void tooltip_now(ImVec2 min, ImVec2 max, const std::string& text, ImFont* font, float scale) {
    const Words words{text, font, text_width * scale};
    words.show(place_of({min, max}, words.size(), gap * scale));
}

void read_out(ImVec2 min, ImVec2 max, const std::string& text, ImFont* font, float scale) {
    const Words words{text, font, text_width * scale};
    words.show(below_or_above({min, max}, words.size(), gap * scale));
}

void keep_tooltips_off(ImVec2 min, ImVec2 max) {
    const ImGuiWindow* const window = ImGui::GetCurrentWindow();
    ImRect box(min, max);
    box.ClipWith(window->ClipRect);
    if (box.GetWidth() > 0 && box.GetHeight() > 0) kept_off().now.push_back({box, window->RootWindow});
}

void begin_tooltips() {
    const ImGuiIO& io = ImGui::GetIO();
    Hush& hushed = hush();
    if (hushed.on && !hushed.box.Contains(io.MousePos)) hushed.on = false;
    if (!ImGui::IsMouseClicked(0) && !ImGui::IsMouseClicked(1) && io.MouseWheel == 0) return;
    hushed.on = true;
    hushed.box = {io.MousePos, io.MousePos};
    hushed.box.Expand(near_click);
}

ImVec2 place_of_tooltip(ImVec2 min, ImVec2 max, ImVec2 size, float scale) {
    return place_of({min, max}, size, gap * scale);
}

bool tooltip_pending() {
    const Rest& now = rest();
    return now.frame + 1 >= ImGui::GetFrameCount() && ImGui::GetTime() - now.since < tooltip_after_s;
}

}  // namespace convscope
