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

// Columns of a row, at scale 1, from the window's edge.
constexpr float meaning_at = 96, buttons_at = 336;

/// Begins a row of the dialog: a name, and what saving it writes.
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

/// A button for each kind of file. Returns what was pressed.
PictureRequest picture_buttons(const std::string& item, const std::string& what, bool large) {
    PictureRequest pressed = PictureRequest::none;
    if (button(item.c_str(), "PNG", false, true, what + " as PNG"))
        pressed = large ? PictureRequest::png_4x : PictureRequest::png_2x;
    tip("With its caption, drawn again, as large as is chosen below");
    ImGui::SameLine();
    if (button((item + " svg").c_str(), "SVG", false, true, what + " as SVG")) pressed = PictureRequest::svg;
    tip("With its caption; lines, text and cells as such, for slides and papers");
    ImGui::SameLine();
    if (button((item + " copy").c_str(), "Copy", false, true, what + ", copied for slides"))
        pressed = PictureRequest::copy;
    tip("A PNG with its caption, light, on the clipboard");
    return pressed;
}

/// The caption below an image, in lines. Views of records have none: their titles say it.
std::string caption(const Frame& frame, const DrawnFigure* figure) {
    std::string title = figure ? figure->title + "\n" : "";
    // A plot is drawn whole, from its data.
    if (figure && !figure->plot && !figure->grows && !figure->part.empty()) title += figure->part + "\n";
    if (!frame.view().shows_layer()) return title;
    return title + about_layer(frame) + "\n" + frame.view().held(frame);
}

}  // namespace

void ExportDialog::draw(Frame& frame) {
    Session& session = frame.session;
    const bool open = session.desktop_state.overlay == Overlay::export_dialog;
    const bool appearing = open && !was_open_;
    was_open_ = open;
    if (!open) return;
    if (appearing) {
        const DrawnFigure* const pointed = pointed_figure();
        if (pointed) figure_ = pointed->title;
        if (!session.desktop_state.figure.empty()) figure_ = std::exchange(session.desktop_state.figure, {});
    }
    const std::size_t rows = frame.live.snapshot().records.size();
    if (appearing) session.desktop_state.focus_requested = rows > 0 ? "export/csv" : "export/view";
    const ImVec2 display = ImGui::GetIO().DisplaySize;
    ImGui::SetNextWindowPos({display.x / 2, px(72)}, ImGuiCond_Always, {0.5F, 0});
    ImGui::SetNextWindowSize({px(584), 0});
    ImGui::PushStyleColor(ImGuiCol_WindowBg, look().theme->panel.u32());
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {px(24), px(16)});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, px(8));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 1);
    ImGui::Begin("##export", nullptr, ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_AlwaysAutoResize);
    {
        WithFont font(look().fonts->strong);
        ImGui::TextUnformatted("Export");
    }
    begin_row("Results", rows == 0 ? "nothing is measured yet" : counted(rows, "row") + " of the live timing");
    if (button("export/csv", "CSV", rows > 0, rows > 0, "Results as CSV")) save_records(frame);
    tip("The rows that the live timing has measured, one for each method and configuration. A sweep and a network "
        "write "
        "theirs to the file that they name");
    figures(frame);
    begin_row("View", "without the side panels");
    if (const auto wanted = picture_buttons("export/view", "View", large_); wanted != PictureRequest::none)
        take(frame, nullptr, wanted);
    ground();
    begin_row("Window", "as it is on the screen");
    if (button("export/window", "PNG", false, true, "Window as PNG"))
        ask(frame, with_ending(session.png_path, ".png"), {});
    tip("The panels too, in the theme that is on the screen");
    ImGui::Dummy({0, px(4)});
    ImGui::SetCursorPosX(ImGui::GetContentRegionMax().x - px(64));
    if (button("export/close", "Close")) session.desktop_state.overlay = Overlay::none;
    tip("Back to the view (Esc)");
    ImGui::End();
    ImGui::PopStyleVar(3);
    ImGui::PopStyleColor();
}

/// Which of those on the screen, from the one under the pointer on.
void ExportDialog::figures(Frame& frame) {
    if (drawn_figures().empty()) return;
    if (!find_figure(figure_)) figure_ = drawn_figures().front().title;
    begin_row("Figure", "");
    ImGui::SameLine(px(meaning_at));
    std::vector<std::string> names;
    for (const DrawnFigure& each : drawn_figures()) names.push_back(each.title);
    if (const int picked = choice("export/which", figure_, names, px(buttons_at - meaning_at - 8)); picked >= 0)
        figure_ = names[static_cast<std::size_t>(picked)];
    tip("Which of the arrays, formulas and plots on the screen; a right click on it has the same");
    ImGui::SameLine(px(buttons_at));
    const DrawnFigure& figure = *find_figure(figure_);
    const PictureRequest wanted = picture_buttons("export/figure", "Figure", large_);
    ImGui::SameLine();
    const bool csv = button("export/figure csv", "CSV", false, figure.plot != nullptr, "Plot's data as CSV");
    tip(figure.is_plot ? "What is drawn, as numbers" : "For plots: `convscope layout` writes arrays");
    if (wanted != PictureRequest::none) take(frame, &figure, wanted);
    if (!csv) return;
    frame.session.desktop_state.overlay = Overlay::none;
    save_plot_data(frame.session, frame.dialogs, *figure.plot);
}

/// The size and the background of figures and the view.
void ExportDialog::ground() {
    begin_row("", "size and ground of a PNG");
    for (const bool large : {false, true}) {
        const char* const name = large ? "4x" : "2x";
        if (segment((std::string("export/") + name).c_str(), name, large_ == large)) large_ = large;
        tip(large ? "Four pixels to one of the screen" : "Two pixels to one of the screen");
        ImGui::SameLine(0, px(4));
    }
    ImGui::SameLine(0, px(8));
    for (const bool paper : {true, false}) {
        const char* const name = paper ? "light" : "as shown";
        if (segment((std::string("export/") + name).c_str(), name, paper_ == paper)) paper_ = paper;
        tip(paper ? "On the light theme, for paper and slides" : "On the theme that is on the screen");
        ImGui::SameLine(0, px(4));
    }
    ImGui::NewLine();
}

void ExportDialog::take(Frame& frame, const DrawnFigure* figure, PictureRequest wanted) {
    if (wanted == PictureRequest::none) return;
    ImageRequest image{figure ? ImageRequest::What::figure : ImageRequest::What::view};
    image.paper = paper_;
    image.scale = wanted == PictureRequest::png_4x ? 4 : 2;
    image.caption = caption(frame, figure);
    const char* const ending = wanted == PictureRequest::svg ? ".svg" : ".png";
    std::string path = with_ending(frame.session.png_path, ending);
    if (figure) {
        image.title = figure->title;
        image.plot = figure->plot;
        path = path_of(path, figure->plot ? figure->plot->file : figure->title, ending);
    }
    if (wanted != PictureRequest::copy) return ask(frame, path, std::move(image));
    frame.session.desktop_state.overlay = Overlay::none;
    // As wide as a slide, as far as that makes sense.
    constexpr double slide = 1920;
    if (figure && 2 * figure->box.w < slide) image.scale = 4;
    image.paper = true;
    image_ = std::move(image);
}

void ExportDialog::ask(Frame& frame, const std::string& path, ImageRequest image) {
    frame.session.desktop_state.overlay = Overlay::none;  // the picture is of what is behind
    ask_for_file(frame.session, frame.dialogs, path, [this, image = std::move(image)](const std::string& chosen) {
        image_ = image;
        image_->path = chosen;
    });
}

void ExportDialog::save_records(Frame& frame) {
    Session& session = frame.session;
    session.desktop_state.overlay = Overlay::none;
    const std::vector<Record>& records = frame.live.snapshot().records;
    ask_and_write(session, frame.dialogs, session.csv_path,
                  [records](const std::string& path) { write_csv(path, records); });
}

}  // namespace convscope::app
