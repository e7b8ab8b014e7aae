#include "app/ui/sweep_view/sweep_file.h"

#include <fmt/format.h>

#include <utility>

#include "kernels/core/error.h"
#include "kernels/measure/isolated/local_measurer.h"
#include "kernels/records/csv_file.h"

namespace convscope::app {

SweepFile read_sweep_file(Registry& registry, const SweepFileRequest& request) {
    SweepFile file{request, 0, {}, false};
    std::vector<Record> rows;
    try {
        rows = read_csv(request.csv_path).records;
    } catch (const Error&) {
        return file;
    }
    file.rows = rows.size();
    LocalMeasurer measurer(registry);
    const SweepRun run(registry, measurer, *request.plan, DoneRows(std::move(rows)));
    file.found = run.rows_there();
    file.complete = run.missing_rows().empty();
    return file;
}

std::string next_free_name(const std::string& csv_path) {
    const std::filesystem::path path = csv_path;
    std::error_code none;
    for (int number = 2;; ++number) {
        const std::filesystem::path next =
            path.parent_path() / fmt::format("{}-{}{}", path.stem().string(), number, path.extension().string());
        if (!std::filesystem::exists(next, none)) return next.string();
    }
}

}  // namespace convscope::app
