#include "app/ui/dialogs/folder_list.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <utility>

#include "kernels/core/text.h"

namespace convscope::app {
namespace {

constexpr std::size_t max_entries = 5000;

std::string time_of(std::filesystem::file_time_type when) {
    const auto system = std::chrono::file_clock::to_sys(when);
    const std::time_t seconds =
        std::chrono::system_clock::to_time_t(std::chrono::time_point_cast<std::chrono::system_clock::duration>(system));
    return fmt::format("{:%d %b %Y %H:%M}", fmt::localtime(seconds));
}

}  // namespace

std::shared_ptr<FolderList> list_folder(const std::filesystem::path& folder, const std::stop_token& stop) {
    auto list = std::make_shared<FolderList>();
    list->folder = folder;
    std::error_code problem;
    auto entry = std::filesystem::directory_iterator(folder, problem);
    for (; !problem && entry != std::filesystem::directory_iterator(); entry.increment(problem)) {
        if (stop.stop_requested()) return nullptr;
        if (list->entries.size() == max_entries) {
            list->cut = true;
            break;
        }
        std::error_code none;
        FolderEntry found{entry->path().filename().string(), entry->is_directory(none), 0, {}};
        if (!found.folder) found.bytes = entry->is_regular_file(none) ? entry->file_size(none) : 0;
        if (const auto changed = entry->last_write_time(none); !none) found.changed = time_of(changed);
        list->entries.push_back(std::move(found));
    }
    if (problem) list->problem = fmt::format("The folder cannot be read: {}", problem.message());
    std::ranges::sort(list->entries, [](const FolderEntry& a, const FolderEntry& b) {
        return a.folder != b.folder ? a.folder : lower_case(a.name) < lower_case(b.name);
    });
    return list;
}

std::vector<FolderEntry> matching(const FolderList& list, const std::string& typed,
                                  const std::vector<FileFilter>& filters) {
    std::vector<FolderEntry> found;
    const std::string start = lower_case(typed);
    for (const FolderEntry& entry : list.entries) {
        if (entry.name.starts_with('.') && !typed.starts_with('.')) continue;
        if (!lower_case(entry.name).starts_with(start)) continue;
        const bool wanted =
            entry.folder || filters.empty() ||
            std::ranges::any_of(filters, [&](const FileFilter& each) { return fits(each, entry.name); });
        if (wanted) found.push_back(entry);
    }
    return found;
}

std::string completed(const std::vector<FolderEntry>& entries, const std::string& typed) {
    if (entries.empty()) return typed;
    std::string common = entries.front().name;
    for (const FolderEntry& entry : entries) {
        std::size_t same = 0;
        while (same < std::min(common.size(), entry.name.size()) &&
               lower_case(common[same]) == lower_case(entry.name[same]))
            ++same;
        common.resize(same);
    }
    if (entries.size() == 1 && entries.front().folder) common += '/';
    return common.size() > typed.size() ? common : typed;
}

}  // namespace convscope::app
