#include "app/ui/overlays/glossary.h"

#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <regex>
#include <span>
#include <sstream>

#include "app/ui/input/item_registry.h"
#include "app/ui/overlays/overlay.h"
#include "app/ui/widgets/text_capture.h"
#include "app/ui/widgets/widgets.h"
#include "kernels/core/text.h"
#include "kernels/files/embedded_text.h"

namespace convscope::app {

std::span<const EmbeddedText> glossary_page();

namespace {

constexpr float glossary_width = 720, glossary_height = 460;

/// Without the marks of Markdown: `code` and [links](page.md).
std::string plain(const std::string& text) {
    static const std::regex link(R"(\[([^\]]*)\]\([^)]*\))");
    std::string words = std::regex_replace(text, link, "$1");
    std::erase(words, '`');
    return words;
}

void draw_entry(const GlossaryEntry& entry) {
    {
        WithFont font(look().fonts->strong);
        ImGui::TextUnformatted(entry.term.c_str());
    }
    capture_text(entry.term);
    register_rect(("glossary/" + entry.term).c_str());
    if (!entry.also.empty()) {
        ImGui::SameLine();
        note("also: " + entry.also);
    }
    paragraph(entry.text, look().theme->text.u32());
}

}  // namespace

std::vector<GlossaryEntry> read_glossary(const std::string& page) {
    static const std::regex line_of_entry(R"(\*\*(.+?)\*\*(?: \(also: (.+?)\))?: (.+))");
    std::vector<GlossaryEntry> entries;
    std::istringstream lines(page);
    std::string line, group;
    while (std::getline(lines, line)) {
        std::smatch parts;
        if (line.starts_with("## ")) group = line.substr(3);
        if (std::regex_match(line, parts, line_of_entry))
            entries.push_back({group, plain(parts[1]), plain(parts[2]), plain(parts[3])});
    }
    return entries;
}

const std::vector<GlossaryEntry>& glossary() {
    static const std::vector<GlossaryEntry> entries = read_glossary(glossary_page().front().text);
    return entries;
}

bool is_named(const GlossaryEntry& entry, const std::string& words) {
    return lower_case(entry.term + ", " + entry.also).find(lower_case(words)) != std::string::npos;
}

void Glossary::draw(Frame& frame) {
    Overlay& overlay = frame.session.desktop_state.overlay;
    const bool open = overlay == Overlay::glossary, appearing = open && !was_open_;
    was_open_ = open;
    if (!open) return;
    if (begin_overlay("##glossary", glossary_width, px(56))) {
        overlay_title("Glossary");
        if (appearing) {
            search_.clear();
            ImGui::SetKeyboardFocusHere();
        }
        ImGui::SetNextItemWidth(-1);
        ImGui::InputTextWithHint("##search", "a term: occupancy, sector, roofline", &search_);
        register_item("glossary/search", {ControlRole::field, "Find a term", search_});
        const float below = ImGui::GetFrameHeight() + px(40);
        const float left = ImGui::GetIO().DisplaySize.y - ImGui::GetCursorScreenPos().y - below;
        ImGui::BeginChild("##terms", {0, std::clamp(left, px(80), px(glossary_height))});
        std::string group;
        int shown = 0;
        for (const GlossaryEntry& entry : glossary()) {
            if (!is_named(entry, search_)) continue;
            if (entry.group != group) heading((group = entry.group).c_str());
            draw_entry(entry);
            ++shown;
        }
        if (shown == 0) note("No term has these letters. Fewer letters find more.");
        ImGui::EndChild();
        if (close_button("glossary/close")) overlay = Overlay::none;
    }
    ImGui::End();
}

}  // namespace convscope::app
