#include "app/ui/shell/export_dialog.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <ctime>

#include "app/session/file/session_file.h"
#include "app/ui/dialogs/file_dialogs.h"
#include "app/ui/dialogs/save_plot.h"
#include "app/ui/input/item_registry.h"
#include "app/ui/widgets/widgets.h"
#include "kernels/core/error.h"
#include "kernels/core/format_units.h"
#include "kernels/records/csv_file.h"

namespace convscope::app {

void ExportDialog::draw(Frame& frame) {
    Session& session = frame.session;
    const bool appearing = session.export_open && !was_open_;
    was_open_ = session.export_open;
    if (!session.export_open) return;
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
    const std::size_t rows = frame.live.snapshot().records.size();
    note(rows == 0 ? "Results as CSV: nothing measured yet; Run first."
                   : fmt::format("Results as CSV: {}, one per method and configuration.", counted(rows, "row")));
    const float field = px(472 - 88 - 92);
    ImGui::SetNextItemWidth(field);
    if (appearing) ImGui::SetKeyboardFocusHere();
    const bool entered = ImGui::InputText("##csv", &session.csv_path, ImGuiInputTextFlags_EnterReturnsTrue);
    register_item("export/csv path", {ControlRole::field, "CSV file", session.csv_path});
    tip("Where the rows go: a path, from the present folder");
    ImGui::SameLine();
    browse(frame, "export/csv browse", "Name the file of results", session.csv_path, "*.csv");
    ImGui::SameLine();
    if (button("export/csv", "Save", true, rows > 0) || (entered && rows > 0)) save_records(frame);
    tip("Writes the rows as CSV");

    note("Image as PNG");
    ImGui::SetNextItemWidth(field);
    ImGui::InputText("##png", &session.png_path);
    register_item("export/png path", {ControlRole::field, "PNG file", session.png_path});
    tip("Where the image goes: a path, from the present folder");
    ImGui::SameLine();
    browse(frame, "export/png browse", "Name the image", session.png_path, "*.png");
    if (button("export/view", "Save view")) image_ = ImageRequest{.path = session.png_path, .view = true};
    tip("The view without the panels beside it");
    ImGui::SameLine();
    if (button("export/window", "Save window")) image_ = ImageRequest{.path = session.png_path};
    tip("The whole window, as it is on the screen");
    plots(frame);
    ImGui::SameLine(ImGui::GetContentRegionMax().x - px(72));
    if (button("export/close", "Close")) session.export_open = false;
    tip("Back to the view (Esc)");
    ImGui::End();
    ImGui::PopStyleVar(3);
    ImGui::PopStyleColor();
    if (image_) session.export_open = false;  // the image is of what is behind
}

/// Which of the plots on the screen; it is drawn again, twice as large, and says what it is of.
void ExportDialog::plots(Frame& frame) {
    Session& session = frame.session;
    const std::vector<DrawnPlot>& all = drawn_plots();
    if (all.empty()) return;
    std::vector<std::string> names;
    for (const DrawnPlot& each : all) names.push_back(each.name);
    auto chosen = std::ranges::find(names, plot_);
    if (chosen == names.end()) chosen = names.begin();
    if (all.size() > 1) {
        ImGui::SameLine();
        if (const int picked = choice("export/which", *chosen, names, px(150)); picked >= 0)
            plot_ = names[static_cast<std::size_t>(picked)];
        tip("Which of the plots on the screen");
    }
    ImGui::SameLine();
    const bool saves = button("export/plot", "Save plot");
    tip("Twice as large as here, with its title, layer, device and date; a right click on it has SVG and CSV, too");
    if (!saves) return;
    DrawnPlot drawn = all[static_cast<std::size_t>(chosen - names.begin())];
    if (drawn.plot.title.empty()) drawn.plot.title = drawn.name;
    const std::string about =
        drawn.about.empty()
            ? fmt::format("{}, {}, {:%d %b %Y}",
                          session.good.name == "custom" ? to_string(session.good.shape) : session.good.name,
                          device_name_of(session, frame.registry), fmt::localtime(std::time(nullptr)))
            : drawn.about;
    drawn.plot.subtitle += (drawn.plot.subtitle.empty() ? "" : "; ") + about;
    try {
        write_plot_png(drawn.plot, drawn.state, drawn.page, session.png_path, 2);
        notify(session, "Saved " + session.png_path);
        session.export_open = false;
    } catch (const Error& error) {
        notify(session, error.what(), true);
    }
}

void ExportDialog::browse(Frame& frame, const char* item_name, const char* title, std::string& path,
                          const char* pattern) {
    const bool requested = button(item_name, "Browse");
    tip("Asks for the place as the desktop does");
    if (!requested) return;
    FileQuestion question{FileQuestion::Kind::save, title, path, {{title, {pattern}}}, false, pattern + 1};
    frame.dialogs.ask(frame.session, std::move(question),
                      [&path](const auto& files) { path = files.front().string(); });
}

void ExportDialog::save_records(Frame& frame) {
    Session& session = frame.session;
    try {
        const std::vector<Record>& records = frame.live.snapshot().records;
        write_csv(session.csv_path, records);
        notify(session, fmt::format("Saved {} to {}", counted(records.size(), "row"), session.csv_path));
        session.export_open = false;
    } catch (const Error& error) {
        notify(session, error.what(), true);
    }
}

}  // namespace convscope::app
