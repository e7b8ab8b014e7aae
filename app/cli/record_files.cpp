#include "app/cli/record_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>

#include "app/cli/status_line.h"
#include "kernels/core/error.h"
#include "kernels/core/format_units.h"
#include "kernels/core/say.h"

namespace convscope::cli {
namespace {

constexpr std::size_t max_errors = 20;  ///< that are told; a column of another kind makes one of every row

/// A file that takes long says so, and on a terminal how far it is.
RecordFile read_with_progress(const std::string& path, const std::function<void(const Record&)>& take) {
    using Clock = std::chrono::steady_clock;
    Clock::time_point start;
    StatusLine line;
    ReadingTime time("'" + path + "'");
    const auto progress = [&](double share) {
        if (share == 0) start = Clock::now();  // what the disk took says nothing of the rows
        const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
        if (const std::string words = time.announcement(share, seconds); !words.empty()) line.warn(words);
        if (time.announced()) line.show(fmt::format("{}: {}", path, describe_progress(share, seconds)));
    };
    return read_records(path, progress, take);
}

}  // namespace

RecordFile read_and_report(const std::string& path) {
    return read_and_report(path, {});
}

RecordFile read_and_report(const std::string& path, const std::function<void(const Record&)>& take) {
    RecordFile file = read_with_progress(path, take);
    const std::size_t told = std::min(file.errors.size(), max_errors);
    for (std::size_t i = 0; i < told; ++i) say("convscope: {}\n", file.errors[i]);
    if (file.errors.size() > told)
        say("convscope: {} of '{}' after these cannot be read either\n", counted(file.errors.size() - told, "row"),
            path);
    std::string names;
    for (const std::string& name : file.ignored_columns)
        names += fmt::format("{}'{}'", names.empty() ? "" : ", ", name);
    if (!names.empty())
        say("convscope: '{}' has columns that are not of convscope, which are passed over: {}\n", path, names);
    return file;
}

int lines_status(const std::vector<RecordFile>& files) {
    const bool bad =
        std::any_of(files.begin(), files.end(), [](const RecordFile& file) { return !file.errors.empty(); });
    return bad ? static_cast<int>(ErrorKind::file) : 0;
}

}  // namespace convscope::cli
