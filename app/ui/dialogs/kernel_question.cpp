#include "app/ui/dialogs/kernel_question.h"

#include <filesystem>

namespace convscope::app {

namespace {

/// The folder of the open file, else of the last one if it still exists; else the one the program runs in.
std::filesystem::path start_folder(const Session& session) {
    std::error_code none;
    for (const std::filesystem::path& folder : {std::filesystem::path(session.kernel.file).parent_path(),
                                                std::filesystem::path(session.desktop_state.preferences.kernel_folder)})
        if (!folder.empty() && std::filesystem::is_directory(folder, none)) return folder;
    return std::filesystem::current_path(none);
}

}  // namespace

void ask_for_kernel(Session& session, FileDialogs& dialogs) {
    FileQuestion question{FileQuestion::Kind::open,    "Open a kernel", start_folder(session),
                          {{"CUDA source", {"*.cu"}}}, false,           ""};
    dialogs.ask(session, std::move(question), [&session](const auto& files) {
        open_kernel_file(session, files.front().string());
        session.view = "kernel";
    });
}

void show_exercises(Session& session) {
    session.kernel.open("");
    session.view = "kernel";
}

}  // namespace convscope::app
