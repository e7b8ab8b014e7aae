#include "app/ui/dialogs/builtin_file_dialog.h"

#include <fmt/format.h>
#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <utility>

#include "app/ui/input/item_registry.h"
#include "app/ui/widgets/format.h"
#include "app/ui/widgets/widgets.h"
#include "kernels/files/user_folders.h"

namespace convscope::app {
namespace {

constexpr int settle_ms = 6;
constexpr float list_height = 296;

/// "~/x" and "x" are in the home folder; a path from the root or from home that is typed behind a folder, "/a//b" or
/// "/a/~/b", takes its place.
std::filesystem::path absolute(std::string typed) {
    if (const std::size_t root = typed.rfind("//"); root != std::string::npos) return typed.substr(root + 1);
    if (const std::size_t home = typed.rfind("/~/"); home != std::string::npos) typed.erase(0, home + 1);
    if (typed == "~" || typed.starts_with("~/"))
        return home_folder() / typed.substr(std::min<std::size_t>(2, typed.size()));
    return home_folder() / typed;  // a path from the root stays one
}

// Columns at the right of the names: how large a file is, and when it was changed.
constexpr float time_width = 130;

void right_columns(const std::string& size, const std::string& time) {
    WithFont font(look().fonts->small);
    const float right = ImGui::GetContentRegionMax().x;
    ImGui::SameLine(right - px(time_width + 16) - ImGui::CalcTextSize(size.c_str()).x);
    ImGui::TextDisabled("%s", size.c_str());
    ImGui::SameLine(right - px(time_width));
    ImGui::TextDisabled("%s", time.c_str());
}

void column_heads() {
    {
        WithFont font(look().fonts->small);
        ImGui::TextDisabled("name");
    }
    right_columns("size", "changed");
}

void columns(const FolderEntry& entry) {
    right_columns(entry.folder ? "" : bytes(static_cast<double>(entry.bytes)), entry.changed);
}

}  // namespace

BuiltinFileDialog::BuiltinFileDialog(std::function<void()> wake)
    : lister_([](const std::filesystem::path& folder, const std::shared_ptr<FolderList>&,
                 const std::stop_token& stop) { return list_folder(folder, stop); },
              std::move(wake)) {}

void BuiltinFileDialog::begin(const FileQuestion& question, const std::string& why) {
    question_ = question;
    std::string path = question.start.string();
    if (question.kind == FileQuestion::Kind::open && !path.ends_with('/')) path += '/';
    set_path(std::move(path));
    complaint_ = why;
    all_files_ = false;
    lister_.forget();  // files have come and gone since it was open
}

/// A field that is typed in keeps a text of its own until it is left: a new one takes its place.
void BuiltinFileDialog::set_path(std::string path) {
    path_ = std::move(path);
    complaint_.clear();
    ++field_;
    fresh_ = to_end_ = true;
}

std::filesystem::path BuiltinFileDialog::folder() const {
    return absolute(path_).parent_path();
}

std::string BuiltinFileDialog::typed_name() const {
    return absolute(path_).filename().string();
}

void BuiltinFileDialog::go_to(const std::filesystem::path& folder) {
    std::string path = folder.string();
    if (!path.ends_with('/')) path += '/';
    if (question_->kind == FileQuestion::Kind::save) path += question_->start.filename().string();
    set_path(std::move(path));
}

/// Tab: as far as the names in the list agree. The cursor begins at the end; a name to save under is selected, so that
/// what is typed takes its place.
int BuiltinFileDialog::on_field(ImGuiInputTextCallbackData* data) {
    auto& self = *static_cast<BuiltinFileDialog*>(data->UserData);
    const std::string text(data->Buf, static_cast<std::size_t>(data->BufTextLen));
    const std::string name = text.substr(text.rfind('/') + 1);
    if (data->EventFlag == ImGuiInputTextFlags_CallbackAlways) {
        if (!std::exchange(self.to_end_, false)) return 0;
        const bool save = self.question_->kind == FileQuestion::Kind::save;
        data->CursorPos = data->SelectionStart = data->SelectionEnd = data->BufTextLen;
        if (save) data->SelectionStart -= static_cast<int>(name.size());
        return 0;
    }
    if (!self.list_) return 0;
    const std::vector<FileFilter> none;
    const std::string longer =
        completed(matching(*self.list_, name, self.all_files_ ? none : self.question_->filters), name);
    data->DeleteChars(data->BufTextLen - static_cast<int>(name.size()), static_cast<int>(name.size()));
    data->InsertChars(data->BufTextLen, longer.c_str());
    return 0;
}

std::optional<FileAnswer> BuiltinFileDialog::draw() {
    if (!question_) return {};
    lister_.request(folder());
    lister_.settle(settle_ms);
    list_ = lister_.latest();
    lister_.take_error();
    const ImVec2 display = ImGui::GetIO().DisplaySize;
    ImGui::SetNextWindowPos({display.x / 2, std::min(px(72), display.y / 8)}, ImGuiCond_Always, {0.5F, 0});
    ImGui::SetNextWindowSize({std::min(px(640), display.x - px(16)), 0});
    ImGui::PushStyleColor(ImGuiCol_WindowBg, look().theme->panel.u32());
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {px(24), px(16)});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, px(8));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 1);
    if (fresh_) ImGui::SetNextWindowFocus();
    ImGui::Begin("##file dialog", nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoMove |
                     ImGuiWindowFlags_NoSavedSettings);
    {
        WithFont font(look().fonts->strong);
        ImGui::TextUnformatted(question_->title.c_str());
    }
    bool accepted = false;
    path_field(accepted);
    list(accepted);
    std::optional<FileAnswer> answer;
    buttons(answer, accepted);
    ImGui::End();
    ImGui::PopStyleVar(3);
    ImGui::PopStyleColor();
    if (answer) question_.reset();
    return answer;
}

void BuiltinFileDialog::path_field(bool& entered) {
    if (button("dialog/up", "Up")) go_to(folder().has_parent_path() ? folder().parent_path() : folder());
    tip("The folder above");
    ImGui::SameLine(0, px(8));
    if (button("dialog/home", "Home")) go_to(home_folder());
    tip("Your own folder");
    ImGui::SameLine(0, px(8));
    ImGui::SetNextItemWidth(-1);
    if (std::exchange(fresh_, false)) ImGui::SetKeyboardFocusHere();
    WithFont font(look().fonts->mono);
    ImGui::PushID(field_);
    constexpr ImGuiInputTextFlags flags = ImGuiInputTextFlags_EnterReturnsTrue |
                                          ImGuiInputTextFlags_CallbackCompletion | ImGuiInputTextFlags_CallbackAlways;
    if (ImGui::InputText("##path", &path_, flags, on_field, this)) entered = true;
    ImGui::PopID();
    register_item("dialog/path", {ControlRole::field, "Path", path_});
    tip("Type a path; Tab completes it, Enter takes it");
}

void BuiltinFileDialog::list(bool& accepted) {
    static const std::vector<FileFilter> none;
    const bool save = question_->kind == FileQuestion::Kind::save;
    column_heads();
    ImGui::BeginChild("entries", {0, px(list_height)});
    if (!list_ || list_->folder != folder()) {
        note("Reading...");
    } else if (!list_->problem.empty()) {
        problem(list_->problem);
    } else {
        // The name that a file is saved under narrows nothing, nor does one that was clicked: a second click hits it.
        if (path_ != clicked_) narrowing_ = save ? "" : typed_name();
        const std::vector<FolderEntry> shown = matching(*list_, narrowing_, all_files_ ? none : question_->filters);
        ImGuiListClipper clipper;
        clipper.Begin(static_cast<int>(shown.size()));
        while (clipper.Step())
            for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) {
                const FolderEntry& entry = shown[static_cast<std::size_t>(i)];
                const bool chosen = !entry.folder && entry.name == typed_name();
                ImGui::PushID(i);
                const bool clicked = ImGui::Selectable((entry.name + (entry.folder ? "/" : "")).c_str(), chosen,
                                                       ImGuiSelectableFlags_AllowDoubleClick);
                register_item(("dialog/" + entry.name).c_str(), {ControlRole::list_item, entry.name, {}, chosen});
                columns(entry);
                ImGui::PopID();
                if (!clicked) continue;
                if (entry.folder) {
                    go_to(list_->folder / entry.name);
                } else {
                    set_path((list_->folder / entry.name).string());
                    clicked_ = path_;
                    accepted = accepted || ImGui::IsMouseDoubleClicked(0);
                }
            }
        if (shown.empty()) note(typed_name().empty() || save ? "No file of this kind is here." : "No name begins so.");
        if (list_->cut) note("More are here than can be listed: type the beginning of the name.");
    }
    ImGui::EndChild();
}

/// Why what is typed cannot be taken.
bool BuiltinFileDialog::acceptable(std::string& why) const {
    const std::filesystem::path file = absolute(path_);
    std::error_code none;
    if (question_->kind == FileQuestion::Kind::open) {
        if (!std::filesystem::exists(file, none)) why = fmt::format("There is no file {}", file.string());
    } else if (!std::filesystem::is_directory(file.parent_path(), none)) {
        why = fmt::format("There is no folder {}", file.parent_path().string());
    } else if (file.filename().empty()) {
        why = "Type the file's name after the folder";
    }
    return why.empty();
}

void BuiltinFileDialog::buttons(std::optional<FileAnswer>& answer, bool accepted) {
    const bool save = question_->kind == FileQuestion::Kind::save;
    std::error_code none;
    const std::filesystem::path file = absolute(path_);
    const bool replaces = save && std::filesystem::is_regular_file(file, none);
    if (!complaint_.empty()) problem(complaint_);
    if (replaces) note(fmt::format("{} exists: saving replaces it.", file.filename().string()));
    if (!question_->filters.empty()) {
        check_box("dialog/all", "all files", all_files_);
        tip(fmt::format("Else only {}", fmt::join(question_->filters.front().patterns, ", ")));
        ImGui::SameLine();
    }
    const char* verb = !save ? "Open" : replaces ? "Replace" : "Save";
    const float width =
        ImGui::CalcTextSize("Cancel").x + ImGui::CalcTextSize(verb).x + 4 * ImGui::GetStyle().FramePadding.x + px(8);
    ImGui::SetCursorPosX(ImGui::GetContentRegionMax().x - width);
    if (button("dialog/cancel", "Cancel")) answer = FileAnswer{FileAnswer::Outcome::cancelled, {}, {}};
    ImGui::SameLine(0, px(8));
    accepted = button("dialog/accept", verb, true) || accepted;
    if (!accepted || answer) return;
    complaint_.clear();
    if (std::filesystem::is_directory(file, none)) {
        go_to(file);
    } else if (acceptable(complaint_)) {
        answer = FileAnswer{FileAnswer::Outcome::chosen, {file}, {}};
    } else {
        fresh_ = to_end_ = true;  // what is typed next goes on with the path
    }
}

}  // namespace convscope::app
