#include "app/ui/shell/export_dialog.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <filesystem>

#include "app/ui/dialogs/file_dialogs.h"
#include "app/ui/dialogs/save_plot.h"
#include "app/ui/input/item_registry.h"
#include "app/ui/widgets/widgets.h"
#include "kernels/core/format_units.h"
#include "kernels/records/csv_file.h"

namespace convscope::app {
namespace {

// Of a row, at scale 1, from the window's edge.
constexpr float meaning_at = 96, buttons_at = 312;

/// What can be saved, and what that is.
void begin_row(const char* name, const std::string& meaning) {
    ImGui::AlignTextToFramePadding();
    ImGui::TextUnformatted(name);
    ImGui::SameLine(px(meaning_at));
    {
        WithFont font(look().fonts->small);
        clipped_text(meaning.c_str(), px(buttons_at - meaning_at - 8), look().theme->text_dim.u32());
    }
    ImGui::SameLine(px(buttons_at));
}

}  // namespace

void ExportDialog::draw(Frame& frame) {
    Session& session = frame.session;
    const bool appearing = session.export_open && !was_open_;
    was_open_ = session.export_open;
    if (!session.export_open) return;
    const std::size_t rows = frame.live.snapshot().records.size();
    if (appearing) session.desktop_state.focus_requested = rows > 0 ? "export/csv" : "export/view";
    const ImVec2 display = ImGui::GetIO().DisplaySize;
    ImGui::SetNextWindowPos({display.x / 2, px(72)}, ImGuiCond_Always, {0.5F, 0});
    ImGui::SetNextWindowSize({px(520), 0});
    ImGui::PushStyleColor(ImGuiCol_WindowBg, look().theme->panel.u32());
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {px(24), px(16)});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, px(8));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 1);
    ImGui::Begin("##export", nullptr, ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_AlwaysAutoResize);
    {
        WithFont font(look().fonts->strong);
        ImGui::TextUnformatted("Export");
    }
    begin_row("Results",
              rows == 0 ? "live timing has measured nothing yet" : counted(rows, "row") + " of the live timing");
    if (button("export/csv", "CSV", rows > 0, rows > 0, "Results as CSV")) save_records(frame);
    tip("The rows that the live timing has measured, one for each method and configuration. A sweep and a network "
        "write "
        "theirs to the file that they name");
    begin_row("View", "without the panels beside it");
    const auto about = [&] {
        return frame.view().shows_layer() ? about_layer(session, frame.registry) : std::string();
    };
    if (button("export/view", "PNG", false, true, "View as PNG"))
        save_image(session, frame.dialogs, true, ".png", about());
    tip("Twice as large as on the screen");
    ImGui::SameLine();
    if (button("export/view svg", "SVG", false, true, "View as SVG"))
        save_image(session, frame.dialogs, true, ".svg", about());
    tip("Lines, text and cells as such, for slides and papers");
    begin_row("Window", "as it is on the screen");
    if (button("export/window", "PNG", false, true, "Window as PNG"))
        save_image(session, frame.dialogs, false, ".png", {});
    tip("Pixel by pixel");
    plots(frame);
    ImGui::Dummy({0, px(4)});
    ImGui::SetCursorPosX(ImGui::GetContentRegionMax().x - px(64));
    if (button("export/close", "Close")) session.export_open = false;
    tip("Back to the view (Esc)");
    ImGui::End();
    ImGui::PopStyleVar(3);
    ImGui::PopStyleColor();
}

/// Which of the plots on the screen.
void ExportDialog::plots(Frame& frame) {
    Session& session = frame.session;
    const std::vector<PlotToSave>& all = drawn_plots();
    if (all.empty()) return;
    std::vector<std::string> names;
    for (const PlotToSave& each : all) names.push_back(each.name);
    auto chosen = std::ranges::find(names, plot_);
    if (chosen == names.end()) chosen = names.begin();
    begin_row("Plot", all.size() > 1 ? "" : *chosen);
    if (all.size() > 1) {
        ImGui::SameLine(px(meaning_at));
        if (const int picked = choice("export/which", *chosen, names, px(buttons_at - meaning_at - 8)); picked >= 0)
            plot_ = names[static_cast<std::size_t>(picked)];
        tip("Which of the plots on the screen");
        ImGui::SameLine(px(buttons_at));
    }
    const PlotToSave& plot = all[static_cast<std::size_t>(chosen - names.begin())];
    PlotRequest request = PlotRequest::none;
    if (button("export/plot", "PNG", false, true, "Plot as PNG")) request = PlotRequest::save_png;
    tip("With its title, what it is of, and what it holds at one value; its own menu, by a right click, does the same");
    ImGui::SameLine();
    if (button("export/plot svg", "SVG", false, true, "Plot as SVG")) request = PlotRequest::save_svg;
    tip("Lines and text as such, for slides and papers");
    ImGui::SameLine();
    if (button("export/plot csv", "CSV", false, true, "Plot's data as CSV")) request = PlotRequest::save_csv;
    tip("What is drawn, as numbers");
    if (request == PlotRequest::none) return;
    session.export_open = false;
    save_plot(session, frame.dialogs, plot, request);
}

void ExportDialog::save_image(Session& session, FileDialogs& dialogs, bool view, const char* ending,
                              std::string about) {
    session.export_open = false;  // the image is of what is behind
    ask_for_file(session, dialogs, with_ending(session.png_path, ending),
                 [this, view, about = std::move(about)](const std::string& path) {
                     image_ = ImageRequest{.path = path, .view = view, .about = about};
                 });
}

void ExportDialog::save_records(Frame& frame) {
    Session& session = frame.session;
    session.export_open = false;
    const std::vector<Record>& records = frame.live.snapshot().records;
    ask_and_write(session, frame.dialogs, session.csv_path,
                  [records](const std::string& path) { write_csv(path, records); });
}

}  // namespace convscope::app
