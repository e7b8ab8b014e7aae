#include "app/ui/widgets/widgets.h"

#include <imgui_internal.h>

#include <algorithm>
#include <cmath>
#include <sstream>
#include <string>
#include <utility>

#include "app/ui/input/focus.h"
#include "app/ui/input/item_registry.h"
#include "app/ui/input/keys.h"
#include "app/ui/widgets/draw_typed.h"
#include "app/ui/widgets/text_capture.h"
#include "visualizers/style/tooltip.h"
#include "visualizers/theme/legible.h"

namespace convscope::app {
void clipped_text(const char* text, float width, ImU32 colour) {
    ImVec2 at = ImGui::GetCursorScreenPos();
    at.y += ImGui::GetCurrentWindow()->DC.CurrLineTextBaseOffset;  // level with the words before it
    const ImVec2 size = ImGui::CalcTextSize(text);
    const ImVec2 box{std::min(size.x, width), size.y};
    ImGui::Dummy(box);
    ImGui::PushStyleColor(ImGuiCol_Text, colour);
    ImGui::RenderTextEllipsis(ImGui::GetWindowDrawList(), at, {at.x + width, at.y + size.y + 1}, at.x + width,
                              at.x + width, text, nullptr, &size);
    ImGui::PopStyleColor();
}

std::string shortened(const std::string& text, float width) {
    if (ImGui::CalcTextSize(text.c_str()).x <= width) return text;
    std::string begun = text;
    do {
        while (!begun.empty() && (begun.back() & 0xC0) == 0x80) begun.pop_back();  // the rest of a letter
        if (!begun.empty()) begun.pop_back();
    } while (!begun.empty() && ImGui::CalcTextSize((begun + "...").c_str()).x > width);
    return begun + "...";
}

bool begin_list(const char* id, const char* item_name, const char* name, const std::string& shown, float width,
                ImGuiComboFlags flags) {
    ImGui::SetNextItemWidth(width);
    const float room = ImGui::CalcItemWidth() - ImGui::GetFrameHeight() - ImGui::GetStyle().FramePadding.x;
    const bool open = ImGui::BeginCombo(id, shortened(shown, room).c_str(), flags);
    const Control control{ControlRole::list, name, shown, open};
    if (!open)
        register_item(item_name, control);
    else if (ReaderReport::active)
        ReaderReport::active->add_under_popup(control);
    return open;
}

std::string in_lines(const std::string& text, float width, std::size_t max_lines) {
    const auto fits = [width](const std::string& line) { return ImGui::CalcTextSize(line.c_str()).x <= width; };
    std::string lines, line;
    std::istringstream words(text);
    std::size_t count = 1;
    for (std::string word; words >> word;) {
        const std::string longer = line.empty() ? word : line + ' ' + word;
        if (line.empty() || fits(longer)) {
            line = longer;
        } else if (count++ < max_lines) {
            lines += line + '\n';
            line = word;
        } else {
            while (!fits(line + " \u2026") && line.find(' ') != std::string::npos) line.erase(line.rfind(' '));
            return lines + line + " \u2026";
        }
    }
    return lines + line;
}

void paragraph(const std::string& text, ImU32 colour) {
    capture_text(text);
    ImGui::PushStyleColor(ImGuiCol_Text, colour);
    ImGui::TextUnformatted(in_lines(text, ImGui::GetContentRegionAvail().x).c_str());
    keep_tooltips_off(ImGui::GetItemRectMin(), ImGui::GetItemRectMax());
    ImGui::PopStyleColor();
}

namespace {

/// The wheel and the arrow keys step a field that is pointed at and not being typed in.
void step_pointed_at(const NumberField& field, std::int64_t& value) {
    if (!ImGui::IsItemHovered() || ImGui::IsItemActive() || !field.enabled) return;
    take_arrows();
    std::int64_t by = 0;
    if (const float wheel = ImGui::GetIO().MouseWheel; wheel != 0) by = wheel > 0 ? 1 : -1;
    if (!ImGui::GetIO().WantTextInput) {
        if (pressed(Key::up, true)) by = 1;
        if (pressed(Key::down, true)) by = -1;
    }
    if (by == 0) return;
    if (ImGui::GetIO().KeyShift) by *= 10;
    value = std::clamp(value + by, field.least, field.most);
}

/// Round and next to the field that was just drawn.
void say_limits(const NumberField& field) {
    const std::string words = "From " + std::to_string(field.least) + " to " + std::to_string(field.most);
    const ImVec2 min = ImGui::GetItemRectMin(), max = ImGui::GetItemRectMax();
    ImGui::GetWindowDrawList()->AddRect(min, max, look().theme->bad.u32(), ImGui::GetStyle().FrameRounding);
    tooltip_now(min, max, words, look().fonts->text, look().scale);
    announce(field.item_name, words);
    if (ItemRegistry::active) ItemRegistry::active->add(std::string(field.item_name) + "/limits", min, max);
}

}  // namespace

Look& look() {
    static Look present;
    return present;
}

void begin_panel(const char* name, ImGuiWindowFlags more_flags) {
    ImGui::Begin(name, nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                     ImGuiWindowFlags_NoFocusOnAppearing | more_flags);
}

void shade(const char* id, ImVec2 at, ImVec2 size) {
    if (size.x < 1 || size.y < 1) return;
    const ImVec2 behind = ImGui::GetCursorScreenPos();
    ImGui::SetCursorScreenPos(at);
    ImGui::PushStyleColor(ImGuiCol_ChildBg, look().theme->panel.with_alpha(0.7F).u32());
    ImGui::BeginChild(id, size, false, ImGuiWindowFlags_NoScrollWithMouse | ImGuiWindowFlags_NoNav);
    ImGui::EndChild();
    ImGui::PopStyleColor();
    register_rect(id);
    ImGui::SetCursorScreenPos(behind);
}

void heading(const char* text) {
    capture_text(text);
    WithFont font(look().fonts->small);
    ImGui::Dummy({0, px(2)});
    ImGui::TextColored(ImGui::ColorConvertU32ToFloat4(look().theme->text_dim.u32()), "%s", text);
}

void hairline() {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x;
    ImGui::GetWindowDrawList()->AddLine(at, {at.x + width, at.y}, look().theme->hairline.u32());
    ImGui::Dummy({width, 1});
}

void note(const std::string& text) {
    WithFont font(look().fonts->small);
    paragraph(text, look().theme->text_dim.u32());
}

void problem(const std::string& text) {
    WithFont font(look().fonts->small);
    paragraph(text, look().theme->bad.u32());
    announce(text, text);
}

void fact(const char* name, const std::string& value, const char* meaning) {
    capture_text(name, value);
    const float right = ImGui::GetCursorPosX() + ImGui::GetContentRegionAvail().x;
    const float full = ImGui::GetContentRegionAvail().x;
    ImGui::PushFont(look().fonts->mono_small);
    const float width = ImGui::CalcTextSize(value.c_str()).x;
    ImGui::PopFont();
    ImFont* const small = look().fonts->small;
    const float label = small->CalcTextSizeA(small->FontSize, 1e9F, 0, name).x;
    const bool below = width > 0.75F * full || label + px(8) + width > full;  // in as many lines as it takes
    ImGui::BeginGroup();
    {
        WithFont font(look().fonts->small);
        clipped_text(name, below ? full : std::max(px(24), full - width - px(8)), look().theme->text_dim.u32());
    }
    if (!below) {
        ImGui::SameLine();
        ImGui::SetCursorPosX(std::max(ImGui::GetCursorPosX(), right - width));
    }
    {
        WithFont font(look().fonts->mono_small);
        ImGui::TextUnformatted(below ? in_lines(value, full).c_str() : value.c_str());
    }
    ImGui::EndGroup();
    if (meaning) tip(meaning);
}

void tip(const std::string& text) {
    focus_order().explain(text);
    keep_tooltips_off(ImGui::GetItemRectMin(), ImGui::GetItemRectMax());
    // A tip would cover a control that is dragged or typed in.
    if (ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled) && !ImGui::IsAnyItemActive())
        tooltip(ImGui::GetItemRectMin(), ImGui::GetItemRectMax(), text, look().fonts->text, look().scale);
}

bool number_field(const NumberField& field, std::int64_t& value, float width) {
    ImGui::BeginGroup();
    ImGui::PushID(field.item_name);
    if (field.label && *field.label) {
        ImGui::AlignTextToFramePadding();
        const float start = ImGui::GetCursorPosX();
        {
            WithFont font(look().fonts->small);
            ImGui::TextColored(ImGui::ColorConvertU32ToFloat4(look().theme->text_dim.u32()), "%s", field.label);
        }
        ImGui::SameLine(0, 0);
        ImGui::SetCursorPosX(start + px(field.label_width));
        width -= px(field.label_width);
    }
    const Theme& theme = *look().theme;
    if (field.rejected) {
        ImGui::PushStyleColor(ImGuiCol_Text, theme.bad.u32());
        ImGui::PushStyleColor(ImGuiCol_FrameBg, behind_rejected(theme).u32());
        ImGui::PushStyleColor(ImGuiCol_Border, theme.bad.u32());
        ImGui::PushStyleVar(ImGuiStyleVar_FrameBorderSize, 1);
    }
    ImGui::BeginDisabled(!field.enabled);
    ImGui::SetNextItemWidth(width);
    const float speed = std::max(0.05F, static_cast<float>(value) * 0.01F);
    const std::int64_t before = value;
    std::int64_t shown = value;
    {
        WithFont font(look().fonts->mono);
        draw_typed("##value", value, shown, [&](std::int64_t& number) {
            ImGui::DragScalar("##value", ImGuiDataType_S64, &number, speed, &field.least, &field.most, "%lld");
        });
    }
    register_item(field.item_name, {ControlRole::number, field.label ? field.label : "", std::to_string(value)});
    focus_order().keep_arrows();  // which step it
    if (!field.open && std::clamp(shown, field.least, field.most) != shown) say_limits(field);
    if (!field.open && value != before) value = std::clamp(value, field.least, field.most);
    step_pointed_at(field, value);
    if (field.meaning) {
        if (ImGui::IsItemActive())
            focus_order().explain(field.meaning);
        else
            tip(field.meaning);
    }
    ImGui::EndDisabled();
    if (field.rejected) {
        ImGui::PopStyleVar();
        ImGui::PopStyleColor(3);
    }
    ImGui::PopID();
    ImGui::EndGroup();
    return value != before;
}

int choice(const char* item_name, const std::string& shown, const std::vector<std::string>& items, float width,
           const std::vector<std::string>* why_not) {
    constexpr int rows_in_sight = 20;  // of ImGuiComboFlags_HeightLarge
    int picked = -1;
    ImGui::PushID(item_name);
    const bool open = begin_list("##choice", item_name, "", shown, width, ImGuiComboFlags_HeightLarge);
    if (open) {
        for (int i = 0; i < static_cast<int>(items.size()); ++i) {
            const std::string& item = items[static_cast<std::size_t>(i)];
            const std::string reason = why_not && i < static_cast<int>(why_not->size()) ? (*why_not)[i] : "";
            if (!reason.empty()) ImGui::PushStyleColor(ImGuiCol_Text, look().theme->text_dim.u32());
            if (ImGui::Selectable(item.c_str(), item == shown)) picked = i;
            if (item == shown && i >= rows_in_sight && ImGui::IsWindowAppearing()) ImGui::SetScrollHereY();
            register_item((std::string(item_name) + "/" + item).c_str(),
                          {ControlRole::list_item, item, {}, item == shown});
            if (reason.empty()) continue;
            ImGui::PopStyleColor();
            tip(reason);
            WithFont font(look().fonts->small);
            ImGui::SameLine(px(112));
            clipped_text(reason.c_str(), px(360), look().theme->text_dim.u32());
        }
        ImGui::EndCombo();
    }
    ImGui::PopID();
    return picked;
}

bool button(const char* item_name, const char* label, bool accent, bool enabled, std::string_view name) {
    const Theme& theme = *look().theme;
    if (accent) {
        ImGui::PushStyleColor(ImGuiCol_Button, theme.accent.u32());
        ImGui::PushStyleColor(ImGuiCol_ButtonHovered, mix(theme.accent, theme.text, 0.2F).u32());
        ImGui::PushStyleColor(ImGuiCol_ButtonActive, mix(theme.accent, theme.text, 0.35F).u32());
        ImGui::PushStyleColor(ImGuiCol_Text, readable_on(theme.accent).u32());
    }
    ImGui::BeginDisabled(!enabled);
    ImGui::PushID(item_name);
    const bool clicked = ImGui::Button(label);
    register_item(item_name, {ControlRole::button, name.empty() ? label : name});
    ImGui::PopID();
    ImGui::EndDisabled();
    if (accent) ImGui::PopStyleColor(4);
    return clicked;
}

bool segment(const char* item_name, const char* label, bool chosen, bool enabled) {
    const Theme& theme = *look().theme;
    ImGui::PushStyleColor(ImGuiCol_Button, (chosen ? theme.hovered : theme.panel).u32());
    ImGui::PushStyleColor(ImGuiCol_Text, (chosen ? theme.text : theme.text_dim).u32());
    ImGui::BeginDisabled(!enabled);
    ImGui::PushID(item_name);
    const bool clicked = ImGui::Button(label);
    register_item(item_name, {ControlRole::option, label, {}, chosen});
    ImGui::PopID();
    ImGui::EndDisabled();
    ImGui::PopStyleColor(2);
    return clicked;
}

bool check_box(const char* item_name, const char* label, bool& value, std::string_view name) {
    ImGui::PushID(item_name);
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {px(2), px(1)});
    const bool changed = ImGui::Checkbox(label, &value);
    ImGui::PopStyleVar();
    register_item(item_name, {ControlRole::check_box, name.empty() ? label : name, {}, value});
    ImGui::PopID();
    return changed;
}

bool press_here(const char* item_name, const Control& control) {
    const ImVec2 low = ImGui::GetItemRectMin(), size = ImGui::GetItemRectSize();
    ImGui::SetCursorScreenPos(low);
    const bool pressed = ImGui::InvisibleButton(item_name, {std::max(1.0F, size.x), std::max(1.0F, size.y)});
    register_item(item_name, control);
    return pressed;
}

int text_tabs(const char* prefix, const std::vector<std::string>& names, std::size_t first, std::size_t count) {
    const Theme& theme = *look().theme;
    WithFont font(look().fonts->small);
    const float right = ImGui::GetCursorScreenPos().x + ImGui::GetContentRegionAvail().x;
    int clicked = -1;
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (i > 0) ImGui::SameLine(0, px(16));
        if (i > 0 && ImGui::GetCursorScreenPos().x + ImGui::CalcTextSize(names[i].c_str()).x > right) ImGui::NewLine();
        const bool chosen = i >= first && i < first + count;
        ImGui::PushStyleColor(ImGuiCol_Text, (chosen ? theme.text : theme.text_dim).u32());
        ImGui::TextUnformatted(names[i].c_str());
        ImGui::PopStyleColor();
        const std::string item_name = std::string(prefix) + " " + names[i];
        if (press_here(item_name.c_str(), {ControlRole::tab, names[i], {}, chosen})) clicked = static_cast<int>(i);
        const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
        if (chosen)
            ImGui::GetWindowDrawList()->AddRectFilled({low.x, high.y + 1}, {high.x, high.y + px(2) + 1},
                                                      theme.accent.u32());
    }
    return clicked;
}

void swatch(ImU32 colour) {
    const float size = px(8);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float y = at.y + (ImGui::GetTextLineHeight() - size) / 2;
    ImGui::GetWindowDrawList()->AddRectFilled({at.x, y}, {at.x + size, y + size}, colour, px(2));
    ImGui::Dummy({size, ImGui::GetTextLineHeight()});
}

}  // namespace convscope::app
