#include "app/cli/figure_records.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>

#include "app/request/request.h"
#include "app/sweep/device_measurer.h"
#include "kernels/core/error.h"
#include "kernels/measure/csv_parse.h"

namespace convscope::cli {
namespace {

/// Whether a row was measured for this point: what the point decides is equal, device and versions aside. A rival has
/// no block or grid.
bool belongs(const Record& record, const PaperPoint& point, const std::string& method, TimingScope scope) {
    const WorkloadSpec& spec = point.spec;
    return record.method == method && record.timing_scope == to_string(scope) && record.shape == spec.shape &&
           record.source == to_string(spec.source) && record.seed == spec.seed &&
           std::abs(record.sparsity_target - spec.sparsity) < 1e-9 &&
           (!point.launch.block || !record.block || record.block == point.launch.block) &&
           (!point.launch.grid || !record.grid || record.grid == point.launch.grid);
}

/// One line for each row of a figure's CSV: its time of day finds it there.
void append_samples(const std::filesystem::path& path, const PaperPoint& point, const Record& record) {
    const bool fresh = !std::filesystem::exists(path);
    std::ofstream file(path, std::ios::app);
    if (fresh) file << "timestamp_utc,row,method,timing_scope,samples_us\r\n";
    std::string samples;
    for (const double us : record.samples_us) samples += fmt::format("{}{:.6g}", samples.empty() ? "" : " ", us);
    file << fmt::format("{},{},{},{},{}\r\n", record.timestamp_utc, csv_quote(point.label), record.method,
                        record.timing_scope, samples);
    if (!file.flush()) throw Error(ErrorKind::file, fmt::format("'{}' cannot be written", path.string()));
}

}  // namespace

FigureRecords::FigureRecords(const PaperFigure& figure, const std::filesystem::path& csv) : figure_(figure), csv_(csv) {
    if (!std::filesystem::exists(csv)) return;
    CsvContent content = read_csv(csv);
    records_ = std::move(content.records);
    // A row that was cut short is measured again.
    std::erase_if(records_, [](const Record& record) { return record.status == Status::cancelled; });
}

const Record* FigureRecords::find(const PaperPoint& point, const std::string& method, TimingScope scope) const {
    const auto found =
        std::ranges::find_if(records_, [&](const Record& record) { return belongs(record, point, method, scope); });
    return found == records_.end() ? nullptr : &*found;
}

bool FigureRecords::complete() const {
    for (const TimingScope scope : figure_.scopes)
        for (const PaperPoint& point : figure_.points)
            for (const std::string& method : figure_.methods)
                if (!find(point, method, scope)) return false;
    return true;
}

void FigureRecords::measure(Registry& registry, Device& device, MeasureOptions options, std::stop_token stop,
                            const std::function<void(const std::string&)>& tell) {
    for (const Record& record : records_)
        if (record.device_name != device.info().name)
            throw Error(ErrorKind::usage, fmt::format("'{}' has rows of {}, and this is {}: choose another folder",
                                                      csv_.string(), record.device_name, device.info().name));
    CsvFile file(csv_);
    DeviceMeasurer measurer(registry, false);
    std::size_t done = 0;
    const std::size_t all = figure_.scopes.size() * figure_.points.size();
    for (const TimingScope scope : figure_.scopes) {
        options.scope = scope;
        for (const PaperPoint& point : figure_.points) {
            if (stop.stop_requested()) return;
            tell(fmt::format("{} {}/{}: {}, scope {}", figure_.name, ++done, all, point.label, to_string(scope)));
            measure_point(registry, device, measurer, point, options, file, stop);
        }
    }
}

void FigureRecords::measure_point(Registry& registry, Device& device, PointMeasurer& measurer, const PaperPoint& point,
                                  const MeasureOptions& options, CsvFile& file, std::stop_token stop) {
    std::vector<Candidate> candidates;
    for (const std::string& id : figure_.methods) {
        if (find(point, id, options.scope)) continue;
        const Method& method = registry.get(id, device.info().kind);
        candidates.push_back(take_settable(method, point.spec.shape, point.launch));
    }
    if (candidates.empty()) return;
    PointSinks sinks;
    sinks.warning = [](const std::string& sentence) { fmt::print(stderr, "convscope: {}\n", sentence); };
    sinks.measure.record = [&](const Record& record) {
        if (!figure_.goals.empty()) append_samples(samples_path(), point, record);
        file.append(record);
        records_.push_back(record);
    };
    try {
        measurer.measure({point.spec, device.info().id, candidates, options}, sinks, stop);
    } catch (const OutOfMemory& error) {
        for (const Candidate& candidate : candidates) {
            Record record = planned_record(device, registry.get(candidate.method, device.info().kind), point.spec,
                                           candidate.launch, options);
            record.status = Status::out_of_memory;
            record.status_reason = error.what();
            sinks.measure.record(record);
        }
    }
}

std::filesystem::path FigureRecords::samples_path() const {
    return csv_.parent_path() / (figure_.name + "-samples.csv");
}

PointRecords FigureRecords::of(TimingScope scope) const {
    PointRecords points;
    for (const PaperPoint& point : figure_.points) {
        points.emplace_back();
        for (const std::string& method : figure_.methods)
            if (const Record* record = find(point, method, scope)) points.back().push_back(*record);
    }
    return points;
}

}  // namespace convscope::cli
