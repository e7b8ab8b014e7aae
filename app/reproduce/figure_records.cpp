#include "app/reproduce/figure_records.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>

#include "app/request/request.h"
#include "kernels/core/error.h"
#include "kernels/core/say.h"
#include "kernels/measure/isolated/device_measurer.h"
#include "kernels/records/csv_text.h"

namespace convscope::reproduce {
namespace {

/// Whether a row was measured for this point: what the point decides is equal, device and versions aside. A vendor's
/// method has no block or grid.
bool belongs(const Record& record, const PaperPoint& point, const std::string& method, const FigureTiming& timing) {
    const WorkloadSpec& spec = point.spec;
    return is_of(record, method) && record.timing_scope == to_string(timing.scope) &&
           record.cache_mode == to_string(timing.cache) && record.shape == spec.shape &&
           record.source == to_string(spec.source) && record.seed == spec.seed &&
           std::abs(record.sparsity_target - spec.sparsity) < 1e-9 &&
           record.weight_sparsity_target == spec.weight_sparsity &&
           (!point.launch.block || !record.block || record.block == point.launch.block) &&
           (!point.launch.grid || !record.grid || record.grid == point.launch.grid);
}

/// The point's launch with what the figure sets for this method.
LaunchConfig launch_of(const PaperPoint& point, const FigureMethod& method) {
    LaunchConfig launch = point.launch;
    launch.tunables.insert(method.launch.tunables.begin(), method.launch.tunables.end());
    return launch;
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

FigureRecords::FigureRecords(const PaperFigure& figure, const std::filesystem::path& folder,
                             const std::filesystem::path& under)
    : figure_(figure), under_(under), csv_(folder / under / (figure.records + ".csv")) {
    if (!std::filesystem::exists(csv_)) return;
    CsvContent content = read_csv(csv_);
    for (const std::string& error : content.errors) say("convscope: {}\n", error);
    records_ = std::move(content.records);
    // A row that was cut short is measured again.
    std::erase_if(records_, [](const Record& record) { return record.status == Status::cancelled; });
}

const Record* FigureRecords::find(const PaperPoint& point, const std::string& method,
                                  const FigureTiming& timing) const {
    const auto found =
        std::ranges::find_if(records_, [&](const Record& record) { return belongs(record, point, method, timing); });
    return found == records_.end() ? nullptr : &*found;
}

bool FigureRecords::complete() const {
    for (const FigureTiming& timing : figure_.timings)
        for (const std::string& method : figure_.methods)
            if (!has(method, timing)) return false;
    return true;
}

bool FigureRecords::has(const std::string& method, const FigureTiming& timing) const {
    return std::ranges::all_of(figure_.points, [&](const PaperPoint& point) { return find(point, method, timing); });
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
    const std::size_t all = figure_.timings.size() * figure_.points.size();
    for (const FigureTiming& timing : figure_.timings) {
        options.scope = timing.scope;
        options.cache = timing.cache;
        for (const PaperPoint& point : figure_.points) {
            if (stop.stop_requested()) return;
            tell(fmt::format("{} {}/{}: {}, scope {}", figure_.name, ++done, all, point.label, to_string(timing)));
            measure_point(registry, device, measurer, point, options, file, stop);
        }
    }
}

void FigureRecords::measure_point(Registry& registry, Device& device, PointMeasurer& measurer, const PaperPoint& point,
                                  const MeasureOptions& options, CsvFile& file, std::stop_token stop) {
    std::vector<Candidate> candidates;
    for (const std::string& text : figure_.methods) {
        if (find(point, text, {options.scope, options.cache})) continue;
        const FigureMethod wanted = parse_figure_method(text);
        const Method& method = registry.get(wanted.id, device.info().kind);
        candidates.push_back(take_settable(method, point.spec.shape, launch_of(point, wanted)));
    }
    if (candidates.empty()) return;
    PointSinks sinks;
    sinks.warning = [](const std::string& sentence) { say("convscope: {}\n", sentence); };
    sinks.measure.record = [&](const Record& record) {
        if (figure_.twice) append_samples(samples_path(), point, record);
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

PointRecords FigureRecords::of(const FigureTiming& timing) const {
    PointRecords points;
    for (const PaperPoint& point : figure_.points) {
        points.emplace_back();
        for (const std::string& method : figure_.methods)
            if (const Record* record = find(point, method, timing)) points.back().push_back(*record);
    }
    return points;
}

}  // namespace convscope::reproduce
