// What the shell puts on the clipboard: the words of the present view, or its image.
#include <fmt/format.h>
#include <imgui.h>

#include <fstream>
#include <iterator>
#include <utility>

#include "app/ui/dialogs/save_plot.h"
#include "app/ui/input/item_registry.h"
#include "app/ui/shell/shell.h"
#include "app/ui/widgets/table_menu.h"
#include "app/ui/widgets/text_capture.h"
#include "app/ui/widgets/widgets.h"
#include "kernels/core/user_folders.h"

namespace convscope::app {
namespace {

/// $XDG_CACHE_HOME/convscope, made where it is missing. Where the user has none, a folder in which nobody else can have
/// put a link in place of the image.
std::filesystem::path cache_folder() {
    const std::filesystem::path folder = own_folder(UserFolder::cache);
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
void Shell::copy_image(const gl::Image& image) {
    const std::filesystem::path file = cache_folder() / "copied.png";
    gl::write_png(file, image);
    std::ifstream in(file, std::ios::binary);
    std::string png{std::istreambuf_iterator<char>(in), {}};
    if (image_clipboard && image_clipboard(std::move(png))) return notify(session_, "Copied the view as PNG");
    ImGui::SetClipboardText(file.c_str());
    notify(session_,
           fmt::format("This clipboard takes no images: the image is in {}, and that path was copied", file.string()));
}

/// On a right click that was no drag, where the figure has no menu of its own.
void Shell::image_menu(const char* panel) {
    const ImVec2 dragged = ImGui::GetMouseDragDelta(1);
    const bool still = dragged.x * dragged.x + dragged.y * dragged.y < 16;
    if (ImGui::IsWindowHovered(ImGuiHoveredFlags_ChildWindows) && ImGui::IsMouseReleased(1) && still &&
        !ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopup))
        ImGui::OpenPopup("figure menu");
    if (!ImGui::BeginPopup("figure menu")) return;
    auto item = [panel](const char* name, const char* keys, const char* item_name) {
        const bool picked = ImGui::MenuItem(name, keys);
        register_item(fmt::format("{}/{}", panel, item_name).c_str(), {ControlRole::menu_item, name});
        return picked;
    };
    if (item("Copy the image", "Ctrl+Shift+C", "copy image")) session_.desktop_state.copy = CopyRequest::image;
    if (item("Copy as text", "Ctrl+C", "copy text")) session_.desktop_state.copy = CopyRequest::text;
    for (const auto& [name, ending] : {std::pair{"Save as PNG", ".png"}, std::pair{"Save as SVG", ".svg"}})
        if (item(name, nullptr, ending + 1))
            export_.save_image(session_, dialogs_, true, ending, about_layer(session_, registry_));
    ImGui::EndPopup();
}

}  // namespace convscope::app
