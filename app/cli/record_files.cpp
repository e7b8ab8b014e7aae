#include "app/cli/record_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "kernels/core/error.h"
#include "kernels/core/say.h"

namespace convscope::cli {

RecordFile read_and_report(const std::string& path) {
    RecordFile file = read_records(path);
    for (const std::string& error : file.errors) say("convscope: {}\n", error);
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
