// The entries of a folder, for our own file dialog.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "app/ui/dialogs/file_question.h"

namespace convscope::app {

struct FolderEntry {
    std::string name;
    bool folder = false;
    std::uintmax_t bytes = 0;  ///< of a file
    std::string changed = {};  ///< "22 Nov 2026 14:03", local; empty where it is not known
};

struct FolderList {
    std::filesystem::path folder;
    std::vector<FolderEntry> entries;  ///< folders first, each in alphabetical order
    std::string problem;               ///< why it cannot be read, a sentence; empty when it can
    bool cut = false;                  ///< there are more than are listed
};

/// Null when stopped.
std::shared_ptr<FolderList> list_folder(const std::filesystem::path&, const std::stop_token&);

/// Those whose names begin with 'typed' (whatever the case) and, of files, fit one of the filters. Hidden ones only
/// where 'typed' begins with a dot.
std::vector<FolderEntry> matching(const FolderList&, const std::string& typed, const std::vector<FileFilter>&);
/// The longest common prefix of their names; 'typed' where that is no longer.
std::string completed(const std::vector<FolderEntry>&, const std::string& typed);

}  // namespace convscope::app
