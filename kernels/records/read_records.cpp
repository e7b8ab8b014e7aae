#include "kernels/records/read_records.h"

#include <fmt/format.h>

#include <algorithm>
#include <new>
#include <utility>

#include "kernels/core/error.h"
#include "kernels/files/text_file.h"
#include "kernels/records/csv_file.h"
#include "kernels/records/json_read.h"

namespace convscope {
namespace {

using Take = std::function<void(const Record&)>;

RecordFile read(const std::filesystem::path& path, const ReadProgress& progress, const Take& take) {
    const std::string text = read_text_file(path, max_records_bytes);
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    if (first != std::string::npos && (text[first] == '[' || text[first] == '{')) {
        RecordFile file = read_json(path, text);
        if (take) std::ranges::for_each(std::exchange(file.records, {}), take);
        return file;
    }
    CsvContent content = read_csv(path, text, progress, take);
    return {path, std::move(content.records), std::move(content.errors), std::move(content.ignored_columns)};
}

}  // namespace

RecordFile read_records(const std::filesystem::path& path, const ReadProgress& progress) {
    return read_records(path, progress, {});
}

RecordFile read_records(const std::filesystem::path& path, const ReadProgress& progress, const Take& take) {
    try {
        return read(path, progress, take);
    } catch (const std::bad_alloc&) {
        throw OutOfMemory(
            fmt::format("'{}' does not fit into the host's memory; give a file with fewer rows", path.string()));
    }
}

}  // namespace convscope
