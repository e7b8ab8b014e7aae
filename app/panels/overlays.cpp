#include "app/panels/overlays.h"

#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>

#include "app/item_log.h"
#include "app/panels/toolbar.h"
#include "app/widgets.h"

namespace convscope::app {
namespace {

constexpr ImGuiWindowFlags overlay_flags = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_AlwaysAutoResize |
                                           ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings;

bool begin_overlay(const char* name, float width, float top) {
    const ImVec2 display = ImGui::GetIO().DisplaySize;
    ImGui::SetNextWindowPos({display.x / 2, top}, ImGuiCond_Always, {0.5F, 0});
    ImGui::SetNextWindowSize({std::min(px(width), display.x - px(32)), 0});
    ImGui::PushStyleColor(ImGuiCol_WindowBg, look().theme->panel.u32());
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {px(24), px(16)});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, px(8));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 1);
    const bool open = ImGui::Begin(name, nullptr, overlay_flags);
    ImGui::PopStyleVar(3);
    ImGui::PopStyleColor();
    return open;
}

struct Explanation {
    const char* title;
    const char* text;
};

Explanation explain_layout(Tab tab) {
    switch (tab) {
        case Tab::ecr:
            return {
                "ECR: extended and compressed rows (Xu 2019, Algorithm 1)",
                "Each block takes one row of windows (a block row), each thread one window. A thread walks its "
                "window over the map and copies the values that are not zero into F_data, the weights that they "
                "meet into K_data, and their number into Ptr. Multiplying is then a short sum over Ptr products: "
                "the zeros are never touched. Point at a cell to see which window, thread and output it belongs to; "
                "click to keep it lit."};
        case Tab::pecr:
            return {"PECR: pooling packed with ECR (Xu 2019, Algorithm 3)",
                    "Convolution, ReLU and max-pooling in one pass. Data holds the non-zero values of every "
                    "convolution window that one pooling window needs, Index where in the filter each belongs, Count "
                    "how many each window has. The pooled result is the largest of the sums, and the convolution "
                    "output never goes to memory."};
        case Tab::lowering:
            return {"MEC and im2col: lowering to a matrix product (Cho & Brand 2017, Figs. 1-2)",
                    "im2col copies every window into a row: an input value is stored up to r x s times. MEC "
                    "copies only strips of the map, one per output column, into L. A window is then a part of a row of "
                    "L, and neighbouring output rows share most of it: partitions P, Q, R... of L overlap. Point at a "
                    "value "
                    "to see all its copies in both."};
        case Tab::output:
            return {"Output: what the layer returns",
                    "Every output is the sum of one window times the filter. Point at an output to light up its "
                    "window; point at "
                    "an input to light up every output that it reaches."};
    }
    return {"", ""};
}

Explanation explain(const Session& session) {
    switch (session.view) {
        case View::layout:
            return explain_layout(session.tab);
        case View::step:
            return {"Step: what a kernel does, one instruction of one warp at a time",
                    "The kernel's own source runs on the simulated GPU, every access watched; no GPU is needed. Pick a "
                    "block and a thread at the top. In each step the lit line is run by the active lanes of one warp: "
                    "the element that your thread reads is outlined in the accent colour, the one that it writes is "
                    "filled, those of other lanes have the lanes' colours. Below, the 32 lanes with what each loaded, "
                    "stored or computed, and why the others are idle; and the memory request they made: the 32-byte "
                    "sectors that move, or the banks of shared memory, a row for each pass. 'beside' adds a second "
                    "kernel on the same workload, stepped together with the first."};
        case View::compare:
            return {
                "Compare: what records show",
                "Records come from recorded sessions, from CSV and JSON files (drop them on the window) or from this "
                "run. What is timed: one switch says what is inside the clock, and the speed-up over the vendor "
                "changes with it; the bars show where the time goes. Roofline counts only work that was done. Who "
                "wins: the fastest method over two axes, and where a method overtakes the vendor. Click a point to "
                "load its layer and launch configuration; Shift and a drag choose rows; right click saves a plot "
                "or copies the command line that measures its rows again."};
        case View::sweep:
            return {
                "Sweep: one layer at many points, and which is best",
                "Every combination of the axes' values is measured with the engine of 'convscope sweep', each result "
                "verified first. What cannot run stays as a cross or a hatched cell that says why. Lines have their "
                "quartiles as a band; the map shows two axes at once; below, predicted occupancy beside the measured "
                "time, and every point as a line over all axes. Point to read a mark, click to load it into the "
                "panels, Shift and a drag to brush: the same points are lit in every plot. The best point is ringed, "
                "with its interval; those that cannot be told from it are ringed faintly. Right click saves a plot "
                "or copies the command line."};
        case View::network:
            return {
                "Network: every layer of a network, and what it comes to",
                "Each row is a convolution with the pooling that follows it, each bar the median time of a ticked "
                "method, verified before it is timed; the vendor's best is neutral. OCPA takes PECR where pooling "
                "follows and ECR elsewhere; what it took stands at the end of the row, with how often as fast as the "
                "vendor it is. A ratio over the network compares the layers that both ran. Click a layer to load it."};
        case View::lessons:
            return {
                "Lessons: read beside the live views, answer, and see",
                "A lesson takes the column on the right and drives the views, which stay yours to use. Questions are "
                "answered from what is on screen, never from a table; a prediction is taken first, then the app does "
                "it and compares. Tasks tick themselves when they are done. 'my layer' puts the layer that you had "
                "before into the lesson. Leaving gives your own session back as it was; what you have done is "
                "remembered. Lessons are plain Markdown files: drop one of your own on the window."};
    }
    return {"", ""};
}

void key_sheet(View view) {
    if (!ImGui::BeginTable("keys", 4)) return;
    for (int i = 0; i < 2; ++i) {
        ImGui::TableSetupColumn("key", ImGuiTableColumnFlags_WidthFixed, px(96));
        ImGui::TableSetupColumn("what it does", ImGuiTableColumnFlags_WidthStretch);
    }
    int column = 0;
    for (const Command& command : commands()) {
        if (command.keys.empty() || !command.has_key_in(view)) continue;
        if (column++ % 2 == 0) ImGui::TableNextRow();
        ImGui::TableNextColumn();
        {
            WithFont font(look().fonts->mono_small);
            ImGui::TextUnformatted(command.keys.c_str());
        }
        ImGui::TableNextColumn();
        note(command.name);
    }
    ImGui::EndTable();
}

}  // namespace

void HelpOverlay::draw(Frame& frame) {
    if (!frame.session.help_open) return;
    if (begin_overlay("##help", 720, px(72))) {
        const Explanation explanation = explain(frame.session);
        {
            WithFont font(look().fonts->strong);
            ImGui::TextUnformatted(explanation.title);
        }
        ImGui::PushTextWrapPos(0);
        ImGui::TextUnformatted(explanation.text);
        ImGui::PopTextWrapPos();
        ImGui::Dummy({0, px(4)});
        hairline();
        ImGui::Dummy({0, px(4)});
        key_sheet(frame.session.view);
        if (frame.session.view == View::layout) note("Arrows move what is pinned.");
        note(
            "Fields: click to type, drag sideways, or point and use the wheel or the arrow "
            "keys (Shift: tens).");
        ImGui::Dummy({0, px(4)});
        if (button("help/close", "Close")) frame.session.help_open = false;
    }
    ImGui::End();
}

void Palette::draw(Frame& frame, History& history) {
    const bool appearing = frame.session.palette_open && !was_open_;
    was_open_ = frame.session.palette_open;
    if (!was_open_) return;
    if (appearing) {
        search_.clear();
        chosen_ = 0;
    }
    if (begin_overlay("##palette", 480, px(72))) {
        if (appearing) ImGui::SetKeyboardFocusHere();
        ImGui::SetNextItemWidth(-1);
        const bool entered =
            ImGui::InputTextWithHint("##search", "what to do", &search_, ImGuiInputTextFlags_EnterReturnsTrue);
        log_item("palette/search");
        if (pressed(Key::down, true)) ++chosen_;
        if (pressed(Key::up, true)) --chosen_;
        const Command* run = nullptr;
        int row = 0;
        for (const Command& command : commands()) {
            if (!matches(command.name, search_)) continue;
            if (ImGui::Selectable(command.name.c_str(), row == chosen_) || (entered && row == chosen_)) run = &command;
            ImGui::SameLine(ImGui::GetWindowWidth() - px(132));
            WithFont font(look().fonts->mono_small);
            ImGui::TextDisabled("%s", command.keys.c_str());
            ++row;
        }
        chosen_ = std::clamp(chosen_, 0, std::max(0, row - 1));
        if (row == 0) note("No command has all of these words.");
        if (run) {
            frame.session.palette_open = false;
            run->run(frame, history);
        }
    }
    ImGui::End();
}

void Notices::draw(Frame& frame) {
    std::vector<Notice>& notices = frame.session.notices;
    if (notices.empty()) return;
    const ImVec2 display = ImGui::GetIO().DisplaySize;
    float y = display.y - px(40);
    std::size_t dismissed = notices.size();
    for (std::size_t i = notices.size(); i-- > 0;) {
        Notice& notice = notices[i];
        notice.age_s += ImGui::GetIO().DeltaTime;
        ImGui::SetNextWindowPos({display.x / 2, y}, ImGuiCond_Always, {0.5F, 1});
        ImGui::SetNextWindowSizeConstraints({px(200), 0}, {px(560), px(200)});
        const Theme& theme = *look().theme;
        ImGui::PushStyleColor(ImGuiCol_WindowBg, theme.raised.u32());
        ImGui::PushStyleColor(ImGuiCol_Border, notice.problem ? theme.bad.u32() : theme.hairline.u32());
        ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 1);
        ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, px(6));
        ImGui::Begin(("##notice" + std::to_string(i)).c_str(), nullptr,
                     overlay_flags | ImGuiWindowFlags_NoFocusOnAppearing);
        ImGui::PushTextWrapPos(px(520));
        ImGui::TextUnformatted(notice.text.c_str());
        ImGui::PopTextWrapPos();
        if (ImGui::IsWindowHovered() && ImGui::IsMouseClicked(0)) dismissed = i;
        y -= ImGui::GetWindowHeight() + px(8);
        ImGui::End();
        ImGui::PopStyleVar(2);
        ImGui::PopStyleColor(2);
    }
    if (dismissed < notices.size()) notices.erase(notices.begin() + static_cast<std::ptrdiff_t>(dismissed));
    std::erase_if(notices, [](const Notice& n) { return n.age_s > (n.problem ? 20 : 6); });
}

}  // namespace convscope::app
