#include "app/session/file/recent_sessions.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <sstream>

#include "kernels/core/error.h"
#include "kernels/files/text_file.h"
#include "kernels/files/toml_table.h"

namespace convscope::app {
namespace {

std::vector<std::filesystem::path> read_list(const std::filesystem::path& file) {
    std::vector<std::filesystem::path> paths;
    try {
        const toml::table table = parse_any_toml(read_text_file(file));
        if (const toml::array* files = table["files"].as_array())
            for (const toml::node& each : *files)
                if (const auto path = each.value<std::string>()) paths.emplace_back(*path);
    } catch (const std::exception&) {  // none yet, or no list
    }
    return paths;
}

void write_list(const std::filesystem::path& file, const std::vector<RecentSession>& list) {
    toml::array files;
    for (const RecentSession& each : list) files.push_back(each.path.string());
    std::ostringstream text;
    text << toml::table{{"files", files}} << '\n';
    try {
        std::error_code none;
        std::filesystem::create_directories(file.parent_path(), none);
        write_text_file(file, text.str());
    } catch (const Error&) {  // a read-only home: the list is for this run
    }
}

std::string why_not(const std::filesystem::path& path) {
    errno = 0;
    if (access(path.c_str(), R_OK) == 0) return {};
    if (errno == ENOENT || errno == ENOTDIR) return "not there any more";
    return errno ? std::strerror(errno) : "cannot be read";
}

}  // namespace

void RecentSessions::keep_in(const std::filesystem::path& folder) {
    file_ = folder / "recent.toml";
    refresh();
}

void RecentSessions::refresh() {
    if (!file_.empty()) {
        list_.clear();
        for (const std::filesystem::path& path : read_list(file_))
            if (list_.size() < most) list_.push_back({path, {}});
    }
    for (RecentSession& each : list_) each.reason = why_not(each.path);
}

void RecentSessions::add(const std::filesystem::path& path) {
    std::error_code none;
    std::filesystem::path whole = std::filesystem::weakly_canonical(path, none);
    if (none) whole = path;
    refresh();
    std::erase_if(list_, [&](const RecentSession& each) { return each.path == whole; });
    list_.insert(list_.begin(), {whole, {}});
    if (list_.size() > most) list_.resize(most);
    if (!file_.empty()) write_list(file_, list_);
}

}  // namespace convscope::app
