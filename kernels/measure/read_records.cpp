#include "kernels/measure/read_records.h"

#include "kernels/measure/csv_file.h"

namespace convscope {

RecordFile read_records(const std::filesystem::path& path) {
    CsvContent content = read_csv(path);
    return {path, std::move(content.records), std::move(content.errors), std::move(content.ignored_columns)};
}

}  // namespace convscope
