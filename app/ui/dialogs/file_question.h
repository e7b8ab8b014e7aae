// A question for a file's name, and its answer, whoever asks it: the desktop, a program, or a dialog of our own.
#pragma once

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

namespace convscope::app {

/// "Records", {"*.csv", "*.json"}.
struct FileFilter {
    std::string name;
    std::vector<std::string> patterns;  ///< each "*" and an ending, or "*" alone
    bool operator==(const FileFilter&) const = default;
};

struct FileQuestion {
    enum class Kind { open, save };
    Kind kind = Kind::open;
    std::string title;            ///< "Open a session"
    std::filesystem::path start;  ///< absolute; open: the folder to begin in; save: the file that is suggested
    std::vector<FileFilter> filters;
    bool several = false;  ///< open: more than one file may be chosen
    std::string ending;    ///< save: given to a name that has not got it; empty: none
};

struct FileAnswer {
    enum class Outcome { chosen, cancelled, unavailable };
    Outcome outcome = Outcome::unavailable;
    std::vector<std::filesystem::path> files;  ///< of 'chosen'
    std::string reason;                        ///< of 'unavailable': a sentence
};

/// Whether a file's name is one of the filter's.
inline bool fits(const FileFilter& filter, const std::string& name) {
    return std::ranges::any_of(filter.patterns, [&](const std::string& pattern) {
        return pattern.starts_with('*') && name.ends_with(pattern.substr(1));
    });
}

}  // namespace convscope::app
