#include "app/sweep/done_rows.h"

#include <filesystem>
#include <utility>

#include "kernels/measure/sample_counts.h"
#include "kernels/records/csv_file.h"
#include "kernels/records/record_key.h"

namespace convscope {

DoneRows::DoneRows(const std::string& csv_path) {
    std::error_code none;
    if (!std::filesystem::is_regular_file(csv_path, none) || std::filesystem::file_size(csv_path, none) == 0) return;
    CsvContent content = read_csv(csv_path);
    *this = DoneRows(std::move(content.records));
    errors_ = std::move(content.errors);
}

DoneRows::DoneRows(std::vector<Record> records) {
    for (Record& record : records)
        if (record.status != Status::cancelled && !is_too_busy(record))
            rows_.insert_or_assign(measurement_key(record), std::move(record));
}

void DoneRows::forget(const std::string& method, const std::string& before) {
    std::erase_if(rows_, [&](const auto& row) {
        return row.second.method == method && row.second.run_id.substr(0, before.size()) < before;
    });
}

const Record* DoneRows::find(const Record& planned) const {
    const auto found = rows_.find(measurement_key(planned));
    return found == rows_.end() ? nullptr : &found->second;
}

}  // namespace convscope
