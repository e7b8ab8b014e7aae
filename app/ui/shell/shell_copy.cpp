// The shell and the clipboard: the present view as text, or as an image.
#include <fmt/format.h>
#include <imgui.h>

#include <fstream>
#include <iterator>

#include "app/ui/dialogs/drawn_figures.h"
#include "app/ui/dialogs/save_plot.h"
#include "app/ui/input/item_registry.h"
#include "app/ui/shell/shell.h"
#include "app/ui/widgets/table_menu.h"
#include "app/ui/widgets/text_capture.h"
#include "app/ui/widgets/widgets.h"
#include "kernels/files/user_folders.h"

namespace convscope::app {
namespace {

/// $XDG_CACHE_HOME/convscope, made where it is missing. Where the user has none, a folder in which nobody else can have
/// put a link in place of the image.
std::filesystem::path cache_folder() {
    const std::filesystem::path folder = user_folder(UserFolder::cache);
    if (folder.empty()) {
        static const std::filesystem::path instead = make_temporary_folder();
        return instead;
    }
    std::error_code ignored;
    std::filesystem::create_directories(folder, ignored);
    return folder;
}

}  // namespace

/// The layer, all that the inspector says, whether it is open or not, and the results that belong to it.
void Shell::copy_text(Frame& frame) {
    session_.desktop_state.copy.reset();
    std::string text = fmt::format("{}: {}\n", session_.good.name, to_string(session_.good.shape));
    {
        const TextCapture taking(text);
        // The panel is drawn once more, where nobody sees it.
        begin_panel("copied", {-4000, -4000, px(264), px(1200)}, 0, 0);
        inspect(frame);
        end_panel();
    }
    const bool measured = session_.view == "layout" && live_.current(session_);
    if (const TextTable table = live_table(live_.snapshot()); measured && !table.rows.empty())
        text += fmt::format("\n{}", table_text(table, TableFormat::tsv));
    ImGui::SetClipboardText(text.c_str());
    notify(session_, "Copied what the view says");
}

/// Where images cannot be put on the clipboard, a file's path is.
void Shell::copy_picture(const ImageRequest& request, int height) {
    const std::filesystem::path file = cache_folder() / "copied.png";
    write_picture(request, file, height);
    std::ifstream in(file, std::ios::binary);
    std::string png{std::istreambuf_iterator<char>(in), {}};
    const std::string what = request.what == ImageRequest::What::view ? "the view" : request.title;
    if (image_clipboard && image_clipboard(std::move(png)))
        return notify(session_, fmt::format("Copied {} as PNG, {}x", what, request.scale));
    ImGui::SetClipboardText(file.c_str());
    notify(session_,
           fmt::format("This clipboard takes no images: {} is in {}, and that path was copied", what, file.string()));
}

/// On a right click that was no drag: of the figure under the pointer, where that has no menu of its own, and of the
/// view. 'of_view': also where there is no figure.
void Shell::picture_menu(Frame& frame, bool of_view) {
    const ImVec2 dragged = ImGui::GetMouseDragDelta(1);
    const bool still = dragged.x * dragged.x + dragged.y * dragged.y < 16;
    if (ImGui::IsWindowHovered(ImGuiHoveredFlags_ChildWindows) && ImGui::IsMouseReleased(1) && still &&
        !ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopup)) {
        const DrawnFigure* const pointed = pointed_figure();
        menu_figure_ = pointed ? pointed->title : "";
        if (pointed || of_view) ImGui::OpenPopup("picture menu");
    }
    if (!ImGui::BeginPopup("picture menu")) return;
    if (const DrawnFigure* const figure = find_figure(menu_figure_)) {
        ImGui::TextDisabled("%s", figure->title.c_str());
        export_.take(frame, figure, picture_items("figure menu"));
        ImGui::Separator();
    }
    ImGui::TextDisabled("The view");
    export_.take(frame, nullptr, picture_items("view menu"));
    if (ImGui::MenuItem("Copy as text", "Ctrl+C")) session_.desktop_state.copy = CopyRequest::text;
    register_item("view menu/Copy as text", {ControlRole::menu_item, "Copy as text"});
    ImGui::EndPopup();
}

}  // namespace convscope::app
