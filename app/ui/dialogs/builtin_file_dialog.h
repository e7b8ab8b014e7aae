// A file dialog of our own, for desktops that offer none: a path that is typed, with Tab to complete it, and the
// folder's list.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "app/session/jobs/latest_job.h"
#include "app/ui/dialogs/file_question.h"
#include "app/ui/dialogs/folder_list.h"

struct ImGuiInputTextCallbackData;

namespace convscope::app {

class BuiltinFileDialog {
public:
    explicit BuiltinFileDialog(std::function<void()> wake);

    /// 'why' the answer before could not be taken; empty: it is asked for the first time.
    void begin(const FileQuestion&, const std::string& why);
    void close() { question_.reset(); }
    bool open() const { return question_.has_value(); }
    /// Nothing while it goes on, and when none is open.
    std::optional<FileAnswer> draw();

private:
    static int on_field(ImGuiInputTextCallbackData*);

    std::filesystem::path folder() const;  ///< of what is typed
    std::string typed_name() const;
    void path_field(bool& entered);
    void list(bool& accepted);
    void buttons(std::optional<FileAnswer>&, bool accepted);
    void set_path(std::string);
    bool acceptable(std::string& why) const;
    void go_to(const std::filesystem::path&);

    std::optional<FileQuestion> question_;
    std::string path_;       ///< as it is typed
    std::string clicked_;    ///< the path that a click into the list made
    std::string narrowing_;  ///< the beginning that the names of the list have
    bool all_files_ = false, to_end_ = false;
    int field_ = 0;  ///< which field it is: a new one takes the path that was set, and the keyboard
    bool fresh_ = false;
    std::string complaint_;  ///< why what was chosen cannot be taken
    LatestJob<std::filesystem::path, FolderList> lister_;
    std::shared_ptr<FolderList> list_;
};

}  // namespace convscope::app
