#include "app/ui/dialogs/kernel_question.h"

#include "kernels/core/user_folders.h"

namespace convscope::app {

void ask_for_kernel(Session& session, FileDialogs& dialogs) {
    const std::filesystem::path open = session.kernel.file;
    FileQuestion question{
        FileQuestion::Kind::open,    "Open a kernel", open.empty() ? home_folder() : open.parent_path(),
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
